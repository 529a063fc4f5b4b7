import { type Html, html, type HtmlPart } from '../../../platform/html';
import type { RepairJson, RoundJson } from '../../wallet';
import type { Person } from '../configuration';
import { facts, id, section, timeOf } from './layout';

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
  const hidden = html`${hiddenOf(round)}<input type="hidden" name="repair" value="${repair.id}">`;
  const approval = may.includes('approve')
    ? html`<form method="post" action="approve">${hidden}<button>Approve and make the repair</button></form>`
    : null;
  const rejection =
    may.includes('approve') || may.includes('propose')
      ? html`<form method="post" action="reject">${hidden}<label>Why not<input name="reason" required minlength="10" maxlength="500"></label><button>Reject</button></form>`
      : null;
  return html`${approval}${rejection}`;
}

function proposeForm(round: RoundJson, { may }: Person): Html | null {
  if (!may.includes('propose')) return null;
  const kinds = Object.entries(names).map(
    ([kind, text]) => html`<option value="${kind}">${text}</option>`,
  );
  return html`<p>A proposal moves nothing: it is approved within a day, by another person unless the amount is small enough for one.</p>
<form method="post" action="propose">${hiddenOf(round)}
<label>Repair<select name="kind">${kinds}</select></label>
<label>Hash, if several fit<input name="hash" maxlength="256" autocomplete="off"></label>
<label>Settled as, for resolve<input name="reference" maxlength="256" autocomplete="off"></label>
<label>Why, 10 to 500 characters<textarea name="reason" required minlength="10" maxlength="500" rows="3" cols="40"></textarea></label>
<button>Propose</button></form>`;
}

function hiddenOf({ operatorId, playerId, gameRound }: RoundJson): Html {
  return html`<input type="hidden" name="operator" value="${operatorId}"><input type="hidden" name="player" value="${playerId}"><input type="hidden" name="round" value="${gameRound}">`;
}
