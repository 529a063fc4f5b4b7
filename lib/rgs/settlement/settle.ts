import type { TransactionType } from '../../protocol/operator-api/transaction';
import { type Answer, type ListedHash, type Meaning, meaningOf, type WalletError } from './answer';
import {
  type Before,
  type Fate,
  fateOfCredit,
  fateOfDebit,
  fateOfEnd,
  fateOfVoid,
  type FindingCode,
  type Ruling,
} from './fate';

/**
 * The kind of a resent call, for its timing: credits (and the ends after them), only voids or ends, or
 * voids that the wallet refused.
 */
export type Repeat = 'credits' | 'voidsAndEnds' | 'refusedVoids';

/**
 * When a call is resent: at once; at the next launch of the game or by the janitor, whichever comes first;
 * only by the janitor; or not automatically, because a person decides.
 */
type NextAttempt = 'atOnce' | 'launchOrJanitor' | 'janitor' | 'person';

/** Times that a call is sent without a pause: once, and five immediate retries (operator-api 4.1). */
export const attemptsAtOnce = 6;

/**
 * When due transactions are resent, after this many attempts without a pause. Past the maximum gameround
 * age nothing is dropped, and nothing is sent any more (E16.2).
 */
export function nextAttempt(repeat: Repeat, attempts: number, isPastMaxAge: boolean): NextAttempt {
  if (isPastMaxAge) return 'person';
  if (repeat === 'refusedVoids') return 'janitor';
  if (attempts < attemptsAtOnce) return 'atOnce';
  return repeat === 'credits' ? 'launchOrJanitor' : 'janitor';
}

/** The parts of a sent transaction that its fate depends on. */
export interface SentTransaction {
  readonly type: TransactionType;
  readonly hash: string;
  /** Set on the initial debit of the round. */
  readonly isFirstDebit?: boolean | null;
}

/** A call that was sent. */
export interface SentCall<T extends SentTransaction> {
  readonly transactions: readonly T[];
  /** Whether an earlier call of the round paid a credit. */
  readonly hasPaidCredit: boolean;
  /** Whether an earlier call of the round had a follow-up debit that the wallet declined. */
  readonly hasDeclinedDebit?: boolean;
}

/** A transaction of the call, and its fate. */
export interface Settled<T> {
  readonly transaction: T;
  readonly fate: Fate;
  /** The error of its item in the reply. */
  readonly error: WalletError | null;
}

/** A part of the answer that is almost surely a mistake of the wallet. */
export interface Finding {
  readonly code: FindingCode;
  /** Null if it concerns the whole call. */
  readonly hash: string | null;
}

/** What an answer does to the round; without one of these the round continues. */
export type RoundEffect = 'cancelled' | 'declined' | 'stranded' | 'crashed';

/** What an answer makes the RGS do. */
export interface Settlement<T> {
  /** Each transaction of the call once, in its order. */
  readonly transactions: readonly Settled<T>[];
  /** Debits in doubt; their voids go first, before anything else of the round (W2, W5). */
  readonly toVoid: readonly T[];
  /** What is resent, in order, as a call without a debit (W3, W4). */
  readonly toResend: readonly T[];
  /** How it is resent; null if nothing is. */
  readonly repeat: Repeat | null;
  readonly round: RoundEffect | null;
  readonly needsPerson: boolean;
  readonly findings: readonly Finding[];
}

/**
 * What the answer to a call makes the RGS do, by operator-api 3 and 4.1 and the rules W1 to W8; for first
 * deliveries and for resends.
 */
export function settle<T extends SentTransaction>(
  call: SentCall<T>,
  answer: Answer,
): Settlement<T> {
  const meaning = meaningOf(answer);
  const items = listedBy(answer);
  const rulings = rule(call.transactions, meaning, items);
  const round = effectOn(rulings, call.hasPaidCredit);
  const isOver = round === 'stranded' || round === 'crashed';
  const transactions = rulings.map(({ transaction, error, fate }): Settled<T> => {
    // W5: a credit that is refused for good ends the queue of its round.
    const isHeld = isOver && fate === 'due' && transaction.type !== 'void';
    return { transaction, fate: isHeld ? 'held' : fate, error };
  });
  const having = (fate: Fate): T[] =>
    transactions.filter((one) => one.fate === fate).map(({ transaction }) => transaction);
  const toResend = having('due');
  return {
    transactions,
    toVoid: having('withdrawn'),
    toResend,
    repeat: repeatOf(toResend, meaning),
    round,
    needsPerson: isOver || rulings.some(isPaidBehindDeclined),
    findings: [
      ...answered5xx(call.transactions, answer),
      ...refusedNothing(rulings, meaning),
      ...rulings.flatMap(findingOf),
      ...(call.hasDeclinedDebit ? refusedBehindDeclined(rulings) : []),
      ...notSent(call.transactions, items),
    ],
  };
}

type Ruled<T> = Ruling & Settled<T>;

