import type { AddSpinCounterGameState } from '../../../protocol/engine-api';
import type { Round } from '../state';
import type { Context } from './context';
import { change, type Changed, type Refused, refuse } from './decision';
import { entryOf, infoOf, nextEntryHash } from './entry';
import type { Identity } from './key';

/**
 * addSpinCounterGameState: awards spins, uses some, or both, the award first (E11.1). No more are used
 * than were awarded (E11.2). Its winAmount is recorded, not paid. The entry is of type `spincounter` (E11.3).
 */
export function addSpins(
  context: Context,
  round: Round,
  call: AddSpinCounterGameState,
  identity: Identity,
): Changed | Refused {
  const { counterType, awarded, used, rngCallId, gameStateResult } = call;
  if (awarded === 0 && used === 0) return refuse('INVALIDPARAMETER', 'E11.1');
  if (used > spinsAvailable(round, counterType) + awarded) {
    return refuse('SPINSNOTAVAILABLE', 'E11.2');
  }
  const entry = {
    ...entryOf('spincounter', nextEntryHash(context, round), context.at, identity),
    winAmount: call.winAmount ?? 0n,
    info: { ...infoOf({ rngCallId, result: null }, null), gameStateResult },
    reason: counterType,
  };
  const spins = { counterType, awarded, used };
  return change(round, [{ type: 'entryAdded', at: context.at, entry, taken: 0n, spins }]);
}

/** Awarded and unused spins of a counter; 0 for an unknown one (E11.4). */
export function spinsAvailable(round: Round, counterType: string): number {
  const counter = round.counters.find((one) => one.counterType === counterType);
  return counter === undefined ? 0 : counter.awarded - counter.used;
}
