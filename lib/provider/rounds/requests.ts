import { listKnownNames } from '../../platform/validation';
import { InvalidRequestError } from '../../protocol/client/errors';
import { type EngineInputs, type RngResult, unitsOf } from '../calls/requests';
import type { TransactionKind } from './ids';
import type { Bet, Draw, Spins, Wager, Win } from './round';
import { defined } from '../../platform/validation/defined';

/** The members of what a method of a round is given, each by its name; the amounts are marked. */
export type GivenNames<T> = { readonly [Name in keyof T]-?: 'amount' | 'amountIfAny' | 'other' };

/** The members of a draw, which most have. */
export const drawNames = { rngCallId: 'other', result: 'other', betData: 'other' } as const;

/**
 * Checks the caller's input before it becomes a request, since the request's fields have other names.
 * @param operation The method, for the error.
 * @throws InvalidRequestError for an unknown member, or an amount that is not whole minor units (E4.1).
 */
export function checkGiven<T extends object>(
  operation: string,
  given: T,
  names: GivenNames<T>,
): void {
  if (typeof given !== 'object' || (given as T | null) === null) {
    throw new InvalidRequestError(operation, 'the request', 'must be an object');
  }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(names, name));
  if (unknown.length > 0) {
    const help = listKnownNames('the members', unknown, Object.keys(names));
    throw new InvalidRequestError(operation, 'the request', `has an unknown member; ${help}`);
  }
  for (const [name, kind] of Object.entries(names)) {
    const value = given[name as keyof T];
    if (kind === 'other' || (kind === 'amountIfAny' && value === undefined)) continue;
    if (unitsOf(value) !== null) continue;
    throw new InvalidRequestError(operation, name, notUnits);
  }
}

const notUnits = 'must be a whole number of minor units, as a bigint or a safe integer';

/** What every call of a round is made with. */
export interface CallContext {
  readonly token: string;
  readonly gameRound: string;
  readonly currency: string;
  /** A new transaction id of this kind. */
  readonly newId: (kind: TransactionKind) => string;
}

/** What each method is given. */
const members: {
  readonly addBet: GivenNames<Bet>;
  readonly addWin: GivenNames<Win>;
  readonly wager: GivenNames<Wager>;
  readonly spins: GivenNames<Spins>;
} = {
  addBet: { ...drawNames, stake: 'amount' },
  addWin: { ...drawNames, winAmount: 'amount', collect: 'other', jackpotPayout: 'other' },
  wager: {
    ...drawNames,
    wagerAmount: 'amount',
    winAmount: 'amount',
    status: 'other',
    jackpotPayout: 'other',
  },
  spins: {
    counterType: 'other',
    awarded: 'other',
    used: 'other',
    rngCallId: 'other',
    winAmount: 'amountIfAny',
    gameStateResult: 'other',
  },
};

/** The request of an added bet. */
export function bet(
  { token, gameRound, currency, newId }: CallContext,
  given: Bet,
): EngineInputs['startGameOrAddBet'] {
  checkGiven('addBet', given, members.addBet);
  const externalGameProviderTransactionId = newId('bet');
  return {
    token,
    rngResult: drawOf(given),
    debitInformation: { debitAmount: given.stake, currency, externalGameProviderTransactionId },
    endGame: false,
    externalGameProviderRoundId: gameRound,
  };
}

/** The request of a win. */
export function win({ token, gameRound, newId }: CallContext, given: Win): EngineInputs['addWin'] {
  checkGiven('addWin', given, members.addWin);
  const { collect, jackpotPayout, winAmount } = given;
  return {
    token,
    gameRound,
    rngResult: { ...drawOf(given), winAmount },
    externalGameProviderTransactionId: newId('win'),
    ...defined({ collect, jackpotPayout }),
  };
}

/** The request of a gamble. */
export function wager(
  { token, gameRound, currency, newId }: CallContext,
  given: Wager,
): EngineInputs['wagerWin'] {
  checkGiven('wager', given, members.wager);
  const { wagerAmount, winAmount, status, jackpotPayout } = given;
  return {
    token,
    gameRound,
    rngResult: { ...drawOf(given), winAmount },
    wagerInformation: {
      wagerAmount,
      currency,
      externalGameProviderTransactionId: newId('wager'),
      ...defined({ status, jackpotPayout }),
    },
  };
}

/** The request of spins awarded or used. */
export function spins(
  { token, gameRound, newId }: CallContext,
  given: Spins,
): EngineInputs['addSpinCounterGameState'] {
  checkGiven('spins', given, members.spins);
  const { counterType, awarded, used, winAmount, gameStateResult = '{}' } = given;
  return {
    token,
    gameRound,
    counterType,
    rngResult: {
      rngCallId: given.rngCallId ?? newId('spin'),
      result: {
        ...defined({ awarded, used }),
      },
      ...defined({ winAmount }),
    },
    gameStateResult,
  };
}

/** The part of a draw that every call has. */
export function drawOf({ rngCallId, result, betData }: Draw): RngResult {
  return {
    ...defined({ rngCallId, result, betData }),
  };
}
