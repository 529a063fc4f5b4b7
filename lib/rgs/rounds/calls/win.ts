import type { AddWin } from '../../../protocol/engine-api';
import { maxUnits } from '../../../protocol/money';
import { type EntryAdded, owed, type Round } from '../state';
import type { Context } from './context';
import { change, changeOf, type Changed, type Refused, refuse } from './decision';
import { closing, findingsOfEnd } from './end';
import { entryOf, infoOf, jackpotIdsOf, nextEntryHash } from './entry';
import type { Identity } from './key';

/**
 * addWin: an open piece more, 0 too (E9.1). With collect everything open is credited and the round
 * ends (E9.2).
 */
export function addWin(
  context: Context,
  round: Round,
  call: AddWin,
  identity: Identity,
): Changed | Refused {
  const { rngResult, jackpotPayout } = call;
  const { winAmount } = rngResult;
  if (owed(round) + winAmount > maxUnits) return refuse('INVALIDPARAMETER', 'E4.1');
  const added: EntryAdded = {
    type: 'entryAdded',
    at: context.at,
    entry: {
      ...entryOf('genericwin', nextEntryHash(context, round), context.at, identity),
      winAmount,
      open: winAmount,
      info: infoOf(rngResult, call.externalGameProviderTransactionId),
      protectedInfo: rngResult.betData,
      reason: 'win',
      jackpotIds: jackpotIdsOf(jackpotPayout),
    },
    taken: 0n,
    spins: null,
  };
  if (!call.collect) return change(round, [added]);
  const after = changeOf(round, [added]).round;
  return change(round, [added, ...closing(context, after, 'win')], findingsOfEnd(after));
}
