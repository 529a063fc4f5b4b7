import { isJsonObject, type JsonValue } from '../../../protocol/json/parse';
import {
  type Answer,
  type CaseContext,
  CaseFailure,
  described,
  given,
  must,
  mustAnswer,
  mustBeRefused,
  mustSucceed,
  NotTried,
  type Round,
  type Transaction,
  Undecided,
  verdictOf,
} from '../talk';

/** A round of which nothing was sent yet. */
interface NewRound {
  readonly round: Round;
  /** What its player had before it, in units. */
  readonly before: bigint;
}

/** A round whose first debit was accepted. */
export interface OpenRound extends NewRound {
  readonly debit: Transaction;
}

/** A round that the case begins, and what its player has. */
export async function newRound(context: CaseContext): Promise<NewRound> {
  return { before: await context.balance(), round: context.round() };
}

/** Begins a round with a debit of one stake. @throws Undecided if the wallet refuses it. */
export async function openRound(context: CaseContext): Promise<OpenRound> {
  const { round, before } = await newRound(context);
  const debit = round.firstDebit(context.stake);
  given(await round.send(debit), 'the first debit');
  return { round, debit, before };
}

/**
 * The first player's balance, for a case that stakes all of it.
 * @throws NotTried unless the run may do so, and if there is a bonus: a wallet need not cover debits with it.
 */
export async function wholeBalance(context: CaseContext): Promise<bigint> {
  context.useBalance();
  const { balances } = await context.getBalance();
  const hasBonus = balances?.some(({ type, amount }) => type === 'bonus' && amount !== 0n);
  if (hasBonus === true) throw new NotTried('a first --player that has no bonus');
  return context.balance();
}

/** A debit that the wallet must decline, for a set-up. @throws Undecided unless it did. */
export function givenRefused(answer: Answer, what: string): Answer {
  if (answer.status >= 400) return answer;
  const came = described(answer);
  throw new Undecided(`the set-up failed: ${what} must be refused, but got ${came}`, answer);
}

/** @throws CaseFailure unless the call was refused, and none of these transactions is listed as processed. */
export function mustDecline(
  answer: Answer,
  what: string,
  ...transactions: readonly Transaction[]
): Answer {
  mustBeRefused(answer, what);
  for (const { type, hash } of transactions) {
    must(
      verdictOf(answer, hash) !== 'processed',
      `${what} must be refused, but hashesProcessed lists the ${type} without an error`,
      answer,
    );
  }
  return answer;
}

/** @throws CaseFailure unless a reply below 500 came (operator-api 4.1, rule 6). */
export function mustNotFail(answer: Answer, what: string): Answer {
  mustAnswer(answer, what);
  must(
    answer.status < 500,
    `${what} must never be answered 5xx, but got ${described(answer)}`,
    answer,
  );
  return answer;
}

/** Error id of a transaction: the one listed for its hash, else the one at the top. */
function errorIdOf({ processed, error }: Answer, { hash }: Transaction): number | null {
  const listed = processed.find((item) => item.hash === hash && item.error !== null);
  return (listed?.error ?? error)?.id ?? null;
}

/** @throws CaseFailure unless the second initial debit was refused with error 12 (operator-api 4.1, rule 3). */
export function mustBeSecond(answer: Answer, second: Transaction): Answer {
  const what = 'the second initial debit';
  mustDecline(answer, what, second);
  const id = errorIdOf(answer, second);
  const got = id === null ? 'no error' : `error ${id}`;
  must(id === 12, `${what} must be answered with error 12, but got ${got}`, answer);
  return answer;
}

/**
 * The repeat of an initial debit that was processed: 200 (operator-api 4.1, rule 1), or error 12, as rule 3 can be read
 * of a repeat too. Both are right.
 * @throws CaseFailure for any other answer.
 */
export function mustBeRepeat(answer: Answer, debit: Transaction, what: string): Answer {
  if (answer.status >= 400 && errorIdOf(answer, debit) === 12) return answer;
  if (answer.status < 400) return mustSucceed(answer, what);
  const wanted = `${what} must be answered 200, or with error 12`;
  throw new CaseFailure(`${wanted}, but got ${described(answer)}`, answer);
}

/** Every errorCode of a reply, at the top and in hashesProcessed, as sent. */
export function errorCodesOf({ body }: Answer): readonly JsonValue[] {
  const list = body?.['hashesProcessed'];
  const items = [body, ...(Array.isArray(list) ? list : [])].filter(isJsonObject);
  return items.flatMap(({ errorCode }) =>
    errorCode === undefined || errorCode === null ? [] : [errorCode],
  );
}
