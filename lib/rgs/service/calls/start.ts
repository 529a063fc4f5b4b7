import { randomUuid } from '../../../platform/random';
import type { EngineReplies } from '../../../protocol/engine-api/replies';
import { EngineRefusedError } from '../../../protocol/engine-api/errors';
import type { StartGameRound } from '../../../protocol/engine-api/calls';
import type { WithToken } from '../../../protocol/engine-api/requests';
import type { Decision } from '../../rounds/decision';
import type { Lookup } from '../../rounds/context';
import { start, startOrAddDebit } from '../../rounds/start';
import { type AtFront, contextOf, type Core, inLane } from '../core/parts';
import { carryOut } from '../core/carry-out';
import { roundReplyOf } from '../core/reply';
import { playerKey, roundKey } from '../state/keys';

/** Ids of rounds that are being started, with the player of each; they are not durable yet. */
export type Claims = Map<string, string>;

/** startGameRound and startGameOrAddBet (E7, E8). */
export function startRound(
  core: Core,
  claims: Claims,
  gameProviderId: string,
  call: StartGameRound & WithToken,
): Promise<EngineReplies['startGameRound']> {
  const { call: name, token, externalGameProviderRoundId: id } = call;
  return inLane(core, { gameProviderId, name, token, gameRound: id }, async (at) => {
    const claim = id === null ? null : claimed(claims, roundKey(gameProviderId, id), at);
    try {
      const round = await carryOut(core, name, at, (hasTried) => decide(core, at, call, hasTried));
      return roundReplyOf(core.state, core.surroundings, at.caller, round);
    } catch (error) {
      const isDiscount = error instanceof EngineRefusedError && error.errorObject.id === 33;
      if (isDiscount) core.surroundings.refreshBalance(at.caller.grant, core.cause);
      throw error;
    } finally {
      if (claim !== null) claims.delete(claim);
    }
  });
}

function decide(core: Core, at: AtFront, call: StartGameRound, hasTried: boolean): Decision {
  const rule = call.call === 'startGameRound' ? start : startOrAddDebit;
  return rule(contextOf(core, at.caller), lookupOf(core, at, call, hasTried), call);
}

/**
 * Claims an id for its player, until its start is over: two players may send one at the same moment, and it
 * is only known once it is durable.
 * @throws EngineRefusedError 37 if another player claims it (E15.1).
 */
function claimed(claims: Claims, key: string, { player }: AtFront): string {
  if (claims.has(key)) throw new EngineRefusedError('TRANSACTIONALREADYEXISTS', 'E15.1');
  claims.set(key, playerKey(player));
  return key;
}

function lookupOf(
  { state, surroundings, random }: Core,
  { caller: { grant }, player }: AtFront,
  { externalGameProviderRoundId: id, debitInformation }: StartGameRound,
  hasTried: boolean,
): Lookup {
  const { gameProviderId } = grant.owner;
  return {
    known: id === null ? null : state.rounds.find(gameProviderId, id),
    isElsewhere: id !== null && state.rounds.isElsewhere(grant.owner, id),
    openRounds: state.rounds.openOf(player),
    isSpent: id !== null && state.isSpent(player, gameProviderId, id),
    newRoundId: randomUuid(random),
    hasTried,
    offer: surroundings.offerFor(grant, debitInformation.debitAmount),
  };
}
