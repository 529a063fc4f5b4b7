import type { Debit, Transaction } from '../../../lib/protocol/operator-api/transaction';

/** What was answered of a transaction: processed, refused with this id (D8), or left out (D6.1). */
export type Answer = 'ok' | 'unknown' | number;

/** A call as it arrived once; a resend is another delivery. */
export interface Delivery {
  readonly id: string;
  readonly transactions: readonly Transaction[];
}

/** One transaction of a delivery, and what became of it. */
export interface Arrival {
  readonly delivery: Delivery;
  /** Place in the delivery's transactions, from 0. */
  readonly position: number;
  readonly transaction: Transaction;
  readonly answer: Answer;
  /** Whether it was decided now; otherwise its hash was known, or it is a void. */
  readonly isNew: boolean;
  /** A debit's isFirstDebit, or its default if it was not sent (D2.3). */
  readonly isFirst: boolean;
  /** Whether a later debit of the call failed, and this one with it (D4.6). */
  readonly fell: boolean;
  /** What a refused credit made of the round (D4.7, D11.5). */
  readonly turnedRound: 'stranded' | 'crashed' | null;
  /** Whether it did so to a round that a repair had closed (D11.5). */
  readonly isOverRepair: boolean;
}

/** A transaction of a delivery that came to nothing so far. */
export function arrivalOf(delivery: Delivery, position: number, transaction: Transaction): Arrival {
  const nothing = { isNew: false, isFirst: false, fell: false, turnedRound: null };
  return { delivery, position, transaction, answer: 'ok', ...nothing, isOverRepair: false };
}

/** The places of what a store writes at once: a void is written apart. */
export function partsOf({ transactions }: Delivery): [start: number, end: number][] {
  const places = transactions.map((_, place) => place);
  const borders = [0, ...places.filter((at) => isBorder(transactions, at)), transactions.length];
  return borders.slice(1).map((end, index) => [borders[index] ?? 0, end]);
}

function isBorder(transactions: readonly Transaction[], at: number): boolean {
  return at > 0 && [at - 1, at].some((place) => transactions[place]?.type === 'void');
}

/** A delivery that ended unknown marked this debit of its own (D7). */
export interface Mark {
  readonly unanswered: Debit;
  /** Whether no delivery had written it. */
  readonly isUnwritten: boolean;
  readonly isFirst: boolean;
}

/** A repair that people made (D11). A void by a person is the arrival of a void. */
export interface MadeRepair {
  readonly repaired: 'pay' | 'resolve';
  /** The credit that was paid; null for `resolve`. */
  readonly hash: string | null;
}

/** Everything that ever happened to a round, in order. */
export type Log = readonly (Arrival | Mark | MadeRepair)[];

/** States of a round (operator-api 3). */
export type State = 'none' | 'open' | 'closed' | 'stranded' | 'crashed' | 'cancelled' | 'voided';

/** Arrivals alone. */
export function arrivalsOf(log: Log): Arrival[] {
  return log.filter((entry) => 'transaction' in entry);
}

/** What is recorded under a hash: the debit, credit or end that was decided first (D3.1). */
export function recordOf(log: Log, hash: string): Arrival | undefined {
  return arrivalsOf(log).find(({ isNew, transaction }) => isNew && transaction.hash === hash);
}

/** Whether another delivery than the one that wrote a debit was answered for it. */
export function wasAnsweredAgain(log: Log, { delivery, transaction }: Arrival): boolean {
  return arrivalsOf(log).some(
    (one) =>
      one.transaction.hash === transaction.hash &&
      one.transaction.type === 'debit' &&
      one.delivery.id !== delivery.id &&
      !one.isNew &&
      one.answer !== 'unknown' &&
      one.answer !== 37,
  );
}

/** The debit under this hash that a delivery left unanswered, and nobody wrote (D7). */
export function unwrittenOf(log: Log, hash: string): Mark | undefined {
  const marks = log.filter((entry) => 'unanswered' in entry);
  return marks.find(({ isUnwritten, unanswered }) => isUnwritten && unanswered.hash === hash);
}

/** Whether a delivery of this debit ended unknown, and marked it (D7). */
export function isMarked(log: Log, hash: string): boolean {
  return log.some((entry) => 'unanswered' in entry && entry.unanswered.hash === hash);
}

/** Whether a debit of this hash waits for its void, since a delivery of it ended unknown (D7). */
export function isUnanswered(log: Log, hash: string): boolean {
  return isMarked(log, hash) && untilVoidOf(log, hash) === null;
}

/** The log up to and with the first void of this hash that was processed; null without one. */
export function untilVoidOf(log: Log, hash: string): Log | null {
  const index = log.findIndex((entry) => isVoidOf(entry, hash));
  return index < 0 ? null : log.slice(0, index + 1);
}

function isVoidOf(entry: Log[number], hash: string): boolean {
  if (!('transaction' in entry) || entry.answer !== 'ok') return false;
  return entry.transaction.type === 'void' && entry.transaction.hash === hash;
}

/** The accepted initial debit, whether voided later or not. */
export function acceptedFirstDebit(log: Log): Arrival | undefined {
  return arrivalsOf(log).find(
    ({ transaction, isNew, isFirst, answer }) =>
      transaction.type === 'debit' && isNew && isFirst && answer === 'ok',
  );
}

