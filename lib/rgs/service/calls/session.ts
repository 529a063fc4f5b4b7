import { decideToken } from '../../rounds/query';
import { grantOf } from '../../grants';
import { tokenBytes, tokenOf } from '../../session-tokens';
import {
  callerOf,
  checkCertain,
  commitSessions,
  type EngineWork,
  inLane,
  noteCall,
} from '../core/parts';
import { refusedBy } from '../core/carry-out';
import { tokenDataOf } from '../core/reply';
import { playerKey } from '../state/keys';
import { balanceOf } from './browser';

/** getBalance: always asks the operator (E17.1). It waits in the lane (E15.3). */
export const getBalance: EngineWork<'getBalance'> = (core, gameProviderId, { token }) => {
  const named = { gameProviderId, name: 'getBalance', token, gameRound: null } as const;
  return inLane(core, named, async ({ caller }) => {
    return balanceOf(await core.surroundings.fetchBalance(caller.grant, core.cause));
  });
};

/** getTokenData (E14.4). */
export const getTokenData: EngineWork<'getTokenData'> = async (core, gameProviderId, { token }) => {
  const named = { gameProviderId, name: 'getTokenData', token, gameRound: null } as const;
  const caller = callerOf(core.state, core.clock.now(), named);
  noteCall(core, named, caller.grant);
  return { tokenData: tokenDataOf(core.state, caller) };
};

/** testPing: the data comes back (E22.2). */
export const testPing: EngineWork<'testPing'> = async ({ clock }, gameProviderId, { testData }) => {
  const timestamp = new Date(clock.now()).toISOString();
  return { testDataReceived: testData, timestamp, gameProviderId, signed: 'body' };
};

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
export const tokenForRound: EngineWork<'getTokenForGameRound'> = async (
  core,
  gameProviderId,
  { gameRound },
) => {
  const { state, lanes, clock, random } = core;
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
    await commitSessions(core, owner, () => {
      find();
      return state.sessions.openJanitor(token, grant, clock.now());
    });
    return { tokenData: tokenDataOf(state, { token, grant }) };
  });
};
