import {
  badge,
  card,
  chips,
  counted,
  field,
  hidden,
  type Html,
  html,
  type HtmlPart,
  id,
  money,
  stackedTable,
  type TableRow,
  type Tone,
  type Verdict,
  verdict,
  type ZonedTimes,
} from '../../../platform/html';
import { actKinds, type Actor } from '../../wallet';
import {
  type ChangeRow,
  type ChangesFilter,
  changesLabels,
  type ChangesView,
  rightsAct,
} from '../view/players/changes';
import type { PageBody, Reader } from './layout';
import {
  dayAttributes,
  idAttributes,
  fileLinks,
  linkTo,
  nextLink,
  operatorLinks,
  playerLink,
  readyMonths,
  roundLink,
} from './links';

/** Of which operators, which changes, and who reads. */
export interface ChangesPageOptions extends Reader {
  readonly operators: readonly string[];
  readonly filter: ChangesFilter;
  /** Whether the reader may take files. */
  readonly mayExport: boolean;
}

const title = 'Changes';

/** Who changed what, when and why; null where the store does not list it. */
export function changesPage(view: ChangesView | null, options: ChangesPageOptions): PageBody {
  if (view === null) {
    const text = 'Repairs, blocks, limits and cash are on the pages of their players and rounds.';
    const missing = { title: 'This store does not list what people did', text };
    return { title, body: verdict({ tone: 'note', ...missing }) };
  }
  const { operators, filter, mayExport, times } = options;
  const { operatorId, changes, next } = view;
  const query = { operator: operatorId, ...filter };
  const older = next === null ? null : linkTo('changes', { ...query, after: next });
  return {
    title,
    below:
      'What people did, not programs. A change of rights is listed once a process has started with it.',
    tools: fileLinks(mayExport, 'changes', query),
    body: html`${said(view, Object.keys(filter).length > 0, times)}${operatorLinks('changes', operatorId, operators)}${filterForm(view, options)}
<div class="pairs">${stackedTable(
      'Changes, the newest first',
      [`when, ${times.zone}`, '=what', '#amount', 'player', 'by', '=why'],
      changes.map((change) => rowOf(change, options)),
      filter.person === undefined
        ? 'Nothing is listed.'
        : 'A person is searched for by the full id, shown after the name.',
    )}</div>${nextLink(older, changes.length === 0 ? 'Search older changes' : 'Older changes')}`,
  };
}

const kindNames: Readonly<Record<(typeof actKinds)[number], string>> = {
  repair: 'Repairs',
  block: 'Blocks',
  limit: 'Limits',
  correction: 'Corrections',
  cash: 'Cash by people',
  export: 'Exports',
  rights: 'Rights',
};

function filterForm({ operatorId }: ChangesView, options: ChangesPageOptions): Html {
  const { filter, booksZone } = options;
  const labels = changesLabels(booksZone);
  const { person = '', player = '', kind, from, to } = filter;
  const { kind: _, ...others } = filter;
  const base = { operator: operatorId, ...others };
  const isOfKind = kind !== undefined;
  const links = actKinds.map(
    (one) => [linkTo('changes', { ...base, kind: one }), kindNames[one], one === kind] as const,
  );
  const months = readyMonths(options).map(([name, month]) => {
    const isHere = month.from === from && month.to === to;
    return [
      linkTo('changes', { operator: operatorId, ...filter, ...month }),
      name,
      isHere,
    ] as const;
  });
  return html`${card(html`<form method="get" action="changes">
${hidden({ operator: operatorId, ...(isOfKind ? { kind } : {}) })}
${field(labels.person, 'person', html`${idAttributes} value="${person}"`)}
${field(labels.player, 'player', html`${idAttributes} value="${player}"`)}
${field(labels.from, 'from', dayAttributes(from))}
${field(labels.to, 'to', dayAttributes(to))}
<button class="main">Show</button></form>
<div class="tools">${chips('Kinds', [[linkTo('changes', base), 'All kinds', !isOfKind], ...links])}${chips('Ready searches', months)}</div>`)}`;
}

/** How much is on the page, and whether it is all. */
function said({ changes, next, since }: ChangesView, isAsked: boolean, times: ZonedTimes): Html {
  const end =
    since === null
      ? null
      : html`<span class="dim">Listed since ${times.time(since)}: what was done before is on the pages of players and rounds.</span>`;
  const [newest, oldest] = [changes[0], changes.at(-1)];
  if (newest === undefined || oldest === undefined) {
    return verdict({ tone: 'note', ...noneFound({ next, since }, isAsked, times), end });
  }
  const people = new Set(changes.map(({ by }) => by.id)).size;
  const names = `${counted(changes.length, 'change')} by ${people === 1 ? '1 person' : `${people} people`}`;
  return verdict({
    tone: 'note',
    title: next === null ? names : `${names} on this page`,
    text: html`${times.time(oldest.at)} to ${times.time(newest.at)}${next === null ? null : ', older ones below'}`,
    end,
  });
}

