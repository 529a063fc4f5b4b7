import type { Fields } from '../../json';
import type {
  CreditInformation,
  EngineRequests,
  JackpotPayout,
  RngResult,
  StartGameRound,
} from '../messages';

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
export function wonOf(fields: Fields): RngResult & { readonly winAmount: bigint } {
  const draw = drawOf(fields);
  return { ...draw, winAmount: draw.winAmount ?? 0n };
}

/** Null if the provider gave none. */
export function transactionIdOf(fields: Fields): string | null {
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
