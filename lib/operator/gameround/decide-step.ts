import type { Transaction } from '../../protocol/operator-api';
import { decideCredit } from './credit';
import { decideDebit } from './debit';
import { Draft } from './draft';
import { decideEnd } from './end';
import type { RoundChange, RoundHead, RoundView } from './round';
import type { DecideContext, Ruling, Verdict } from './verdict';
import { decideVoid } from './void';

/** How far a call has been processed; it begins with {@link callStart}. */
export interface CallProgress {
  /** Index of the next transaction. */
  readonly at: number;
  /** Whether an earlier debit of the call failed (D4.5). */
  readonly failedDebit: boolean;
  /** The latest debit before it in the call, if that is a processed follow-up (D5.3). */
  readonly debit: string | null;
}

/** The progress of a call before its first decision. */
export const callStart: CallProgress = Object.freeze({
  at: 0,
  failedDebit: false,
  debit: null,
});

/** One commit of a call. Most calls are one step. */
export interface Step {
  readonly verdicts: readonly Verdict[];
  /** Null if there is nothing new to write: every hash is known. */
  readonly change: RoundChange | null;
  /** The round after the step, as far as the rules know it. */
  readonly head: RoundHead;
  readonly next: CallProgress;
  readonly notes: readonly string[];
}

/** The context of a step; the call and its progress add the rest. */
export type StepContext = Omit<DecideContext, 'failedDebit' | 'holdsDebit'>;

/**
 * Decides transactions in their order (operator-api 4.1, rule 1) from `progress` on: up to the end of the
 * call, to one whose outcome is unknown, or to one that depends on how a debit of this step was paid,
 * which only its commit shows. What comes before a refused one stays processed (D4.6). New voids get a step of their own, so that a change either moves money
 * forward or takes it back.
 */
export function decideStep(
  transactions: readonly Transaction[],
  progress: CallProgress,
  view: RoundView,
  context: StepContext,
): Step {
  const { gameCode, delivery } = context;
  const first = transactions[0] as Transaction;
  const draft = new Draft(view, { gameCode, first, delivery }, progress.debit);
  const holdsDebit = transactions.some(({ type }) => type === 'debit');
  let { at } = progress;
  // A debit of the call that was voided since failed for the RGS: what is behind it was never played
  // (D5.3).
  const isVoided = progress.debit !== null && draft.entry(progress.debit)?.void !== undefined;
  let failedDebit = progress.failedDebit || isVoided;
  let inCall = contextOf(context, failedDebit, holdsDebit);
  for (; at < transactions.length; at++) {
    const transaction = transactions[at] as Transaction;
    if (draft.takes && dependsOnPayment(transaction, context)) break;
    if (draft.isApartFrom(transaction)) break;
    const ruling = decide(transaction, draft, inCall);
    draft.add(transaction, ruling);
    if (ruling.verdict.outcome === 'unknown') {
      at = transactions.length;
      break;
    }
    if (transaction.type === 'debit' && ruling.verdict.outcome === 'refused' && !failedDebit) {
      failedDebit = true;
      inCall = contextOf(context, failedDebit, holdsDebit);
    }
  }
  const { verdicts, notes, head, debit } = draft;
  return { verdicts, change: draft.change(), head, next: { at, failedDebit, debit }, notes };
}

/** Listed one by one: V8 copies an object slowly if the copy gains a member. */
function contextOf(
  { gameRound, gameCode, now, delivery, refusals, eligibleDiscounts, policy }: StepContext,
  failedDebit: boolean,
  holdsDebit: boolean,
): DecideContext {
  return {
    gameRound,
    gameCode,
    now,
    failedDebit,
    holdsDebit,
    delivery,
    refusals,
    eligibleDiscounts,
    policy,
  };
}

function decide(transaction: Transaction, draft: Draft, context: DecideContext): Ruling {
  const entry = draft.entry(transaction.hash);
  switch (transaction.type) {
    case 'debit':
      return decideDebit(transaction, draft.head, entry, context);
    case 'credit':
      return decideCredit(transaction, draft.head, entry, context);
    case 'end':
      return decideEnd(transaction, draft.head, entry, context);
    case 'void':
      return decideVoid(transaction, draft.head, (hash) => draft.entry(hash), context);
  }
}

/** A void gives back what the debit took; a credit by shares follows the debits. */
function dependsOnPayment(transaction: Transaction, context: StepContext): boolean {
  if (transaction.type === 'void') return true;
  return transaction.type === 'credit' && context.policy.creditTo === 'stakeShares';
}
