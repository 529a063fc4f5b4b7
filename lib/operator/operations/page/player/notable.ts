import {
  amountText,
  chips,
  counted,
  field,
  hidden,
  type Html,
  html,
  id,
  part,
  stackedTable,
  type TableRow,
  verdict,
} from '../../../../platform/html';
import { type NotableKind, notableKinds } from '../../../wallet';
import type { FilterTexts } from '../../view/rounds/filter';
import { filterLabels } from '../../view/rounds/filter';
import type { NotableRow, NotableView } from '../../view/rounds/notable';
import { inZone, type Reader } from '../layout';
import { dayAttributes, fileLinks, linkTo, nextLink, playerLink, roundLink } from '../links';
import { given, purse, stateBadge } from '../words';

const names: Readonly<Record<NotableKind, string>> = {
  won: 'Large wins',
  repaired: 'Repaired',
  voided: 'Voided',
  refused: 'Win refused',
};

/** Links to the notable rounds of all players, by kind. */
export function notableLinks(operatorId: string, here: NotableKind | null): Html {
  const links = notableKinds.map((kind) => {
    return [linkTo('history', { operator: operatorId, kind }), names[kind], kind === here] as const;
  });
  return part('notable', 'Of all players', null, chips('Notable rounds', links));
}

/** How many are on the page, and from when to when all are counted: a list that was cut must not look whole. */
export function notableVerdict(view: NotableView, { times }: Reader): Html {
  const { kind, totals, rounds, next, since, countedUntil } = view;
  if (totals !== 'on') {
    return verdict({ tone: 'note', title: 'No round is listed', text: withoutTotals[totals] });
  }
  const from = since === null ? null : html`Events are counted from ${times.time(since)} on. `;
  const waiting =
    countedUntil === null
      ? null
      : html`Those from ${times.time(countedUntil)} on wait to be counted.`;
  const number = rounds.length === 0 ? 'none' : counted(rounds.length, 'round');
  const title = `${names[kind]}: ${number}${next === null ? '' : ' on this page, older ones below'}`;
  return verdict({ tone: 'note', title, text: html`${from}${waiting}` });
}

/** The notable rounds of a kind; nothing where none are kept. */
export function notableList(
  operatorId: string,
  view: NotableView,
  filter: FilterTexts,
  reader: Reader & { readonly mayExport: boolean },
): Html | null {
  const { kind, totals, rounds, next } = view;
  if (totals !== 'on') return null;
  const { from, to } = filter;
  const labels = filterLabels(reader.booksZone);
  const asked = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const query = { operator: operatorId, kind };
  const older = next === null ? null : linkTo('history', { ...query, ...asked, rounds: next });
  const form = html`<form method="get" action="history" class="card">
${hidden(query)}${field(labels.from, 'from', dayAttributes(from))}
${field(labels.to, 'to', dayAttributes(to))}
<button class="main">Show</button></form>`;
  const began = inZone('began', reader);
  const drawn = stackedTable(
    `${names[kind]}, the newest first`,
    ['round', 'player', began, 'game', 'state', '#taken', '#given', '#result'],
    rounds.map((one) => rowOf(one, reader)),
    'No such round was counted.',
  );
  return html`${form}<p class="tools">${fileLinks(reader.mayExport, 'notable', { ...query, ...asked })}</p>${drawn}<p class="dim">${meanings[kind]} Rounds that began more than 400 days ago are not listed.</p>${nextLink(older, 'Older rounds')}`;
}

const withoutTotals: Readonly<Record<Exclude<NotableView['totals'], 'on'>, Html>> = {
  off: html`Start the wallet with <code>serve --totals</code>: from then on such rounds are listed. The rounds of one player are listed without it.`,
  empty: html`The totals are on, and begin with the first round or movement of cash that is counted.`,
  missing: html`This store keeps no totals. The rounds of one player are listed without them.`,
};

function rowOf({ beganAt, round, ...key }: NotableRow, { times }: Reader): TableRow {
  const start = [roundLink(key), playerLink(key), times.time(beganAt)];
  if (round === null) return [...start, null, 'deleted since', null, null, null];
  const { gameCode, state, debits, currency, result, isRepaired = false } = round;
  return [
    ...start,
    gameCode === null ? null : id(gameCode),
    html`<span>${stateBadge(state)}${isRepaired ? html` ${stateBadge('repaired')}` : null}</span>`,
    purse(debits, currency ?? ''),
    given(round),
    currency === null ? null : amountText(result, currency, 'always'),
  ];
}

const meanings: Readonly<Record<NotableKind, Html>> = {
  won: html`A round is listed if it gave so much as <code>serve --notable-from</code> said when it was counted; without the flag none is.`,
  repaired: html`Rounds for which people paid by a repair.`,
  voided: html`Rounds that were voided as a whole.`,
  refused: html`Rounds that were stranded or crashed, since a win was refused for good, whatever became of them.`,
};
