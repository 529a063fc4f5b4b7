import {
  amountText,
  facts,
  field,
  hidden,
  type Html,
  html,
  type HtmlPart,
  id,
  money,
  part,
  remark,
  select,
  steps,
} from '../../../../platform/html';
import type { RepairJson, RoundJson } from '../../../wallet';
import type { Person } from '../../configuration/person';
import { repairRefusalTexts } from '../../repairs/refusals';
import type { KindOutlook, RepairOutlook } from '../../view/rounds/outlook';
import type { Reader } from '../layout';
import { idAttributes, reasonAttributes, reasonLabel } from '../links';
import { nameOf, repairBadge, said } from '../words';

/** What a person may do with a round's repairs. */
export interface RepairContext {
  readonly person: Person;
  /** Whether the store keeps repairs. */
  readonly keepsRepairs: boolean;
  readonly outlook: RepairOutlook;
  readonly reader: Reader;
}

const names: Readonly<Record<RepairJson['kind'], string>> = {
  pay: 'pay: give the player the credit that was refused',
  resolve: 'resolve: settled elsewhere, no money moves here',
  void: 'void: undo the debit',
};

const stuckStates: ReadonlySet<string> = new Set(['cancelled', 'stranded', 'crashed']);

/** A link to what waits for a decision, or to what this person may propose; null where there is neither. */
export function wayOn(round: RoundJson, context: RepairContext): Html | null {
  const { person, keepsRepairs, reader } = context;
  const waits = (round.repairs ?? []).some((one) => isOpen(one, reader));
  const mayPropose = stuckStates.has(round.state) && keepsRepairs && person.may.includes('propose');
  if (!waits && !mayPropose) return null;
  return html`<a href="#repairs">${waits ? 'A proposal waits for approval' : 'Propose a repair'}</a>`;
}

/** What was proposed and done, and the forms of what this person may do; null for a round that needs nothing. */
export function repairsOfRound(round: RoundJson, context: RepairContext): Html | null {
  const { keepsRepairs, reader } = context;
  const repairs = round.repairs ?? [];
  const isStuck = stuckStates.has(round.state);
  if (repairs.length === 0 && !isStuck) return null;
  const cards = repairs.map((one) => {
    const decision = isOpen(one, reader) ? decide(round, one, context) : null;
    return html`<div class="card">${repairFacts(one, reader)}${decision}</div>`;
  });
  const mayPropose = isStuck && !repairs.some((one) => isOpen(one, reader));
  const form = !mayPropose
    ? null
    : keepsRepairs
      ? proposeForm(round, context)
      : html`<p class="dim">This store keeps no repairs.</p>`;
  if (cards.length === 0 && form === null) return null;
  return part('repairs', repairs.length > 1 ? 'Repairs' : 'Repair', null, html`${cards}${form}`);
}

/** What was proposed and done, without forms; null for a round without repairs. */
export function repairsOnPaper(
  { repairs = [] }: RoundJson,
  { reader }: RepairContext,
): Html | null {
  if (repairs.length === 0) return null;
  const cards = repairs.map((one) => html`<div class="card">${repairFacts(one, reader)}</div>`);
  return part('repairs', repairs.length > 1 ? 'Repairs' : 'Repair', null, html`${cards}`);
}

/** Whether a proposal can still be approved, as far as the round says. */
function isOpen({ status, expiresAt }: RepairJson, { asOf }: Reader): boolean {
  return status === 'proposed' && expiresAt > asOf;
}

function repairFacts(repair: RepairJson, { times, asOf }: Reader): Html {
  const { kind, status, hash, amount, currency = '', moves, reference, reason } = repair;
  const { proposedBy, proposedAt, expiresAt, decidedBy, decidedAt, note } = repair;
  const isExpired = status === 'proposed' && expiresAt <= asOf;
  const bonus =
    moves.bonus === '0' ? null : html` and bonus ${amountText(moves.bonus, currency, 'always')}`;
  const optional: readonly (readonly [string, HtmlPart])[] = [
    ...(hash === undefined ? [] : [['hash', id(hash)] as const]),
    ...(reference === undefined ? [] : [['settled as', id(reference)] as const]),
  ];
  const decision: readonly (readonly [string, HtmlPart])[] =
    decidedBy === undefined || decidedAt === undefined
      ? [['expires', times.time(expiresAt)]]
      : [['decided by', html`${nameOf(decidedBy)}, ${times.time(decidedAt)}`]];
  return html`<p>${repairBadge(isExpired ? 'expired' : status)}</p>${facts([
    ['repair', names[kind]],
    ['at stake', money(amount, currency)],
    ['moves', html`<b>${money(moves.real, currency, 'always')}</b>${bonus}`],
    ...optional,
    ['reason', said(reason)],
    ['proposed by', html`${nameOf(proposedBy)}, ${times.time(proposedAt)}`],
    ...decision,
    ...(note === undefined ? [] : [['note', said(note)] as const]),
  ])}`;
}