/** That no change is listed, and since when none was made. */
function noneFound(
  { next, since }: Pick<ChangesView, 'next' | 'since'>,
  isAsked: boolean,
  times: ZonedTimes,
): Pick<Verdict, 'title' | 'text'> {
  if (next !== null) {
    const text = 'Only some changes were searched. The link below searches older ones.';
    return { title: 'None found yet', text };
  }
  if (isAsked) {
    const text = 'Nothing that people did is of this person, player, kind and time.';
    return { title: 'No change by a person fits', text };
  }
  const begin = since === null ? 'the store was made' : times.time(since);
  const text = html`People have done nothing since ${begin}.`;
  return { title: 'No change by a person is listed', text };
}

function rowOf(change: ChangeRow, { filter, times }: ChangesPageOptions): TableRow {
  const { at, operatorId, by, reason } = change;
  const { tone, word, more, amount } = contentOf(change, times);
  const ofPerson = linkTo('changes', { operator: operatorId, ...filter, person: by.id });
  return [
    times.time(at),
    html`<span>${badge(tone, word)} ${more}</span>`,
    amount,
    ofPlayer(change),
    html`<span>${onOneLine(by.name ?? by.id, html`<a href="${ofPerson}">${id(by.name ?? by.id)}</a>`)}${idBeside(by)}</span>`,
    reason === null ? null : html`<bdi>${reason}</bdi>`,
  ];
}

/** The id of a person who is shown by name. */
function idBeside({ id: whole, name }: Actor): Html | null {
  return name === null ? null : html` <small>${id(whole)}</small>`;
}

function ofPlayer({ operatorId, playerId }: ChangeRow): HtmlPart {
  if (playerId === null) return null;
  return onOneLine(playerId, playerLink({ operatorId, playerId }));
}

function onOneLine(text: string, link: Html): Html {
  return text.length > unbroken ? link : html`<span class="nw">${link}</span>`;
}

/** Characters of a name or an id that stays on one line. */
const unbroken = 20;

interface Content {
  readonly tone: Tone;
  readonly word: string;
  readonly more: HtmlPart;
  readonly amount: HtmlPart;
}

const cashWords = {
  opening: 'account opened',
  deposit: 'deposit',
  withdrawal: 'withdrawal',
  correction: 'correction',
} as const;

const repairWords = {
  proposed: ['plain', 'repair proposed'],
  approved: ['note', 'repair approved'],
  rejected: ['plain', 'repair rejected'],
} as const;

function contentOf(change: ChangeRow, times: ZonedTimes): Content {
  switch (change.type) {
    case 'block': {
      const { blocked, until } = change;
      const more = until === null ? null : html`until ${times.time(until)}`;
      return blocked
        ? { tone: 'warn', word: 'blocked', more, amount: null }
        : { tone: 'good', word: 'unblocked', more, amount: null };
    }
    case 'limit': {
      const { kind, window, currency, zone, counts, amount } = change.limit;
      const balances = counts === 'real' ? 'real balance' : 'real and bonus';
      return {
        tone: 'note',
        word: amount === null ? 'limit lifted' : 'limit set',
        more: `${kind} a ${window}, ${currency}, ${zone}, ${balances}`,
        amount: amount === null ? null : money(amount, currency),
      };
    }
    case 'cash': {
      const { kind, reference, currency, balance, amount } = change;
      const ofBonus = balance === 'bonus' ? 'bonus balance' : null;
      return {
        tone: kind === 'correction' ? 'note' : 'plain',
        word: cashWords[kind],
        more: kind === 'opening' ? ofBonus : html`${id(reference)}${ofBonus && `, ${ofBonus}`}`,
        amount: money(amount, currency, 'always'),
      };
    }
    case 'export': {
      const { step, file, filter, rows, isWhole } = change;
      const { after, ...asked } = filter;
      const parts = Object.entries(asked).map(([name, text]) => html`, ${name} ${id(text)}`);
      const from = after === undefined ? null : ', from where an earlier file ended';
      return {
        tone: 'note',
        word: step === 'begun' ? 'file taken' : 'file ended',
        more: html`${file}, ${rowsText(rows, isWhole)}${parts}${from}`,
        amount: null,
      };
    }
    case 'rights': {
      const { person, may, before } = change;
      const until = before === null ? null : `; before: ${rightsText(before)}`;
      return {
        tone: may.length === 0 ? 'warn' : 'note',
        word: `rights ${rightsAct(change)}`,
        more: html`${id(person.name ?? person.id)}${idBeside(person)} may: ${rightsText(may)}${until}`,
        amount: null,
      };
    }
    case 'repair': {
      const { step, kind, currency, amount } = change;
      const [tone, word] = repairWords[step];
      const round = html`${kind}, round ${onOneLine(change.gameRound, roundLink(change))}`;
      return {
        tone,
        word,
        more: round,
        amount: currency === null ? null : money(amount, currency),
      };
    }
  }
}

function rightsText(names: readonly string[]): string {
  return names.join(', ') || 'nothing';
}

/** How many rows a file has; one with more to come has at least those. */
function rowsText(rows: number, isWhole: boolean): string {
  return isWhole ? counted(rows, 'row') : `at least ${counted(rows, 'row')}`;
}
