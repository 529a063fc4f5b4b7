import type { Call, Transaction } from '../../../protocol/operator-api';
import { admit } from '../admission';
import { callStart, decideStep, type Step, type StepContext } from '../decide-step';
import type { RoundView } from '../round';
import type { MoneyPolicy } from '../verdict';
import { type FollowUp, runningHead } from '../follow-up';

/**
 * The round that a call is decided on without reading it: running, and with none of the call's hashes. What
 * {@link followUpOf} makes of that decision is the same for every head of the class. Null for a call that
 * would be decided by more of the head: with a void, a debit that opens a round, credits by the shares of
 * its debits, two currencies, or none.
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
 * What a step that was decided on {@link assumeRunning} writes to any round of the class. Null if it is not
 * the whole call, writes nothing, refuses or leaves out anything, or leaves the round as none of the class
 * that is open or closed: then the round must be read.
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
export interface AssumedStep {
  /** Not the round: it is only what the step was decided on. */
  readonly view: RoundView;
  readonly step: Step;
  readonly followUp: FollowUp;
}

/** Decides a call on a round that is assumed to be running; null where the round must be read. */
export function decideAssumed(call: Call, context: StepContext): AssumedStep | null {
  const view = assumeRunning(call, context.policy);
  if (view === null || admit(call.transactions, view, context.delivery) !== 'admitted') return null;
  const step = decideStep(call.transactions, callStart, view, context);
  const followUp = followUpOf(step, call);
  return followUp === null ? null : { view, step, followUp };
}