function decide(round: RoundJson, repair: RepairJson, { person, outlook }: RepairContext): Html {
  const { may } = person;
  const named = hidden({ ...idsOf(round), repair: repair.id });
  const approval = may.includes('approve')
    ? html`${approvalOf(round, outlook)}<form method="post" action="approve">${named}<button class="main">Approve and make the repair</button></form>`
    : html`<p class="dim">A person with the right to approve decides here.</p>`;
  const rejection =
    may.includes('approve') || may.includes('propose')
      ? html`<form method="post" action="reject">${named}${field('Why not', 'reason', reasonAttributes)}<button>Reject</button></form>`
      : null;
  return html`${approval}${rejection}`;
}

/** Why an approval would be refused now, and what to do; null if it would not. */
function approvalOf(round: RoundJson, { approval, lacks }: RepairOutlook): Html | null {
  if (approval !== null)
    return remark('warn', 'Not by you, or not yet', repairRefusalTexts[approval]);
  if (lacks === null) return null;
  const text = `The player has no ${lacks} account: an approval would be refused.`;
  return html`${remark('warn', 'Not possible yet', text)}${steps([
    openingOf(round, lacks),
    'Then approve here.',
  ])}`;
}

/** How the account that is missing is opened. */
function openingOf({ operatorId, playerId }: RoundJson, currency: string): Html {
  const ids = `--operator ${quoted(operatorId)} --player ${quoted(playerId)}`;
  const command = `rgs-wallet player open ${ids} --currency ${quoted(currency)}`;
  return html`Open the account:<pre tabindex="0">${command}</pre>`;
}

/** An argument as a shell takes it. */
function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The form to propose what can be done; what cannot is said with the reason. */
function proposeForm(round: RoundJson, { person, outlook }: RepairContext): Html | null {
  const { kinds } = outlook;
  const refused = kinds.filter(({ refusal }) => refusal !== null && refusal !== 'hashMissing');
  // A round without a refused win has nothing to pay, now or later.
  const hindered = refused.filter(({ refusal }) => refusal !== 'notStuck');
  const notes = hindered.map(
    ({ kind, refusal }, at) =>
      html`${at === 0 ? null : html`<br>`}<b>${kind}</b>: ${refusal === null ? null : repairRefusalTexts[refusal]}`,
  );
  const opening =
    outlook.lacks === null
      ? null
      : steps([openingOf(round, outlook.lacks), 'Then propose pay here.']);
  const why =
    notes.length === 0
      ? null
      : html`${remark('warn', 'Not possible now', html`${notes}`)}${opening}`;
  if (!person.may.includes('propose')) {
    return html`<div class="card"><p class="dim">A person with the right to propose can repair it here.</p>${why}</div>`;
  }
  const open = kinds.filter((one) => !refused.includes(one));
  if (open.length === 0) return html`<div class="card">${why}</div>`;
  return html`<div class="card">${why}<p>A proposal moves nothing: it is approved within a day, by another person unless the amount is small enough for one.</p>
<form method="post" action="propose">${hidden(idsOf(round))}
${kindChoice(open)}
${field('Hash, if several fit', 'hash', idAttributes)}
${field('Settled as, for resolve', 'reference', idAttributes)}
<label class="wide">${reasonLabel}<textarea name="reason" required minlength="10" maxlength="500" rows="3" cols="30"></textarea></label>
<button class="main">Propose</button></form></div>`;
}

/** Where the win cannot be paid, nothing is chosen beforehand: a void takes money from the player. */
function kindChoice(open: readonly KindOutlook[]): Html {
  const choices = open.map((one) => [one.kind, `${names[one.kind]}${effectOf(one)}`] as const);
  const isPaid = open.some(({ kind }) => kind === 'pay');
  if (isPaid) return select('Repair', 'kind', choices);
  return select('Repair', 'kind', [['', 'choose one'], ...choices], null, true);
}

/** What it would move. */
function effectOf({ amount, currency, refusal, kind }: KindOutlook): string {
  if (refusal === 'hashMissing') return ' (name its hash)';
  if (amount === null || currency === null || kind === 'resolve') return '';
  return ` (${amountText(amount, currency, 'always')} ${currency})`;
}

function idsOf({ operatorId, playerId, gameRound }: RoundJson): Record<string, string> {
  return { operator: operatorId, player: playerId, round: gameRound };
}
