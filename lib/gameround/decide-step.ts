import type { Transaction } from '../protocol';
import { decideCredit } from './credit';
import { decideDebit } from './debit';
import { decideEnd } from './end';
import { knownOf } from './pending';
import {
  type HashEntry,
  type Movement,
  type NewRecord,
  type RoundChange,
  type RoundHead,
  type RoundView,
  withRecord,
} from './round';
import type { DecideContext, Ruling, Verdict } from './verdict';
import { decideVoid } from './void';

/** How far a call has come; a call begins with {@link callStart}. */
export interface CallProgress {
  /** Index of the next transaction. */
  readonly at: number;
  /** Whether a debit failed before it in the call (D4.5). */
  readonly failedDebit: boolean;
}

/** The progress of a call of which nothing was decided. */
export const callStart: CallProgress = Object.freeze({ at: 0, failedDebit: false });

/** What one commit of a call does. Most calls are one step. */
export interface Step {
  readonly verdicts: readonly Verdict[];
  /** Null where nothing new is to be written: every hash is known. */
  readonly change: RoundChange | null;
  /** The round after it, as far as the rules know it. */
  readonly head: RoundHead;
  readonly next: CallProgress;
  readonly notes: readonly string[];
}

/** The context of a step; the progress brings `failedDebit`. */
export type StepContext = Omit<DecideContext, 'failedDebit'>;

/**
 * Decides transactions in their order (operator-api 4.1, rule 1) from `progress` on: up to the
 * end of the call, to one whose outcome is unknown, or to one that needs to know how a debit of
 * this step was paid, which only its commit tells. Voids are written apart from all else, so that
 * a change either moves money on or takes it back.
 */
export function decideStep(
  transactions: readonly Transaction[],
  progress: CallProgress,
  view: RoundView,
  context: StepContext,
): Step {
  const draft = new Draft(view, context.gameCode);
  let { at, failedDebit } = progress;
  let inCall = contextOf(context, failedDebit);
  for (; at < transactions.length; at++) {
    const transaction = transactions[at] as Transaction;
    if (draft.takes && dependsOnPayment(transaction, context)) break;
    if (draft.isApartFrom(transaction)) break;
    const ruling = decide(transaction, draft, inCall);
    draft.add(transaction.hash, ruling);
    if (ruling.verdict.outcome === 'unknown')
      return draft.step({ at: transactions.length, failedDebit });
    if (transaction.type === 'debit' && ruling.verdict.outcome === 'refused' && !failedDebit) {
      failedDebit = true;
      inCall = contextOf(context, failedDebit);
    }
  }
  return draft.step({ at, failedDebit });
}

/** Named one by one: V8 is slow to make a copy that gains a member. */
function contextOf(context: StepContext, failedDebit: boolean): DecideContext {
  const { gameRound, gameCode, now, refusals, eligibleDiscounts, policy } = context;
  return { gameRound, gameCode, now, failedDebit, refusals, eligibleDiscounts, policy };
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
      return decideVoid(transaction, draft.head, entry, context);
  }
}

/** A void gives back what the debit took, and a credit by shares follows the debits. */
function dependsOnPayment(transaction: Transaction, context: StepContext): boolean {
  if (transaction.type === 'void') return true;
  return transaction.type === 'credit' && context.policy.creditTo === 'stakeShares';
}

/** The round as it becomes while a step is decided. */
class Draft {
  head: RoundHead;
  takes = false;
  private readonly fresh = new Map<string, HashEntry>();
  private readonly verdicts: Verdict[] = [];
  private readonly records: NewRecord[] = [];
  private readonly movements: Movement[] = [];
  private readonly notes: string[] = [];

  constructor(
    private readonly view: RoundView,
    private readonly gameCode: string,
  ) {
    this.head = view.head;
  }

  entry(hash: string): HashEntry | undefined {
    return this.fresh.get(hash) ?? knownOf(this.view, hash);
  }

  add(hash: string, { verdict, head, record, movement, note }: Ruling): void {
    this.verdicts.push(verdict);
    this.head = head;
    if (record !== undefined) {
      this.fresh.set(hash, withRecord(this.entry(hash), record));
      this.records.push({ hash, record });
    }
    if (movement !== undefined) this.movements.push(movement);
    if (movement?.kind === 'take') this.takes = true;
    if (note !== undefined) this.notes.push(note);
  }

  /** Whether this step writes voids and the transaction is none, or the other way round. */
  isApartFrom({ type }: Transaction): boolean {
    const [written] = this.records;
    return written !== undefined && (written.record.type === 'void') !== (type === 'void');
  }

  step(next: CallProgress): Step {
    const { verdicts, head, notes } = this;
    return { verdicts, change: this.change(), head, next, notes };
  }

  private change(): RoundChange | null {
    if (this.records.length === 0) return null;
    const before = this.view.head;
    const after = {
      ...this.head,
      version: before.version + 1,
      gameCode: before.gameCode ?? this.gameCode,
    };
    return { before, after, records: this.records, movements: this.movements };
  }
}
