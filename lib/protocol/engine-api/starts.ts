import type { Fields } from '../json/fields';
import type {
  AddSpinCounterGameState,
  AddWin,
  CollectWin,
  CreditInformation,
  EndOrVoid,
  JackpotPayout,
  RngResult,
  StartGameRound,
  WagerWin,
} from './calls';
import type { EngineRequests, WithToken } from './requests';

/** startGameRound and startGameOrAddBet (E7.1, E8.1). */
export function startOf<Name extends StartGameRound['call']>(
  call: Name,
  fields: Fields,
): EngineRequests[Name] {
  const debit = fields.within('debitInformation');
  const rngResult = drawOf(fields);
  const start: EngineRequests['startGameRound'] = {
    call,
    token: fields.text('token'),
    rngResult: { ...rngResult, betData: { ...furtherDataOf(fields), ...rngResult.betData } },
    debitInformation: {
      debitAmount: debit.units('debitAmount'),
      currency: debit.text('currency'),
      externalGameProviderTransactionId: transactionIdOf(debit),
      useTicket: debit.within('useTicketInfo').flag('useTicket'),
    },
    creditInformation: fields.has('creditInformation')
      ? creditOf(fields.within('creditInformation'))
      : null,
    endGame: fields.flag('endGame'),
    closeOpenGame: fields.flag('closeOpenGame'),
    useJackpot: fields.flag('useJackpot'),
    externalGameProviderRoundId: fields.optionalText('externalGameProviderRoundId'),
  };
  return start;
}

/** rngResult of a call (game-engine-api 2.9); its result is kept if it is a text. */
export function drawOf(fields: Fields): RngResult {
  const draw = fields.within('rngResult');
  return {
    rngCallId: draw.optionalText('rngCallId'),
    result: draw.optionalText('result'),
    winAmount: draw.optionalUnits('winAmount'),
    betData: draw.texts('betData'),
  };
}

/** The same where the schema demands a winAmount. */
function wonOf(fields: Fields): RngResult & { readonly winAmount: bigint } {
  const draw = drawOf(fields);
  return { ...draw, winAmount: draw.winAmount ?? 0n };
}

/** Null if the provider gave none. */
function transactionIdOf(fields: Fields): string | null {
  return fields.optionalText('externalGameProviderTransactionId');
}

/** Empty if absent. */
export function jackpotsOf(fields: Fields): readonly JackpotPayout[] {
  return fields.list('jackpotPayout').map((item) => ({
    jackpotId: item.text('jackpotId'),
    jackpotMode: item.optionalText('jackpotMode'),
  }));
}

function creditOf(credit: Fields): CreditInformation {
  return {
    creditAmount: credit.units('creditAmount'),
    currency: credit.text('currency'),
    externalGameProviderTransactionId: transactionIdOf(credit),
    jackpotPayout: jackpotsOf(credit),
  };
}

/** betData besides rngResult: a map, or a text, which is kept under the member's own name. */
function furtherDataOf(fields: Fields): RngResult['betData'] {
  const betData = fields.optionalText('betData');
  return betData === null ? fields.texts('betData') : { betData };
}

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
