import type { Balance, EngineReplies, WithToken } from '../../../protocol/engine-api';
import { type Core, callerOf, inLane, noteCall, tokenDataOf } from '../core';
import { balanceOf } from './browser';

/** getBalance: always asks the operator (E17.1). It waits in the lane (E15.3). */
export function getBalance(
  core: Core,
  gameProviderId: string,
  { token }: WithToken,
): Promise<Balance> {
  const named = { gameProviderId, name: 'getBalance', token, gameRound: null } as const;
  return inLane(core, named, async ({ caller }) => {
    return balanceOf(await core.surroundings.fetchBalance(caller.grant, core.cause));
  });
}

/** getTokenData (E14.4). */
export async function getTokenData(
  core: Core,
  gameProviderId: string,
  { token }: WithToken,
): Promise<EngineReplies['getTokenData']> {
  const named = { gameProviderId, name: 'getTokenData', token, gameRound: null } as const;
  const caller = callerOf(core.state, core.clock.now(), named);
  noteCall(core, named, caller.grant);
  return { tokenData: tokenDataOf(core.state, caller) };
}

/** testPing: the data comes back (E22.2). */
export async function testPing(
  { clock }: Core,
  gameProviderId: string,
  { testData }: { readonly testData: string },
): Promise<EngineReplies['testPing']> {
  const timestamp = new Date(clock.now()).toISOString();
  return { testDataReceived: testData, timestamp, gameProviderId, signed: 'body' };
}
