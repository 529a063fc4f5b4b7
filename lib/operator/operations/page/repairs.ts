import {
  facts,
  field,
  hidden,
  type Html,
  html,
  type HtmlPart,
  section,
  select,
  table,
  type TableRow,
} from '../../../platform/html';
import type { RepairJson, RoundJson } from '../../wallet';
import type { Person } from '../configuration/person';
import {
  id,
  idAttributes,
  nextLink,
  timeOf,
  ageOf,
  linkTo,
  operatorLinks,
  type PageBody,
  playerLink,
  roundLink,
} from './layout';
import type { AttentionRow, AttentionView } from '../view/attention';
import type { RepairRow, RepairsView } from '../view/repairs';

/** What a person may do with a round's repairs. */
export interface RepairActions {
  readonly person: Person;
  /** Whether the store keeps repairs. */
  readonly keepsRepairs: boolean;
  /** The time of the page: ISO 8601, UTC. */
  readonly asOf: string;
}

const names: Readonly<Record<RepairJson['kind'], string>> = {
  pay: 'pay: give the player the credit that was refused',
  resolve: 'resolve: settled elsewhere, no money moves here',
  void: 'void: undo the debit',
};

/** What was proposed and done, and the forms of what this person may do. */
export function repairsOfRound(round: RoundJson, actions: RepairActions): Html | null {
  const { keepsRepairs, person, asOf } = actions;
  const repairs = round.repairs ?? [];
  const isStuck = ['cancelled', 'stranded', 'crashed'].includes(round.state);
  if (repairs.length === 0 && !isStuck) return null;
  const open = repairs.find((one) => isOpen(one, asOf));
  const shown = repairs.map(
    (one) =>
      html`<li>${repairFacts(one, asOf)}${isOpen(one, asOf) ? decide(round, one, person) : null}</li>`,
  );
  const form =
    !isStuck || open !== undefined
      ? null
      : keepsRepairs
        ? proposeForm(round, person)
        : html`<p class="dim">This store keeps no repairs.</p>`;
  return section(
    'repairs',
    'Repairs',
    html`${shown.length === 0 ? null : html`<ul class="cards">${shown}</ul>`}${form}`,
  );
}

/** Whether a proposal can still be approved, as far as the round says. */
function isOpen({ status, expiresAt }: RepairJson, asOf: string): boolean {
  return status === 'proposed' && expiresAt > asOf;
}

function repairFacts(repair: RepairJson, asOf: string): Html {
  const { kind, status, hash, amount, currency = '', moves, reference, reason } = repair;
  const { proposedBy, proposedAt, expiresAt, decidedBy, decidedAt, note } = repair;
  const isExpired = status === 'proposed' && expiresAt <= asOf;
  const optional: readonly (readonly [string, HtmlPart])[] = [
    ...(hash === undefined ? [] : [['hash', id(hash)] as const]),
    ...(reference === undefined ? [] : [['settled as', id(reference)] as const]),
  ];
  const decision: readonly (readonly [string, HtmlPart])[] =
    decidedBy === undefined || decidedAt === undefined
      ? [['expires', html`${timeOf(expiresAt)} UTC`]]
      : [['decided by', html`${nameOf(decidedBy)}, ${timeOf(decidedAt)} UTC`]];
  return facts([
    ['repair', names[kind]],
    ['status', isExpired ? 'expired' : status],
    ['amount', `${amount} ${currency}`],
    ['moves, real', moves.real],
    ['moves, bonus', moves.bonus],
    ...optional,
    ['reason', id(reason)],
    ['proposed by', html`${nameOf(proposedBy)}, ${timeOf(proposedAt)} UTC`],
    ...decision,
    ...(note === undefined ? [] : [['note', id(note)] as const]),
  ]);
}

/** The id is what counts: two people may have one name. */
function nameOf(person: { readonly id: string; readonly name: string | null }): Html {
  return person.name === null ? id(person.id) : html`${id(person.name)} (${id(person.id)})`;
}

function decide(round: RoundJson, repair: RepairJson, { may }: Person): Html {
  const named = hidden({ ...idsOf(round), repair: repair.id });
  const approval = may.includes('approve')
    ? html`<form method="post" action="approve">${named}<button>Approve and make the repair</button></form>`
    : null;
  const rejection =
    may.includes('approve') || may.includes('propose')
      ? html`<form method="post" action="reject">${named}${field('Why not', 'reason', html`required minlength="10" maxlength="500"`)}<button>Reject</button></form>`
      : null;
  return html`${approval}${rejection}`;
}

function proposeForm(round: RoundJson, { may }: Person): Html | null {
  if (!may.includes('propose')) return null;
  return html`<p>A proposal moves nothing: it is approved within a day, by another person unless the amount is small enough for one.</p>
<form method="post" action="propose">${hidden(idsOf(round))}
${select('Repair', 'kind', Object.entries(names))}
${field('Hash, if several fit', 'hash', idAttributes)}
${field('Settled as, for resolve', 'reference', idAttributes)}
<label>Why, 10 to 500 characters<textarea name="reason" required minlength="10" maxlength="500" rows="3" cols="40"></textarea></label>
<button>Propose</button></form>`;
}

function idsOf({ operatorId, playerId, gameRound }: RoundJson): Record<string, string> {
  return { operator: operatorId, player: playerId, round: gameRound };
}

/** The proposals that wait for a person, each with the round where it is decided. */
export function proposalsPage(
  { rows, asOf, next, isWhole }: AttentionView,
  person: Person,
): PageBody {
  return {
    title: 'Repairs',
    body: html`<p>Repairs that wait for approval. Each is decided on the page of its round, which shows what it moves and why. <a href="repair-log">All repairs</a> has those that were decided too.</p>
${isWhole ? null : html`<p class="notice bad">The store took too long to list all: there may be more.</p>`}
${table(
  'Repairs that wait for approval',
  ['age', 'repair', '#at stake', 'currency', 'proposed by', 'round', 'player'],
  rows.map((row) => proposalRow(row, asOf, person)),
  'No repair waits for approval.',
)}${nextLink(next === null ? null : linkTo('repairs', { after: next }), 'Next page')}`,
  };
}

function proposalRow(row: AttentionRow, asOf: string, person: Person): TableRow {
  const { proposal, atStake, currency } = row;
  const by = proposal?.by;
  return [
    proposal === null ? null : ageOf(proposal.at, asOf),
    proposal?.kind,
    atStake ?? 'unknown',
    currency,
    by === undefined ? null : html`${id(by.name ?? by.id)}${by.id === person.id ? ' (you)' : ''}`,
    roundLink(row),
    playerLink(row),
  ];
}

/** The outcome of a repair, in words. */
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

/** Every repair of an operator, with its outcome; null where the store does not list them. */
export function repairLogPage(view: RepairsView | null, operators: readonly string[]): PageBody {
  const title = 'All repairs';
  if (view === null) {
    return {
      title,
      body: html`<p>This store does not list repairs: each is on the page of its round.</p>`,
    };
  }
  const { operatorId, repairs, next } = view;
  const older = next === null ? null : linkTo('repair-log', { operator: operatorId, from: next });
  return {
    title,
    body: html`<p>Every repair that was ever proposed, the latest first, with who proposed it, who decided it and why. Times are in UTC.</p>
${operatorLinks('repair-log', operatorId, operators)}
${table(
  'All repairs, the latest proposal first, times in UTC',
  [
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
  repairs.map(repairRow),
  'No repair was proposed.',
)}${nextLink(older, 'Older repairs')}`,
  };
}

function repairRow(row: RepairRow): TableRow {
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
