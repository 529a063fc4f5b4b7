import { emptyPurse } from '../../protocol/money/purse';
import type { Credit, Debit, End, Transaction } from '../../protocol/operator-api/transaction';
import { recordOf } from './debit';
import type { Delivery } from './verdict';
import { withFingerprint } from './admission';
import { cancelledHead, giveUpPending, knownOf } from './pending';
import { isStuck } from './repair';
import {
  type DebitRecord,
  type HashEntry,
  noTexts,
  type RecordedOutcome,
  type RoundHead,
  type RoundView,
} from './round';
import type { NewRecord, RoundChange } from './change';

/** What marking a round needs besides the call. */
export interface CancelContext {
  readonly gameCode: string;
  /** Milliseconds since 1970, for the records. */
  readonly now: number;
  /** The delivery that was answered 5xx. */
  readonly delivery: Delivery;
}

/**
 * Marks a round whose call was answered 5xx: it is `cancelled` until each debit of the call is voided (D7). It
 * marks only debits that this delivery wrote, or that are not recorded, so a repeat of an answered call marks
 * nothing. A debit that has not happened can no longer happen: it is recorded as unanswered, and the new
 * version makes a commit in flight stale. New credits and ends after a marked debit are recorded as declined: a
 * resend after the void must not pay a win without a stake. Null if nothing is to be marked.
 */
export function decideCancel(
  transactions: readonly Transaction[],
  view: RoundView,
  context: CancelContext,
): RoundChange | null {
  const before = view.head;
  if (before.state === 'voided') return null;
  const own = new Set(transactions.map(({ hash }) => hash));
  const givenUp = giveUpPending(before, context, ({ hash, record }) => {
    return own.has(hash) && record.type === 'debit' && record.delivery === context.delivery.id;
  });
  const head = givenUp?.after ?? before;
  const records = [...(givenUp?.records ?? [])];
  const marked = new Set(records.map(({ hash }) => hash));
  let unanswered = head.unanswered;
  let { declined } = head;
  const firstHash = transactions[0]?.hash;
  let isBehind = false;
  for (const transaction of transactions) {
    const { type, hash } = transaction;
    if (type === 'void') continue;
    const entry = knownOf(view, hash);
    if (type !== 'debit') {
      if (!isBehind || marked.has(hash) || entry?.transaction !== undefined) continue;
      marked.add(hash);
      records.push({ hash, record: declinedRecord(transaction, context.now) });
      continue;
    }
    isBehind ||= marked.has(hash);
    if (marked.has(hash)) continue;
    const record = markDebit(transaction, head, entry, context, hash === firstHash);
    if (record === null) continue;
    isBehind = true;
    marked.add(hash);
    records.push(record);
    unanswered++;
    if (entry?.transaction === undefined) declined = null; // a debit arrived that was not declined (D4.5)
  }
  if (records.length === 0) return null;
  const version = before.version + 1;
  const after: RoundHead = { ...cancelledHead(head, context), version, unanswered, declined };
  return { before, after, records, movements: [], cause: 'mark' };
}

function markDebit(
  debit: Debit,
  head: RoundHead,
  entry: HashEntry | undefined,
  context: CancelContext,
  isFirstOfCall: boolean,
): NewRecord | null {
  if (entry?.void !== undefined) return null;
  const known = entry?.transaction;
  const { hash } = debit;
  const { id, fingerprint } = context.delivery;
  if (known !== undefined) {
    const isOwn = known.type === 'debit' && known.delivery === id;
    const isToBeMarked = isOwn && (known.outcome === 'accepted' || isDeclined(hash, known, head));
    return isToBeMarked ? { hash, record: { ...known, outcome: 'unanswered' } } : null;
  }
  const first = debit.isFirstDebit ?? !head.started;
  const mayHaveCome = first ? head.state === 'none' : isRunning(head);
  if (!mayHaveCome) return null;
  const record = recordOf(debit, first, 'unanswered', context);
  const isNamed = fingerprint !== null && isFirstOfCall;
  const fingerprints = isNamed ? withFingerprint(noTexts, fingerprint) : noTexts;
  return { hash, record: { ...record, fingerprints } };
}

/** The record of a credit or an end after a debit that waits for its void: it was never played (D4.5). */
function declinedRecord(transaction: Credit | End, at: number): NewRecord['record'] {
  const outcome = 'DEBITFAILEDBEFORE';
  if (transaction.type === 'end') return { type: 'end', outcome, at, fingerprints: noTexts };
  const { currency, amount, serial } = transaction;
  const purse = emptyPurse;
  return { type: 'credit', outcome, currency, amount, serial, purse, at, fingerprints: noTexts };
}

/** Refusals of a first debit that are not by the wallet: they change no state (D4.5). */
const refusedByRound: ReadonlySet<RecordedOutcome> = new Set<RecordedOutcome>([
  'GAMEROUNDALREADYSTARTED',
  'GAMEROUNDNOTACTIVE',
  'GAMEROUNDVOIDED',
  'DEBITFAILEDBEFORE',
  'DISCOUNTNOTELIGIBLE',
]);

/**
 * Whether the wallet declined a debit and the round still shows it, so the RGS has not seen the decline
 * (D4.2, D4.5).
 */
function isDeclined(hash: string, { first, outcome }: DebitRecord, head: RoundHead): boolean {
  if (outcome === 'unanswered' || outcome === 'pending') return false;
  if (head.declined === hash) return true;
  // A later win may have stranded the round that the decline closed (D4.7).
  const isOver = head.state === 'closed' || isStuck(head.state);
  return first && !head.started && isOver && !refusedByRound.has(outcome);
}

/** Whether a follow-up debit could still have arrived. Setting the mark twice must equal setting it once. */
function isRunning(head: RoundHead): boolean {
  return head.state === 'open' || (head.state === 'cancelled' && head.resume === 'open');
}