/** Whether the round is voided: by D5.2, D5.4 or D5.5, at whatever moment that was. */
export function isRoundVoided(log: Log, gameRound: string): boolean {
  return log.some(
    (entry, index) =>
      'transaction' in entry && voidsTheRound(entry, log.slice(0, index), gameRound),
  );
}

function voidsTheRound(entry: Arrival, before: Log, gameRound: string): boolean {
  const { transaction, answer, isNew, isFirst } = entry;
  const { hash } = transaction;
  const first = acceptedFirstDebit(before);
  if (transaction.type === 'void') {
    if (answer !== 'ok') return false;
    if (first !== undefined) return first.transaction.hash === hash;
    const record = recordOf(before, hash);
    if (record !== undefined && record.transaction.type !== 'debit') return false;
    const saysSo = (record ?? unwrittenOf(before, hash))?.isFirst === true;
    return saysSo || hash === gameRound;
  }
  const cameAfterItsVoid = isNew && untilVoidOf(before, hash) !== null;
  if (transaction.type !== 'debit' || !cameAfterItsVoid || first !== undefined) return false;
  return isFirst || hash === gameRound;
}

/** The debit that a credit or an end stands behind in its call, with no other debit between. */
export function debitBefore({ delivery, position }: Arrival): string | null {
  const before = delivery.transactions.slice(0, position);
  return before.findLast(({ type }) => type === 'debit')?.hash ?? null;
}

/** Whether the void of the debit it stands behind took this credit or end back (D5.3). */
export function isTakenBack(log: Log, arrival: Arrival): boolean {
  if (arrival.transaction.type === 'debit' || arrival.transaction.type === 'void') return false;
  const debit = debitBefore(arrival);
  if (debit === null || !arrival.isNew) return false;
  return untilVoidOf(log, debit)?.includes(arrival) === true;
}

/** Whether the wallet declined it, in the sense of D4.5. */
export function isDeclinedByWallet({ transaction, answer, isFirst }: Arrival): boolean {
  if (transaction.type !== 'debit' || typeof answer !== 'number') return false;
  if (isFirst && answer === 33) return false;
  return ![12, 13, 15, 37, 9003, 9004].includes(answer);
}

/** The declined debit that the round notes, by which later calls' credits are declined (D4.5). */
export function notedDebit(log: Log): string | null {
  let noted: string | null = null;
  log.forEach((entry, index) => {
    const before = log.slice(0, index);
    if ('unanswered' in entry) {
      if (entry.isUnwritten) noted = null;
      return;
    }
    if ('repaired' in entry) return;
    const { hash, type } = entry.transaction;
    if (isVoidOf(entry, hash) && (hash === noted || !wasSeen(before, hash))) noted = null;
    if (type !== 'debit' || !entry.isNew) return;
    if (isDeclinedByWallet(entry)) noted = hash;
    else if (entry.answer === 'ok') noted = null;
  });
  return noted;
}

/** Whether anything was heard of this hash: a transaction, a debit that nobody wrote, or a void (D4.5, D5.5). */
function wasSeen(log: Log, hash: string): boolean {
  const isKnown = recordOf(log, hash) !== undefined || unwrittenOf(log, hash) !== undefined;
  return isKnown || untilVoidOf(log, hash) !== null;
}

/** The state, without regard to repairs and to what is unanswered: what a cancelled round goes back to. */
export function stateWithoutMarks(log: Log, gameRound: string): State {
  if (isRoundVoided(log, gameRound)) return 'voided';
  let state: State = 'none';
  for (const arrival of arrivalsOf(log)) {
    const { transaction, answer, isNew, isFirst, fell, turnedRound, isOverRepair } = arrival;
    if (!isNew || isTakenBack(log, arrival)) continue;
    if (transaction.type === 'debit' && isFirst && answer === 'ok') state = 'open';
    const failed = isFirst && (fell || isDeclinedByWallet(arrival));
    if (state === 'none' && failed) state = 'closed';
    const mayTurn = state === 'open' || state === 'closed';
    if (mayTurn && turnedRound !== null && !isOverRepair) state = turnedRound;
    if (state === 'open' && transaction.type === 'end' && answer === 'ok') state = 'closed';
  }
  return state;
}

/** The state as the calls alone make it: cancelled while an unanswered debit waits for its void (D7). */
export function stateByCalls(log: Log, gameRound: string): State {
  const state = stateWithoutMarks(log, gameRound);
  const waits = log.some(
    (entry) => 'unanswered' in entry && isUnanswered(log, entry.unanswered.hash),
  );
  return state !== 'voided' && waits ? 'cancelled' : state;
}

/** Debits that took money and were not given back, and credits that paid and were not taken back. */
export function effectiveMovements(log: Log, gameRound: string): Arrival[] {
  if (isRoundVoided(log, gameRound)) return [];
  return arrivalsOf(log).filter((arrival) => {
    const { transaction, isNew, answer } = arrival;
    if (!isNew || answer !== 'ok') return false;
    if (transaction.type === 'debit') return untilVoidOf(log, transaction.hash) === null;
    return transaction.type === 'credit' && !isTakenBack(log, arrival);
  });
}
