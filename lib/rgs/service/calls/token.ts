import type { EngineReplies } from '../../../protocol/engine-api';
import { decideToken } from '../../rounds';
import { grantOf, tokenBytes, tokenOf } from '../../sessions';
import { type Core, checkCertain, refusedBy, tokenDataOf } from '../core';
import { playerKey } from '../state';

/** The session of a janitor has no launch. */
const noLaunch = {
  language: 'EN',
  device: null,
  externalSessionId: null,
  profile: null,
  options: {},
} as const;

/**
 * getTokenForGameRound: revokes every token of the player, operator and game, and issues the janitor's (E5.6).
 * It needs no token, and waits in the lane of the round's player.
 */
export async function tokenForRound(
  core: Core,
  gameProviderId: string,
  { gameRound }: { readonly gameRound: string },
): Promise<EngineReplies['getTokenForGameRound']> {
  const { state, committer, lanes, clock, random } = core;
  const find = () => {
    const decided = decideToken(gameProviderId, state.rounds.find(gameProviderId, gameRound));
    if (decided.kind === 'refused') throw refusedBy(decided.refusal);
    return decided.round;
  };
  const { owner } = find();
  return lanes.take(playerKey(owner), async () => {
    checkCertain(core, owner);
    const token = tokenOf(random.bytes(tokenBytes));
    const grant = grantOf({ owner, kind: 'janitor' }, noLaunch);
    await committer.commit(playerKey(owner), () => {
      find();
      const opened = state.sessions.openJanitor(token, grant, clock.now());
      return { events: opened.map((event) => ({ type: 'session', event })), result: null };
    });
    return { tokenData: tokenDataOf(state, { token, grant }) };
  });
}
