import { html, type HtmlPart } from '../../../platform/html';
import type { RepairRow, RepairsView } from '../view';
import { id, linkTo, type PageBody, playerLink, roundLink, table, timeOf } from './layout';

/** What became of a repair, in words. */
const words: Readonly<Record<RepairRow['status'], string>> = {
  proposed: 'waits',
  paying: 'approved, being paid',
  done: 'made',
  rejected: 'rejected',
  refused: 'refused by the account',
  takenBack: 'made, taken back by a void',
  stale: 'stale: the round moved',
  expired: 'expired',
};

/** Every repair of an operator, whatever became of it; null where the store does not list them. */
export function repairLogPage(view: RepairsView | null, operators: readonly string[]): PageBody {
  const title = 'All repairs';
  if (view === null) {
    return {
      title,
      body: html`<p>This store does not list repairs: each is on the page of its round.</p>`,
    };
  }
  const { operatorId, repairs, next } = view;
  const others = operators.filter((one) => one !== operatorId);
  const links = others.map(
    (one) => html` <a href="${linkTo('repair-log', { operator: one })}">${id(one)}</a>`,
  );
  const older = next === null ? null : linkTo('repair-log', { operator: operatorId, from: next });
  return {
    title,
    body: html`<p>Every repair that was ever proposed, the latest first, with who proposed it, who decided it and why. Times are in UTC.</p>
${others.length === 0 ? null : html`<p>Of the operator ${id(operatorId)}. Others:${links}</p>`}
${table({
  label: 'All repairs, the latest proposal first, times in UTC',
  columns: [
    'proposed, UTC',
    'proposed by',
    'repair',
    '#amount',
    'currency',
    'outcome',
    'decided, UTC',
    'decided by',
    'why',
    'round',
    'player',
  ],
  groups: repairs.length === 0 ? [] : [repairs.map(rowOf)],
  unless: 'No repair was proposed.',
})}${older === null ? null : html`<p><a href="${older}">Older repairs</a></p>`}`,
  };
}

function rowOf(row: RepairRow): readonly HtmlPart[] {
  const { proposedAt, proposedBy, kind, amount, currency, status, decidedAt, decidedBy } = row;
  const { reason, note, reference } = row;
  return [
    timeOf(proposedAt),
    id(proposedBy.id),
    kind,
    amount,
    currency ?? null,
    words[status],
    decidedAt === undefined ? null : timeOf(decidedAt),
    decidedBy === undefined ? null : id(decidedBy.id),
    html`${id(reason)}${reference === undefined ? null : html` (settled as ${id(reference)})`}${note === undefined ? null : html`; ${id(note)}`}`,
    roundLink(row),
    playerLink(row),
  ];
}
