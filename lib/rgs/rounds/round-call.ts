import type {
  AddSpinCounterGameState,
  AddWin,
  RoundCall,
  WagerWin,
} from '../../protocol/engine-api/calls';
import { maxUnits } from '../../protocol/money/amount';
import { amountToCollect, owed } from './amounts';
import { type Context, ownRound } from './context';
import {
  type CallFinding,
  change,
  type Changed,
  changeOf,
  type Decision,
  exposureFindings,
  refuse,
  type Refused,
} from './decision';
import { closing, collectWin, endGameRound, findingsOfEnd, voidGameRound } from './end';
import { entryOf, infoOf, jackpotIdsOf, nextEntryHash } from './entry';
import type { EntryAdded } from './event';
import { contentKnown, findingsOfKey, type Identity, identityOf } from './key';
import type { Round } from './round';

/**
 * addWin: an open piece more, 0 too (E9.1). With collect everything open is credited and the round
 * ends (E9.2).
 */
function addWin(
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

/**
 * wagerWin: stakes a part of the open amount, and rngResult.winAmount becomes the open amount (E10.2).
 * With the reading keepRest the unstaked part stays open (E10.3). The operator sees none of it (E10.4).
 */
function wagerWin(
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

/**
 * addSpinCounterGameState: awards spins, uses some, or both, the award first (E11.1). No more are used
 * than were awarded (E11.2). Its winAmount is recorded, not paid. The entry is of type `spincounter` (E11.3).
 */
function addSpins(
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

/**
 * What a call on a round does, in the order of E4.5: mode and currency, the round, whether it is open
 * (E15.2: after the end there is no memory to consult), the key, the amounts.
 */
export function decideOnRound(context: Context, found: Round | null, call: RoundCall): Decision {
  const { session } = context;
  if (session.kind === 'history') return refuse('INVALIDPARAMETER', 'E19.2');
  if (call.call === 'wagerWin' && call.wagerInformation.currency !== session.owner.currency) {
    return refuse('INVALIDPARAMETER', 'E4.4');
  }
  const round = ownRound(found, session);
  if (round === null) return refuse('GAMEROUNDNOTFOUND', 'E5.8');
  if (round.state !== 'open') return refuse('GAMEROUNDNOTACTIVE', 'E6');
  const identity = identityOf(call);
  const known = identity.key === null ? null : contentKnown(round, call, identity.key);
  if (known !== null) {
    if (known === identity.content) return { kind: 'answered', round };
    return refuse('TRANSACTIONALREADYEXISTS', 'E15.1');
  }
  const decision = work(context, round, call, identity);
  if (decision.kind !== 'changed') return decision;
  const [{ round: after }] = decision.changes;
  const findings = [
    ...findingsOfKey(round, call, identity.key),
    ...decision.findings,
    ...exposureFindings(context, round, after),
  ];
  return { ...decision, findings };
}

function work(context: Context, round: Round, call: RoundCall, identity: Identity): Decision {
  switch (call.call) {
    case 'addWin':
      return addWin(context, round, call, identity);
    case 'wagerWin':
      return wagerWin(context, round, call, identity);
    case 'addSpinCounterGameState':
      return addSpins(context, round, call, identity);
    case 'collectWin':
      return collectWin(context, round, call, identity);
    case 'endGameRound':
      return endGameRound(context, round);
    case 'voidGameRound':
      return voidGameRound(context, round, call);
  }
}
