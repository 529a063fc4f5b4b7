import type { Transaction } from '../../protocol/operator-api/transaction';
import { fingerprintsOf } from './admission';
import { decideCredit } from './credit';
import { decideDebit, isSameDebit } from './debit';
import { type DecideContext, type Delivery, enter, type Ruling, type Verdict } from './verdict';
import { Draft } from './draft';
import { decideEnd } from './end';
import { knownOf, pendingPostOf } from './pending';
import type { RoundChange } from './change';
import type { RoundHead, RoundView } from './round';
import { decideVoid, isEffective } from './void';

/** How far a call has been processed; it begins with {@link callStart}. */
export interface CallProgress {
  /** Index of the next transaction. */
  readonly at: number;
  /** Whether an earlier debit of the call failed (D4.5). */
  readonly failedDebit: boolean;
  /** Whether a new debit of the call is committed: it can no longer fail with a later one (D4.6). */
  readonly debitStands: boolean;
  /** Whether its first debit is older than what the wallet remembers: then only voids are written (D10.2). */
  readonly isForgotten: boolean;
  /** Whether another delivery of the call, under the same signature, had written of it before this one did. */
  readonly isCopy: boolean;
  /** The latest debit before that transaction, if it is a processed follow-up (D5.3). */
  readonly debit: string | null;
}

