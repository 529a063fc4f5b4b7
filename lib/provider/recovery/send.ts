import type { CallOptions } from '../../protocol/client';
import type { RoundReply } from '../../protocol/engine-api';
import type { EngineCaller } from '../client/requests';
import type { LostCall } from './lost';

/** Sends the request of a lost call again, with the token that the session has now. */
export function sendAgain(
  call: EngineCaller,
  lost: Exclude<LostCall, { readonly call: 'start' }>,
  token: string,
  options: CallOptions,
): Promise<RoundReply> {
  switch (lost.call) {
    case 'addBet':
      return call('startGameOrAddBet', { ...lost.request, token }, options);
    case 'addWin':
      return call('addWin', { ...lost.request, token }, options);
    case 'wagerWin':
      return call('wagerWin', { ...lost.request, token }, options);
    case 'spin':
      return call('addSpinCounterGameState', { ...lost.request, token }, options);
    case 'collect':
      return call('collectWin', { ...lost.request, token }, options);
    case 'end':
      return call('endGameRound', { ...lost.request, token }, options);
    case 'void':
      return call('voidGameRound', { ...lost.request, token }, options);
  }
}
