import type { WagerWin } from '../../../protocol/engine-api';
import { maxUnits } from '../../../protocol/money';
import { amountToCollect, owed, type Round } from '../state';
import type { Context } from './context';
import { change, type Changed, type Refused, refuse } from './decision';
import { entryOf, infoOf, jackpotIdsOf, nextEntryHash } from './entry';
import type { CallFinding } from './finding';
import type { Identity } from './key';

/**
 * wagerWin: stakes a part of the open amount, and rngResult.winAmount becomes the open amount (E10.2).
 * With the reading keepRest the unstaked part stays open (E10.3). The operator sees none of it (E10.4).
 */
export function wagerWin(
  context: Context,
  round: Round,
  call: WagerWin,
  identity: Identity,
): Changed | Refused {
  const { rngResult, wagerInformation: wager } = call;
  const { winAmount } = rngResult;
  const open = amountToCollect(round);
  if (wager.currency !== round.owner.currency) return refuse('INVALIDPARAMETER', 'E4.4');
  if (wager.wagerAmount < 1n || wager.wagerAmount > open)
    return refuse('INVALIDPARAMETER', 'E10.1');
  const isRestKept = context.settings.readings.partialWager === 'keepRest';
  const taken = isRestKept ? wager.wagerAmount : open;
  if (owed(round) - taken + winAmount > maxUnits) return refuse('INVALIDPARAMETER', 'E4.1');
  const entry = {
    ...entryOf('wager', nextEntryHash(context, round), context.at, identity),
    winAmount,
    open: winAmount,
    amountWagered: wager.wagerAmount,
    info: {
      ...infoOf(rngResult, wager.externalGameProviderTransactionId),
      ...(wager.status === null ? {} : { status: wager.status }),
    },
    protectedInfo: rngResult.betData,
    jackpotIds: jackpotIdsOf(wager.jackpotPayout),
  };
  const findings = findingsOfAmounts(isRestKept ? 0n : open - wager.wagerAmount, call);
  return change(
    round,
    [{ type: 'entryAdded', at: context.at, entry, taken, spins: null }],
    context.isGambleEnabled ? findings : [...findings, 'gambleNotEnabled'],
  );
}

/** E10.3: the rest is gone unless winAmount includes it; and one outcome has one amount. */
function findingsOfAmounts(
  rest: bigint,
  { rngResult, wagerInformation: { winAmount } }: WagerWin,
): CallFinding[] {
  const isOther = winAmount !== null && rest + winAmount !== rngResult.winAmount;
  if (rest === 0n) return isOther ? ['twoOutcomes'] : [];
  const isLost = rngResult.winAmount < rest;
  return isLost || isOther ? ['partialWager'] : [];
}
