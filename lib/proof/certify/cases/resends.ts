import { CaseFailure, described, verdictOf } from '../talk';
import type { AcknowledgedCall, ServiceRound } from './service';
import { mustBeRepeat } from './steps';

/** Most calls that are sent again: the latest ones. */
const maxCalls = 200;

/**
 * Sends acknowledged calls again, the latest ones, and debits whose voids were acknowledged. Returns how many.
 * The balance is for the caller to compare.
 * @throws CaseFailure if one that still counts is not answered as before (operator-api 4.1, rule 1).
 */
export async function resendCalls(rounds: readonly ServiceRound[]): Promise<number> {
  const calls = rounds.flatMap((round) => round.acknowledged.map((call) => ({ round, call })));
  const latest = calls.slice(-maxCalls);
  for (const { round, call } of latest) await resendCall(round, call);
  const withdrawn = rounds.flatMap((round) => round.withdrawn.map((debit) => ({ round, debit })));
  for (const { round, debit } of withdrawn.slice(-maxCalls)) await round.sendAgain([debit]);
  return latest.length;
}

async function resendCall(round: ServiceRound, { transactions }: AcknowledgedCall): Promise<void> {
  const answer = await round.sendAgain(transactions);
  const isTakenBack = transactions.some(({ hash }) => {
    return round.withdrawn.some((debit) => debit.hash === hash);
  });
  // What was voided since may be answered either way; the balance shows whether it moved money.
  if (round.isVoided || isTakenBack) return;
  const first = transactions.find(({ isFirstDebit }) => isFirstDebit);
  if (first !== undefined) {
    const what = 'an acknowledged call that is resent';
    if (mustBeRepeat(answer, first.sent, what).meaning !== 'success') return;
  }
  if (answer.meaning !== 'success' || answer.error !== null) {
    const message = `an acknowledged call that is resent must be answered 200, but got ${described(answer)}`;
    throw new CaseFailure(message, { exchange: answer.exchange });
  }
  for (const { type, hash } of transactions) {
    const said = verdictOf(answer, hash);
    if (said === 'processed' || (said === 'not listed' && type !== 'credit')) continue;
    const message = `a ${type} that was processed must be processed when it is resent, but it is ${said}`;
    throw new CaseFailure(message, { exchange: answer.exchange });
  }
}
