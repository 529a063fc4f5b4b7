import type { Fields } from '../../json';
import type {
  AddSpinCounterGameState,
  AddWin,
  CollectWin,
  EndOrVoid,
  WagerWin,
  WithToken,
} from '../messages';
import { jackpotsOf, transactionIdOf, wonOf } from './starts';

/** addWin (E9). */
export function addWin(fields: Fields): AddWin & WithToken {
  return {
    call: 'addWin',
    ...tokenAndRound(fields),
    rngResult: wonOf(fields),
    collect: fields.flag('collect'),
    externalGameProviderTransactionId: transactionIdOf(fields),
    jackpotPayout: jackpotsOf(fields),
  };
}

/** wagerWin (E10). */
export function wagerWin(fields: Fields): WagerWin & WithToken {
  const wager = fields.within('wagerInformation');
  return {
    call: 'wagerWin',
    ...tokenAndRound(fields),
    rngResult: wonOf(fields),
    wagerInformation: {
      wagerAmount: wager.units('wagerAmount'),
      winAmount: wager.optionalUnits('winAmount'),
      currency: wager.text('currency'),
      status: wager.optionalText('status'),
      externalGameProviderTransactionId: transactionIdOf(wager),
      jackpotPayout: jackpotsOf(wager),
    },
  };
}

/** Most bytes of a gameStateResult (E11.3). */
const maxGameState = 4096;

/** addSpinCounterGameState (E11). @throws MessageFault */
export function addSpins(fields: Fields): AddSpinCounterGameState & WithToken {
  const draw = fields.within('rngResult');
  const spins = draw.within('result');
  const gameStateResult = fields.optionalText('gameStateResult') ?? fields.json('gameStateResult');
  if (Buffer.byteLength(gameStateResult) > maxGameState) {
    throw fields.wrong('gameStateResult', 'must be at most 4 KiB');
  }
  return {
    call: 'addSpinCounterGameState',
    ...tokenAndRound(fields),
    counterType: fields.text('counterType'),
    rngCallId: draw.text('rngCallId'),
    awarded: spins.whole('awarded') ?? 0,
    used: spins.whole('used') ?? 0,
    winAmount: draw.optionalUnits('winAmount'),
    gameStateResult,
  };
}

/** collectWin (C1); without an amount all that is open. */
export function collectWin(fields: Fields): CollectWin & WithToken {
  return {
    call: 'collectWin',
    ...tokenAndRound(fields),
    amount: fields.optionalUnits('amount'),
    externalGameProviderTransactionId: transactionIdOf(fields),
  };
}

/** endGameRound and voidGameRound (E12, E13). */
export function endOrVoid<Name extends 'endGameRound' | 'voidGameRound'>(
  call: Name,
  fields: Fields,
): EndOrVoid<Name> & WithToken {
  const externalGameProviderTransactionId = transactionIdOf(fields);
  return { call, ...tokenAndRound(fields), externalGameProviderTransactionId };
}

/** The session and the round of a call. */
export function tokenAndRound(fields: Fields): { token: string; gameRound: string } {
  return { token: fields.text('token'), gameRound: fields.text('gameRound') };
}
