import { movementRefusals } from '../gameround';
import { maxUnits } from '../../protocol/money/amount';
import type { Purse } from '../../protocol/money/purse';
import { isCurrency, isIdentifier } from '../../protocol/identifiers';
import type { Account, LedgerDone, LedgerRefused, PostedRound } from '../wallet';

/** The ledger gave an answer that the port does not allow; the outcome is unknown. */
export class LedgerAnswerError extends Error {
  override readonly name = 'LedgerAnswerError';
}

const reasons: readonly unknown[] = movementRefusals;

/**
 * Checks the answer to a posting: one that is not understood must not pass as an outcome.
 * @throws LedgerAnswerError
 */
export function checkAnswer(answer: LedgerDone | LedgerRefused): LedgerDone | LedgerRefused {
  switch (answer?.kind) {
    case 'done':
      if (answer.accounts !== undefined) checkAccounts(answer.accounts);
      return answer;
    case 'refused':
      if (reasons.includes(answer.reason)) return answer;
      throw new LedgerAnswerError(
        `A refusal must have one of the reasons ${movementRefusals.join(', ')}.`,
      );
    default:
      throw new LedgerAnswerError("A posting must be answered 'done' or 'refused'.");
  }
}

/**
 * What a debit of this amount took from each balance.
 * @throws LedgerAnswerError if it does not add up to the amount.
 */
export function paidBy({ paid }: LedgerDone, amount: bigint): Purse {
  if (paid === undefined) return { real: amount, bonus: 0n };
  const { real, bonus } = paid;
  const isPurse =
    typeof real === 'bigint' && typeof bonus === 'bigint' && real >= 0n && bonus >= 0n;
  if (!isPurse || real + bonus !== amount) {
    throw new LedgerAnswerError('paid must be two bigints that sum up to the amount.');
  }
  return { real, bonus };
}

/** @throws LedgerAnswerError if it is not a list of accounts. */
export function checkAccounts(accounts: readonly Account[] | null): readonly Account[] | null {
  if (accounts === null) return null;
  const isList = Array.isArray(accounts) && accounts.every(isAccount);
  if (!isList) {
    throw new LedgerAnswerError('accounts must be a list of {currency, real, bonus}, in units.');
  }
  return accounts;
}

/** @throws LedgerAnswerError if it is not what a round was posted. */
export function checkPosted(posted: PostedRound): PostedRound {
  const { operatorId, playerId, gameRound, currency, moved, lastAt } = Object(posted) as {
    readonly [name in keyof PostedRound]?: unknown;
  };
  const { real, bonus } = Object(moved) as { readonly real?: unknown; readonly bonus?: unknown };
  const isNamed = [operatorId, playerId, gameRound].every(isIdentifier) && isCurrency(currency);
  const isSum = typeof real === 'bigint' && typeof bonus === 'bigint';
  if (isNamed && isSum && Number.isFinite(lastAt)) return posted;
  throw new LedgerAnswerError(
    'postedRounds must list {operatorId, playerId, gameRound, currency, moved, lastAt}.',
  );
}

function isAccount(account: Partial<Account> | null): boolean {
  if (typeof account !== 'object' || account === null) return false;
  const { currency, real, bonus } = account;
  return isCurrency(currency) && isUnits(real) && (bonus === null || isUnits(bonus));
}

function isUnits(value: unknown): boolean {
  return typeof value === 'bigint' && value <= maxUnits && value >= -maxUnits;
}
