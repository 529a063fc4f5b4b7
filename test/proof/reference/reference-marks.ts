import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import {
  acceptedFirstDebit,
  type Arrival,
  arrivalOf,
  type Delivery,
  isDeclinedByWallet,
  isUnanswered,
  type Log,
  type Mark,
  notedDebit,
  recordOf,
  stateWithoutMarks,
  untilVoidOf,
  unwrittenOf,
  wasAnsweredAgain,
} from './reference-log';
import { standingOf, stateOf } from './reference-repairs';

/**
 * What a delivery writes that was answered 5xx (D7). It marks the debits that it wrote itself, and those that nobody wrote.
 * A debit that another delivery of the call was answered for since is not its own any more: the RGS may have that answer.
 * What is new behind the debits that it marks is declined, in the order of the call.
 */
export function marksOf(log: Log, gameRound: string, delivery: Delivery): (Mark | Arrival)[] {
  if (stateOf(log, gameRound) === 'voided') return [];
  const written: (Mark | Arrival)[] = [];
  for (const [position, one] of delivery.transactions.entries()) {
    const known = [...log, ...written];
    const arrival = arrivalOf(delivery, position, one);
    if (isMarkedBy(one, log, gameRound, delivery)) {
      if (recordOf(known, one.hash) === recordOf(log, one.hash))
        written.push(...markOf(one, known));
    } else if (written.length > 0 && isNewBehind(arrival, known)) {
      written.push({ ...arrival, isNew: true, answer: 9004 });
    }
  }
  return written;
}

function isMarkedBy(one: Transaction, log: Log, gameRound: string, { id }: Delivery): boolean {
  if (one.type !== 'debit' || untilVoidOf(log, one.hash) !== null) return false;
  if (isUnanswered(log, one.hash)) return false; // it is marked
  const record = recordOf(log, one.hash);
  if (record === undefined) return mayStillCome(one.isFirstDebit, log, gameRound);
  if (record.delivery.id !== id) return false;
  return !wasAnsweredAgain(log, record) && showsInRound(record, log);
}

function markOf(one: Transaction, log: Log): Mark[] {
  if (one.type !== 'debit') return [];
  const record = recordOf(log, one.hash);
  const isFirst = record?.isFirst ?? one.isFirstDebit ?? acceptedFirstDebit(log) === undefined;
  return [{ unanswered: one, isUnwritten: record === undefined, isFirst }];
}

/** Whether it is a credit or an end that nothing is known of. */
function isNewBehind({ transaction: { type, hash } }: Arrival, log: Log): boolean {
  if (type !== 'credit' && type !== 'end') return false;
  return recordOf(log, hash) === undefined && unwrittenOf(log, hash) === undefined;
}

/** Whether a debit that nobody wrote would be processed, were it to come now (D7). */
function mayStillCome(isFirstDebit: boolean | null, log: Log, gameRound: string): boolean {
  const isFirst = isFirstDebit ?? acceptedFirstDebit(log) === undefined;
  return isFirst
    ? stateOf(log, gameRound) === 'none'
    : stateWithoutMarks(log, gameRound) === 'open' && standingOf(log, gameRound) === null;
}

/** Whether something of the round depends on this debit: its money, a note or a closed round (D7). */
function showsInRound(record: Arrival, log: Log): boolean {
  if (record.transaction.type !== 'debit') return false;
  if (record.answer === 'ok') return true;
  if (!isDeclinedByWallet(record)) return false;
  const closed = record.isFirst && acceptedFirstDebit(log) === undefined;
  return closed || notedDebit(log) === record.transaction.hash;
}
