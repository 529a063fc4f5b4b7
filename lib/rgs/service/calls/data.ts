import { randomUuid } from '../../../platform/random';
import { EngineRefusedError } from '../../../protocol/engine-api/errors';
import { drawValues } from '../../random';
import { type Caller, callerOf, type Core, type EngineWork, noteCall } from '../core/parts';
import { tokenDataOf } from '../core/reply';
import { playerKey } from '../state/keys';

/** getPlayerData (E20.2). It waits in no lane (E15.3). */
export const getPlayerData: EngineWork<'getPlayerData'> = async (core, gameProviderId, request) => {
  const { grant } = sessionOf(core, gameProviderId, 'getPlayerData', request.token);
  return { data: core.state.playerData.get(grant.owner, request, core.clock.now()) };
};

/** setPlayerData: an upsert, and the entries that the request's currency and stake let through (E20.2). */
export const setPlayerData: EngineWork<'setPlayerData'> = async (core, gameProviderId, request) => {
  const { state, committer, clock } = core;
  const { owner } = sessionOf(core, gameProviderId, 'setPlayerData', request.token).grant;
  await committer.append(playerKey(owner), () =>
    state.playerData
      .set(owner, request, clock.now())
      .map((event) => ({ type: 'playerData', event })),
  );
  return { data: state.playerData.get(owner, request, clock.now()) };
};

/** getRandomResult (E22.1). */
export const getRandomResult: EngineWork<'getRandomResult'> = async (
  core,
  gameProviderId,
  request,
) => {
  const caller = sessionOf(core, gameProviderId, 'getRandomResult', request.token);
  const values = drawValues(core.draws, request);
  const rngRequestId = core.omitRngRequestId ? null : randomUuid(core.random);
  return { tokenData: tokenDataOf(core.state, caller), values, rngRequestId };
};

/** getOperatorSettings: without a session, so without a profile and launch options (E21.1). */
export const getOperatorSettings: EngineWork<'getOperatorSettings'> = async (
  { games, settingsBook, operatorIds },
  gameProviderId,
  { game, operator, currency },
) => {
  if (games.get(game)?.gameProviderId !== gameProviderId) {
    throw new EngineRefusedError('GAMENOTFOUND', 'E21.1');
  }
  if (!operatorIds.has(operator)) throw new EngineRefusedError('INVALIDPARAMETER', 'E21.1');
  const currencyMultiplier = settingsBook.multiplierOf(currency);
  const choice = { operatorId: operator, currencyMultiplier, profile: null, options: {} };
  return settingsBook.settingsFor(choice);
};

function sessionOf(
  core: Core,
  gameProviderId: string,
  name: 'getPlayerData' | 'setPlayerData' | 'getRandomResult',
  token: string,
): Caller {
  const named = { gameProviderId, name, token, gameRound: null };
  const caller = callerOf(core.state, core.clock.now(), named);
  noteCall(core, named, caller.grant);
  return caller;
}
