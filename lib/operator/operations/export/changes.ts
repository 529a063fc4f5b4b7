import { printableJson } from '../../../protocol/json/printable';
import { csvText } from '../../reconciliation/by-round/csv';
import type { ExportRequest } from './acts';
import { type ChangeRow, changesFilterIn, rightsAct, viewChanges } from '../view/players/changes';
import { RequestFault, shownOperator } from '../view/request';
import {
  csvHead,
  type ExportedFile,
  type ExportForm,
  type ExportKind,
  fileOf,
  pageSize,
} from './form';

const columns = [
  'at',
  'kind',
  'act',
  'what',
  'operatorId',
  'playerId',
  'gameRound',
  'currency',
  'balance',
  'amount',
  'reference',
  'until',
  'by',
  'byName',
  'reason',
] as const;

const forms: Readonly<Record<ExportKind, ExportForm<ChangeRow>>> = {
  csv: {
    head: csvHead(columns),
    row: (change) => {
      const cells = cellsOf(change);
      return `${columns.map((name) => cells[name] ?? '').join(',')}\r\n`;
    },
  },
  jsonl: { head: '', row: (change) => `${printableJson(JSON.stringify(change))}\n` },
};

type Cells = Partial<Record<(typeof columns)[number], string>>;

/** Amounts are numbers, as this program writes them; of all else what a spreadsheet would run is made text. */
function cellsOf(change: ChangeRow): Cells {
  const { at, operatorId, playerId, by, reason } = change;
  const { amount = '', ...said } = contentOf(change);
  const texts: Cells = {
    ...said,
    operatorId,
    playerId: playerId ?? '',
    by: by.id,
    byName: by.name ?? '',
    reason: reason ?? '',
  };
  const cells = Object.entries(texts).map(([name, text]) => [name, csvText(text)] as const);
  return { ...(Object.fromEntries(cells) as Cells), at, amount };
}

function contentOf(change: ChangeRow): Cells {
  switch (change.type) {
    case 'block':
      return {
        kind: change.type,
        act: change.blocked ? 'blocked' : 'unblocked',
        until: change.until ?? '',
      };
    case 'limit': {
      const { kind, currency, window, zone, counts, amount } = change.limit;
      const what = [kind, window, zone, counts].join(' ');
      const act = amount === null ? 'lifted' : 'set';
      return { kind: change.type, act, what, currency, amount: amount ?? '' };
    }
    case 'export': {
      const { type: kind, step: act, file, rows, isWhole, filter, export: reference } = change;
      const asked = new URLSearchParams(filter).toString();
      const what = `${file}, ${isWhole ? '' : 'at least '}${rows} rows${asked && ` of ${asked}`}`;
      return { kind, act, what, reference };
    }
    case 'rights': {
      const { person, may, before } = change;
      const [now, old] = [may, before ?? []].map((names) => names.join(' ') || 'nothing');
      const what = `${person.id} may ${now}${before === null ? '' : `, before ${old}`}`;
      return { kind: change.type, act: rightsAct(change), what };
    }
    case 'cash': {
      const { kind: act, reference, currency, balance, amount } = change;
      const kind = act === 'correction' ? act : change.type;
      return { kind, act, reference, currency, balance, amount };
    }
    case 'repair': {
      const { type: kind, step: act, kind: what, gameRound, currency, amount } = change;
      return { kind, act, what, gameRound, currency: currency ?? '', amount };
    }
  }
}

/**
 * The changes that a query asks for, the newest first.
 * @throws RequestFault for a filter or a place that is not valid, and where the store lists no changes; StoreUnavailableError.
 * So does reading the parts: then the end is missing.
 */
export function exportChanges(request: ExportRequest, kind: ExportKind): Promise<ExportedFile> {
  const { fields } = request;
  const read = async (cursor: string | null) => {
    const view = await viewChanges(request, { cursor, limit: pageSize });
    if (view === null) throw new RequestFault(501, 'This store does not list what people did.');
    return { rows: view.changes, next: view.next };
  };
  const { player: playerId = null, ...filter } = changesFilterIn(fields);
  const taken = { operatorId: shownOperator(request), playerId, filter };
  const cursor = fields.get('after') || null;
  return fileOf(request, 'changes', kind, { form: forms[kind], cursor, read, taken });
}
