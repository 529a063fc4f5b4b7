import type { RngResult } from '../../../lib/protocol/engine-api/calls';
import type { Desk, Outcome } from './desk';
import type { ModelCall } from './model';

const draw: RngResult = { rngCallId: null, result: null, winAmount: null, betData: {} };

/** Makes a call of the model at the service. */
export function perform(desk: Desk, call: ModelCall): Outcome {
  const gameRound = call.id;
  switch (call.kind) {
    case 'start':
    case 'bet':
      return desk.play({
        call: call.kind === 'start' ? 'startGameRound' : 'startGameOrAddBet',
        rngResult: draw,
        debitInformation: {
          debitAmount: BigInt(call.amount),
          currency: 'EUR',
          externalGameProviderTransactionId: call.key,
          useTicket: false,
        },
        creditInformation:
          call.credit === 0
            ? null
            : {
                creditAmount: BigInt(call.credit),
                currency: 'EUR',
                externalGameProviderTransactionId: null,
                jackpotPayout: [],
              },
        endGame: call.endGame,
        closeOpenGame: false,
        useJackpot: false,
        externalGameProviderRoundId: gameRound,
      });
    case 'win':
      return desk.work({
        call: 'addWin',
        gameRound,
        rngResult: { ...draw, winAmount: BigInt(call.amount) },
        collect: call.collect,
        externalGameProviderTransactionId: call.key,
        jackpotPayout: [],
      });
    case 'wager':
      return desk.work({
        call: 'wagerWin',
        gameRound,
        rngResult: { ...draw, winAmount: BigInt(call.outcome) },
        wagerInformation: {
          wagerAmount: BigInt(call.amount),
          winAmount: null,
          currency: 'EUR',
          status: null,
          externalGameProviderTransactionId: call.key,
          jackpotPayout: [],
        },
      });
    case 'spins':
      return desk.work({
        call: 'addSpinCounterGameState',
        gameRound,
        counterType: 'customspin',
        rngCallId: call.key,
        awarded: call.awarded,
        used: call.used,
        winAmount: null,
        gameStateResult: '',
      });
    case 'collect':
      return desk.work({
        call: 'collectWin',
        gameRound,
        amount: BigInt(call.amount),
        externalGameProviderTransactionId: call.key,
      });
    case 'end':
      return desk.work({
        call: 'endGameRound',
        gameRound,
        externalGameProviderTransactionId: null,
      });
    case 'void':
      return desk.work({
        call: 'voidGameRound',
        gameRound,
        externalGameProviderTransactionId: call.key,
      });
  }
}
