import { addPurses, type Purse } from '../../protocol/money/purse';
import type { Movement, NewRecord, RoundChange } from './change';
import { type RoundHead, type RoundView, unseenRound } from './round';
import type { Call, Transaction } from '../../protocol/operator-api/transaction';
import { admit } from './admission';
import { callStart, decideStep, type Step, type StepContext } from './decide-step';
import type { MoneyPolicy } from './verdict';

/**
 * What a call adds to a running round that was not read. The decision holds for each head of `isOfClass`,
 * whatever its sums and counts. Not a head: nothing here may replace what the round has.
 */
export interface FollowUp {
  /** Each hash of the call once, in order: the round must know none of them, as transaction or as void. */
  readonly hashes: readonly string[];
  /** The round's currency. */
  readonly currency: string;
  /** The round's game. */
  readonly gameCode: string;
  /** Whether the round is closed after it. */
  readonly closes: boolean;
  /** Credits that it accepts, and ends: added to the head's. */
  readonly credited: number;
  readonly ended: number;
  /** When the round was closed, if it is, in milliseconds since 1970. */
  readonly changedAt: number;
  /** What its credits give, in units: added to the head's. */
  readonly credits: Purse;
  /** One record for each hash, none of them rewritten. */
  readonly records: readonly NewRecord[];
  /** `take` and `give`; what the takes took is added to the head's debits. */
  readonly movements: readonly Movement[];
}

/**
 * What a head must have for a follow-up, besides its currency and game. Version, times, counts, sums and
 * `resume` are ignored: the round may have been cancelled before.
 */
const runningClass = Object.freeze({
  state: 'open',
  started: true,
  declined: null,
  unanswered: 0,
  pending: null,
  repairs: undefined,
} as const) satisfies Partial<Record<keyof RoundHead, unknown>>;

const { state, started, declined, unanswered, pending } = runningClass;
const running: RoundHead = {
  ...unseenRound,
  version: 1,
  state,
  started,
  declined,
  unanswered,
  pending,
};

/** A head of the class without sums: to decide on, never to write. */
export function runningHead({
  currency,
  gameCode,
}: Pick<FollowUp, 'currency' | 'gameCode'>): RoundHead {
  return { ...running, currency, gameCode };
}

const members = Object.keys(runningClass) as (keyof typeof runningClass)[];

/** Whether a head is one that the follow-up was decided for. */
export function isOfClass(
  head: RoundHead,
  { currency, gameCode }: Pick<FollowUp, 'currency' | 'gameCode'>,
): boolean {
  if (head.currency !== currency || head.gameCode !== gameCode) return false;
  return members.every((member) => head[member] === runningClass[member]);
}

/** The head after a follow-up, without the amounts of its takes. */
export function followUpOn(head: RoundHead, followUp: FollowUp): RoundHead {
  const { closes, credited, ended, changedAt, credits } = followUp;
  return {
    ...head,
    version: head.version + 1,
    state: closes ? 'closed' : 'open',
    changedAt: closes ? changedAt : head.changedAt,
    credited: head.credited + credited,
    ended: head.ended + ended,
    credits: addPurses(head.credits, credits),
  };
}

/**
 * The follow-up as a change of this round, for a store that reads the round and the entries in the step that
 * commits. Null if it was not decided for such a round.
 */
export function changeOf(followUp: FollowUp, { head, entries }: RoundView): RoundChange | null {
  if (!isOfClass(head, followUp)) return null;
  if (followUp.hashes.some((hash) => entries.has(hash))) return null;
  const { records, movements } = followUp;
  return { before: head, after: followUpOn(head, followUp), records, movements };
}

/**
 * The round that a call is decided on without reading it: running, and with none of the call's hashes. {@link
 * followUpOf} gives the same for every head of the class. Null for a call whose decision needs more of the
 * head: with a void, a debit that opens a round, credits by the shares of its debits, two currencies, or none.
 */
export function assumeRunning(
  { transactions, gameCode }: Call,
  policy: MoneyPolicy,
): RoundView | null {
  let currency: string | null = null;
  for (const transaction of transactions) {
    if (!canFollow(transaction, policy)) return null;
    if (transaction.type === 'end') continue;
    currency ??= transaction.currency;
    if (transaction.currency !== currency) return null;
  }
  if (currency === null) return null;
  return { head: runningHead({ currency, gameCode }), entries: new Map() };
}

function canFollow(transaction: Transaction, policy: MoneyPolicy): boolean {
  switch (transaction.type) {
    case 'debit':
      return transaction.isFirstDebit !== true;
    case 'credit':
      return policy.creditTo === 'real';
    case 'end':
      return true;
    case 'void':
      return false;
  }
}

/**
 * What a step that was decided on {@link assumeRunning} writes to any round of the class. Null if it is not the
 * whole call, writes nothing, refuses or leaves out anything, or leaves the round neither open nor closed
 * within the class: then the round must be read.
 */
export function followUpOf(step: Step, { transactions }: Call): FollowUp | null {
  const { change, verdicts, next } = step;
  if (change === null || next.at !== transactions.length) return null;
  if (verdicts.length !== transactions.length) return null;
  if (!verdicts.every(({ outcome }) => outcome === 'processed')) return null;
  const { after, records, movements } = change;
  if (after.currency === null || after.gameCode === null || after.declined !== null) return null;
  if (after.state !== 'open' && after.state !== 'closed') return null;
  if (records.some(({ isRewritten }) => isRewritten === true)) return null;
  if (movements.some(({ kind }) => kind === 'reverse')) return null;
  const hashes = [...new Set(transactions.map(({ hash }) => hash))];
  if (records.length !== hashes.length) return null;
  return {
    hashes,
    currency: after.currency,
    gameCode: after.gameCode,
    closes: after.state === 'closed',
    credited: after.credited,
    ended: after.ended,
    changedAt: after.changedAt,
    credits: after.credits,
    records,
    movements,
  };
}

/** A call decided on a round that was not read. */
interface AssumedStep {
  /** The assumed round, not the real one. */
  readonly view: RoundView;
  readonly step: Step;
  readonly followUp: FollowUp;
}

/** Decides a call on a round that is assumed to be running; null if the round must be read. */
export function decideAssumed(call: Call, context: StepContext): AssumedStep | null {
  const view = assumeRunning(call, context.policy);
  if (view === null || admit(call.transactions, view, context.delivery) !== 'admitted') return null;
  const step = decideStep(call.transactions, callStart, view, context);
  const followUp = followUpOf(step, call);
  return followUp === null ? null : { view, step, followUp };
}
