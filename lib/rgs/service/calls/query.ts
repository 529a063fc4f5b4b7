import type { EngineReplies } from '../../../protocol/engine-api/replies';
import type { RoundQuery } from '../../../protocol/engine-api/calls';
import type { TokenAndRound } from '../../../protocol/engine-api/requests';
import { decideQuery, replyOf } from '../../rounds/query';
import type { Round } from '../../rounds/round';
import { spinsAvailable } from '../../rounds/round-call';
import {
  type AtFront,
  type Caller,
  checkCertain,
  type Core,
  type EngineWork,
  inLane,
} from '../core/parts';
import { historyReplyOf, roundInfoOf, roundReplyOf, tokenDataOf } from '../core/reply';
import { refusedBy } from '../core/carry-out';
import { playerKey } from '../state/keys';

/** getGameRoundInfo (E14.1). */
export const roundInfo: EngineWork<'getGameRoundInfo'> = (core, gameProviderId, request) =>
  ask(core, gameProviderId, 'getGameRoundInfo', request, (round, caller) =>
    roundReplyOf(core.state, core.surroundings, caller, round),
  );

/** getGameRoundHistoryInfo (E14.2). */
export const historyInfo: EngineWork<'getGameRoundHistoryInfo'> = (core, gameProviderId, request) =>
  ask(core, gameProviderId, 'getGameRoundHistoryInfo', request, (round, caller) =>
    historyReplyOf(roundReplyOf(core.state, core.surroundings, caller, round), round),
  );

/** getUncollectedAmount (E14.4). */
export const uncollectedAmount: EngineWork<'getUncollectedAmount'> = (
  core,
  gameProviderId,
  request,
) =>
  ask(core, gameProviderId, 'getUncollectedAmount', request, (round, caller) => ({
    tokenData: tokenDataOf(core.state, caller),
    amountToCollect: replyOf(round).amountToCollect,
  }));

/** getAvailableSpinCounter: 0 for a counter that is not known (E11.4). */
export const availableSpins: EngineWork<'getAvailableSpinCounter'> = (
  core,
  gameProviderId,
  request,
) =>
  ask(core, gameProviderId, 'getAvailableSpinCounter', request, (round, caller) => ({
    tokenData: tokenDataOf(core.state, caller),
    amountToCollect: replyOf(round).amountToCollect,
    spinsAvailable: spinsAvailable(round, request.counterType),
  }));

/** getLastGameRounds: the player's latest rounds in this game that were taken, latest first (E14.4). */
export const lastRounds: EngineWork<'getLastGameRounds'> = (
  core,
  gameProviderId,
  { token, count },
) => {
  const named = { gameProviderId, name: 'getLastGameRounds', token, gameRound: null } as const;
  return inLane(core, named, async ({ caller, player }) => {
    const gameRounds: EngineReplies['getLastGameRounds']['gameRounds'][number][] = [];
    for (const round of core.state.rounds.latestOf(player)) {
      if (gameRounds.length >= (count ?? maxRounds)) break;
      const { gameRound } = round;
      const call = { call: 'getGameRoundInfo', gameRound } as const;
      const decided = decideQuery({ session: caller.grant }, round, call);
      if (decided.kind === 'answered') gameRounds.push(roundInfoOf(round));
    }
    return { tokenData: tokenDataOf(core.state, caller), gameRounds };
  });
};

/** The most rounds that getLastGameRounds lists, and what it lists if no count is given (E14.4). */
const maxRounds = 100;

/** A query of a round waits in the lane of its player too (E15.3). */
function ask<T>(
  core: Core,
  gameProviderId: string,
  name: RoundQuery['call'],
  { token, gameRound }: TokenAndRound,
  reply: (round: Round, caller: Caller) => T,
): Promise<T> {
  return inLane(core, { gameProviderId, name, token, gameRound }, async (at) => {
    const round = await answer(core, gameProviderId, name, gameRound, at);
    return reply(round, at.caller);
  });
}

/** The round; a refusal that spends the id is durable before it is given (E14.1). */
async function answer(
  core: Core,
  gameProviderId: string,
  call: RoundQuery['call'],
  gameRound: string,
  { caller, player }: AtFront,
): Promise<Round> {
  checkCertain(core, player);
  const { state, committer, clock } = core;
  const found = state.rounds.find(gameProviderId, gameRound);
  const decided = decideQuery({ session: caller.grant }, found, { call, gameRound });
  if (decided.kind === 'answered') return decided.round;
  const isSpending = decided.spendsId && core.spendQueriedIds && canStart(gameRound);
  if (isSpending && !state.isSpent(player, gameProviderId, gameRound)) {
    const { operatorId, playerId, mode } = player;
    const name = { gameProviderId, operatorId, playerId, mode, gameRound };
    const spent = { type: 'idSpent', ...name, at: clock.now() } as const;
    await committer.append(playerKey(player), () => [spent]);
  }
  throw refusedBy(decided.refusal);
}

/** Whether a start may come with this id (E4.2); what is longer may be a token sent by mistake (E5.1). */
function canStart(gameRound: string): boolean {
  return gameRound.length <= longestId;
}

/** Most characters of externalGameProviderRoundId (E4.2). */
const longestId = 32;