/** The progress of a call before its first decision. */
export const callStart: CallProgress = Object.freeze({
  at: 0,
  failedDebit: false,
  debitStands: false,
  isForgotten: false,
  isCopy: false,
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
 * Decides transactions in their order (operator-api 4.1, rule 1) from `progress` on: up to the end of the call,
 * to a transaction with an unknown outcome, or to one that depends on how a debit of this step was paid, which
 * only the commit shows. New voids get a separate step, so that a change either moves money forward or takes it
 * back. If a debit fails, the new debits of the step fail too; if one of an earlier step is committed, the
 * outcome is unknown (D4.6).
 */
export function decideStep(
  transactions: readonly Transaction[],
  progress: CallProgress,
  view: RoundView,
  context: StepContext,
): Step {
  return decideUnless(null, transactions, progress, view, context);
}

/** A debit that fails after new ones of its step (D4.6). */
interface Failure {
  readonly at: number;
  /** Its ruling while the debits before it were accepted: it has the error id. Null if its record has it. */
  readonly ruling: Ruling | null;
  /** Index of the first new debit of the step. */
  readonly from: number;
}

/** Decides as if no debit failed; if one fails, decides again with that known. */
function decideUnless(
  failure: Failure | null,
  transactions: readonly Transaction[],
  progress: CallProgress,
  view: RoundView,
  context: StepContext,
): Step {
  const { gameCode, delivery } = context;
  const first = transactions[0] as Transaction;
  const draft = new Draft(view, { gameCode, first, delivery }, progress.debit);
  const holdsDebit = transactions.some(({ type }) => type === 'debit');
  let { at, debitStands, isForgotten } = progress;
  const isCopy = progress === callStart ? isKnownCopy(first, view, delivery) : progress.isCopy;
  let firstNew = -1;
  // For the RGS a voided debit of the call has failed: what follows it in the call was never played (D5.3).
  const isVoided = progress.debit !== null && draft.entry(progress.debit)?.void !== undefined;
  let failedDebit = progress.failedDebit || isVoided;
  let inCall = contextOf(context, failedDebit, holdsDebit);
  const failOthers = (): void => {
    failedDebit = true;
    inCall = contextOf(context, failedDebit, holdsDebit);
  };
  for (; at < transactions.length; at++) {
    const transaction = transactions[at] as Transaction;
    if ((draft.takes && dependsOnPayment(transaction, context)) || draft.isApartFrom(transaction)) {
      const failed = firstNew < 0 || failure !== null ? -1 : failsByRecord(transactions, at, view);
      if (failed < 0) break;
      const known = { at: failed, ruling: null, from: firstNew };
      return decideUnless(known, transactions, progress, view, context);
    }
    if (at === failure?.from) failOthers();
    const decided = decide(transaction, draft, inCall);
    const ruling = failure === null ? decided : fallen(decided, at, failure, draft.head, inCall);
    const { verdict } = ruling;
    if (transaction.type === 'debit' && verdict.outcome === 'refused') {
      const isNew = !verdict.replay;
      if (debitStands || (isNew && isCopy && stands(transactions.slice(0, at), view)))
        return unknownFrom(draft, verdict.hash, transactions, progress, view, context);
      if (firstNew >= 0) {
        const failed = { at, ruling, from: firstNew };
        return decideUnless(failed, transactions, progress, view, context);
      }
      if (!failedDebit) failOthers();
    } else if (transaction.type === 'debit' && verdict.outcome === 'processed') {
      if (isWritten(verdict.hash, view, delivery)) debitStands = true;
      else if (!verdict.replay && firstNew < 0) firstNew = at;
    }
    if (verdict.outcome === 'refused' && verdict.code === 'DEBITEXPIRED') isForgotten = true;
    draft.add(transaction, isForgotten ? unwritten(ruling, transaction) : ruling);
    if (verdict.outcome === 'unknown') {
      at = transactions.length;
      break;
    }
  }
  const { verdicts, notes, head, debit } = draft;
  const next = {
    at,
    failedDebit,
    debitStands: debitStands || firstNew >= 0,
    isForgotten,
    isCopy,
    debit,
  };
  return { verdicts, change: draft.change(), head, next, notes };
}

/**
 * What a failed debit takes with it (D4.6): the round of a first debit is closed (D4.2); the failed debit is
 * refused with its own error id, and noted if the wallet declined it (D4.5).
 */
function fallen(
  decided: Ruling,
  at: number,
  { at: failedAt, ruling, from }: Failure,
  head: RoundHead,
  { now }: DecideContext,
): Ruling {
  const isOfRound = at === from && head.state === 'none';
  if (isOfRound) return { ...decided, head: enter(head, 'closed', now) };
  const { verdict } = decided;
  // Rulings that come before a failed debit in precedence are made again (D4.10).
  const isDecided = verdict.outcome !== 'refused' || verdict.code !== 'DEBITFAILEDBEFORE';
  if (at !== failedAt || ruling === null || isDecided || verdict.replay) return decided;
  const { hash } = verdict;
  const isDeclined = ruling.head.declined === hash;
  return { ...ruling, head: isDeclined ? { ...head, declined: hash } : head };
}

/**
 * Index of the first debit from `at` on that fails by what is on record of its hash: its refusal, its void, or other content
 * (D3.2); -1 without one. The call fails with it, so no part of the call is committed before it (D4.6, P10).
 */
function failsByRecord(transactions: readonly Transaction[], at: number, view: RoundView): number {
  return transactions.findIndex((one, index) => {
    if (index < at || one.type !== 'debit') return false;
    const { transaction, void: voided } = knownOf(view, one.hash) ?? {};
    if (transaction === undefined || voided !== undefined) return voided !== undefined;
    return !isSameDebit(one, transaction, view.head) || !isEffective(transaction);
  });
}

/** Of a round that may have been forgotten only voids are written: the answers can only stay the same (D10.2). */
function unwritten(ruling: Ruling, { type }: Transaction): Ruling {
  if (type === 'void') return ruling;
  const { verdict, head } = ruling;
  return { verdict, head };
}

/**
 * Whether a processed debit of the call was written before this step: by a commit in doubt, or as pending work
 * that may be posted.
 */
function isWritten(hash: string, view: RoundView, { id }: Delivery): boolean {
  const known = knownOf(view, hash)?.transaction;
  return known?.type === 'debit' && (known.outcome === 'pending' || known.delivery === id);
}

/** Whether the record of the call's first hash names its signature: another delivery of the call has written it (D1.8). */
function isKnownCopy(first: Transaction, view: RoundView, { id, fingerprint }: Delivery): boolean {
  const known = knownOf(view, first.hash);
  if (known === undefined || fingerprint === null || isOwnWork(first.hash, view, id)) return false;
  return fingerprintsOf(known).includes(fingerprint);
}

/** Whether this delivery wrote the hash as pending: it is decided again once the ledger has refused one of its debits. */
function isOwnWork(hash: string, { head }: RoundView, id: string): boolean {
  const posts = pendingPostOf(head, hash) === undefined ? [] : (head.pending?.posts ?? []);
  return posts.some(({ record }) => record.type === 'debit' && record.delivery === id);
}

/**
 * Whether a debit of these is committed. What the other delivery of a call could not take it leaves unrecorded (D4.6): a
 * copy that answers for good would keep the stake of a call that the RGS cancels.
 */
function stands(before: readonly Transaction[], view: RoundView): boolean {
  return before.some(({ hash, type }) => {
    const known = knownOf(view, hash);
    const isAccepted = type === 'debit' && known?.transaction?.outcome === 'accepted';
    return isAccepted && known?.void === undefined;
  });
}

/** A step without an outcome (D7), which ends the call: of the rest only the voids are written (D4.6). */
function unknownFrom(
  { verdicts }: Draft,
  hash: string,
  transactions: readonly Transaction[],
  { at, debit }: CallProgress,
  view: RoundView,
  context: StepContext,
): Step {
  const { gameCode, delivery } = context;
  const first = transactions[0] as Transaction;
  const draft = new Draft(view, { gameCode, first, delivery }, debit);
  const voids = transactions.slice(at).filter(({ type }) => type === 'void');
  const inCall = contextOf(context, false, true);
  for (const one of voids) draft.add(one, decide(one, draft, inCall));
  const fresh = verdicts.findIndex((one) => one.outcome === 'unknown' || !one.replay);
  const known = fresh < 0 ? verdicts : verdicts.slice(0, fresh);
  return {
    verdicts: [...known, { hash, outcome: 'unknown' }],
    change: voids.length === 0 ? null : draft.change(),
    head: draft.head,
    next: { ...callStart, at: transactions.length },
    notes: draft.notes,
  };
}

/** Listed one by one: V8 copies an object slowly if the copy gains a member. */
function contextOf(context: StepContext, failedDebit: boolean, holdsDebit: boolean): DecideContext {
  const { gameRound, gameCode, now, delivery, refusals, eligibleDiscounts, policy } = context;
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
    forgottenBefore: context.forgottenBefore,
    disallowed: context.disallowed,
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