/** Decides each transaction in the order of the call; each uses the next item with its hash. */
function rule<T extends SentTransaction>(
  sent: readonly T[],
  meaning: Meaning,
  items: readonly ListedHash[],
): Ruled<T>[] {
  const left = [...items];
  // The void of the first debit cancels the whole round, including what is before it (operator-api 3).
  const isCancelled = meaning === 'silent' && sent.some(isFirst);
  let before: Before = { failed: isCancelled ? 'withdrawn' : null, isCreditDue: false };
  return sent.map((transaction) => {
    const at = left.findIndex(({ hash }) => hash === transaction.hash);
    const listed = at < 0 ? null : (left.splice(at, 1)[0] ?? null);
    const ruled = ruleOne(transaction.type, meaning, listed, before);
    before = after(before, transaction.type, ruled.fate);
    return { transaction, ...ruled, error: listed?.error ?? null };
  });
}

function ruleOne(
  type: TransactionType,
  meaning: Meaning,
  listed: ListedHash | null,
  before: Before,
): Ruling {
  switch (type) {
    case 'debit':
      return fateOfDebit(meaning, listed);
    case 'credit':
      return fateOfCredit(meaning, listed, before);
    case 'end':
      return fateOfEnd(meaning, listed, before);
    case 'void':
      return fateOfVoid(meaning, listed);
  }
}

function after(before: Before, type: TransactionType, fate: Fate): Before {
  if (type === 'debit' && (fate === 'withdrawn' || fate === 'declined')) {
    return { ...before, failed: fate };
  }
  return type === 'credit' && fate === 'due' ? { ...before, isCreditDue: true } : before;
}

/** E6, in order of precedence. */
function effectOn(
  rulings: readonly Ruled<SentTransaction>[],
  hasPaidCredit: boolean,
): RoundEffect | null {
  const first = rulings.find(({ transaction }) => isFirst(transaction));
  if (first?.fate === 'withdrawn') return 'cancelled';
  if (first?.fate === 'declined') return 'declined';
  const credits = rulings.filter(({ transaction }) => transaction.type === 'credit');
  const refused = credits.findIndex(({ fate }) => fate === 'declined');
  if (refused < 0) return null;
  const hasPaid = credits.slice(0, refused).some(({ fate }) => fate === 'processed');
  return hasPaid || hasPaidCredit ? 'crashed' : 'stranded';
}

function repeatOf(toResend: readonly SentTransaction[], meaning: Meaning): Repeat | null {
  if (toResend.length === 0) return null;
  if (toResend.some(({ type }) => type === 'credit')) return 'credits';
  const isRefused = meaning !== 'silent' && toResend.some(({ type }) => type === 'void');
  return isRefused ? 'refusedVoids' : 'voidsAndEnds';
}

function listedBy(answer: Answer): readonly ListedHash[] {
  return answer.kind === 'reply' ? (answer.body?.hashesProcessed ?? []) : [];
}

function isFirst({ type, isFirstDebit }: SentTransaction): boolean {
  return type === 'debit' && isFirstDebit === true;
}

function isPaidBehindDeclined({ transaction, finding }: Ruled<SentTransaction>): boolean {
  return transaction.type === 'credit' && finding === 'processedBehindDeclined';
}

function findingOf({ transaction, finding }: Ruled<SentTransaction>): Finding[] {
  return finding === null ? [] : [{ code: finding, hash: transaction.hash }];
}

/** W12: the letter of operator-api 3, rule 1 costs the player what was won before. */
function refusedBehindDeclined(rulings: readonly Ruled<SentTransaction>[]): Finding[] {
  return rulings.flatMap(({ transaction: { type, hash }, fate }): Finding[] => {
    const isRefused = type === 'credit' && fate === 'declined';
    return isRefused ? [{ code: 'refusedAfterDeclinedDebit', hash }] : [];
  });
}

function answered5xx(sent: readonly SentTransaction[], answer: Answer): Finding[] {
  const is5xx = answer.kind === 'reply' && answer.status >= 500;
  const has = (wanted: TransactionType): boolean => sent.some(({ type }) => type === wanted);
  const isWrong = is5xx && has('credit') && !has('debit');
  return isWrong ? [{ code: 'creditAnswered5xx', hash: null }] : [];
}

/** Items that match none of the call's own hashes. */
function notSent(sent: readonly SentTransaction[], items: readonly ListedHash[]): Finding[] {
  const left = sent.map(({ hash }) => hash);
  return items.flatMap(({ hash }): Finding[] => {
    const at = left.indexOf(hash);
    if (at >= 0) left.splice(at, 1);
    return at >= 0 ? [] : [{ code: 'listedNotSent', hash }];
  });
}

/** A 4xx says that something failed. */
function refusedNothing(rulings: readonly Ruling[], meaning: Meaning): Finding[] {
  const isWrong = meaning === 'refusal' && rulings.every(({ fate }) => fate === 'processed');
  return isWrong ? [{ code: 'refusedNothing', hash: null }] : [];
}

/** The void of a debit: it carries the debit's hash, amount and currency (W6). */
interface VoidOf<Amount, Currency> {
  readonly type: 'void';
  readonly hash: string;
  readonly amount: Amount;
  readonly currency: Currency;
}

/** Builds the void of a debit, in any form of amounts. */
export function voidOf<Amount, Currency>(debit: {
  readonly hash: string;
  readonly amount: Amount;
  readonly currency: Currency;
}): VoidOf<Amount, Currency> {
  const { hash, amount, currency } = debit;
  return { type: 'void', hash, amount, currency };
}
