import { csvText } from '../reconciliation/by-round/csv';
import {
  type ChangeRow,
  type ChangesRequest,
  type ChangesView,
  viewChanges,
} from './view/players/changes';

/** How an export is written. Its last line says that it is whole, or where it continues: a file without it was cut. */
interface ExportForm {
  readonly head: string;
  readonly row: (change: ChangeRow) => string;
  /** `next` is the `after` of what is left; null if nothing is. */
  readonly end: (rows: number, next: string | null) => string;
}

/** The most that a store gives at once, rows of an export, and for how long it reads. */
const [pageSize, mostRows, mostMs] = [200, 100_000, 60_000];

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

const forms: Readonly<Record<'csv' | 'jsonl', ExportForm>> = {
  csv: {
    // The mark at the beginning is how a spreadsheet knows UTF-8.
    head: `\ufeff${columns.join(',')}\r\n`,
    row: (change) => {
      const cells = cellsOf(change);
      return `${columns.map((name) => cells[name] ?? '').join(',')}\r\n`;
    },
    end: (rows, next) =>
      next === null ? `end,${rows},complete\r\n` : `end,${rows},continue,${next}\r\n`,
  },
  jsonl: {
    head: '',
    row: (change) => `${JSON.stringify(change)}\n`,
    end: (rows, next) => {
      const rest = next === null ? {} : { continue: next };
      return `${JSON.stringify({ end: { rows, complete: next === null, ...rest } })}\n`;
    },
  },
};

type Cells = Partial<Record<(typeof columns)[number], string>>;

/** Amounts are numbers, as this program writes them; of all else what a spreadsheet would run is made text. */
function cellsOf(change: ChangeRow): Cells {
  const { at, operatorId, playerId, by, reason } = change;
  const { amount = '', ...said } = contentOf(change);
  const texts: Cells = {
    ...said,
    operatorId,
    playerId,
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

/** An export as it is sent. */
export interface ExportedFile {
  readonly type: string;
  /** Of our making: it has no id of anybody. */
  readonly name: string;
  /** Its text in parts, each read from the store when it is asked for. */
  readonly parts: AsyncIterable<string>;
}

/**
 * The changes that a query asks for, the newest first, in pages; null if the store lists none.
 * @throws RequestFault for a filter or a place that is not valid, StoreUnavailableError. So does reading the parts: then the
 * end is missing.
 */
export async function exportChanges(
  request: ChangesRequest,
  form: 'csv' | 'jsonl',
): Promise<ExportedFile | null> {
  const cursor = request.fields.get('after') || null;
  const first = await viewChanges(request, { cursor, limit: pageSize });
  if (first === null) return null;
  const type = form === 'csv' ? 'text/csv' : 'application/x-ndjson';
  const name = `changes-${first.asOf.slice(0, 10)}.${form}`;
  return { type: `${type}; charset=utf-8`, name, parts: partsOf(request, first, forms[form]) };
}

async function* partsOf(
  request: ChangesRequest,
  first: ChangesView,
  { head, row, end }: ExportForm,
): AsyncGenerator<string> {
  const { clock } = request;
  const until = clock.monotonicMs() + mostMs;
  let [page, rows]: [ChangesView, number] = [first, 0];
  yield head;
  for (;;) {
    yield page.changes.map(row).join('');
    rows += page.changes.length;
    const { next } = page;
    const isOver = rows + pageSize > mostRows || clock.monotonicMs() >= until;
    const more =
      next === null || isOver
        ? null
        : await viewChanges(request, { cursor: next, limit: pageSize });
    if (more === null) return yield end(rows, next);
    page = more;
  }
}
