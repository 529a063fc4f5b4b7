import { noBody, readBody, readBytes } from '../../platform/http';
import type { Claim } from '../../protocol/authentication/claim';
import type { EngineCall, EngineRequests } from '../../protocol/engine-api/requests';
import { EngineRefusedError } from '../../protocol/engine-api/errors';
import { memberMeant } from '../../protocol/engine-api/write-request';
import {
  type PostedCall,
  readRequest,
  readSettingsQuery,
} from '../../protocol/engine-api/read-request';
import { writeReply } from '../../protocol/engine-api/write-reply';
import { readQuery } from '../../protocol/operator-api/read-call';
import type { Api } from './api';
import { type ApiCall, visibleHeader } from './call';
import type { CallEvent } from './call-event';
import type { ApiSteps } from './endpoint';
import type { ApiSettings } from './options';
import type { RgsService } from '../service/calls';

/** The calls of game providers and browsers, after authentication and reading. */
export type EngineService = Pick<RgsService, 'call' | 'connect' | 'reconnect' | 'disconnect'>;

/** The settings of the Game Engine API. */
export interface EngineSettings extends ApiSettings {
  readonly service: EngineService;
  readonly requireRequestId: boolean;
}

/**
 * Whether an exact repeat of a request is processed like any other repeat (E2.6): a read changes nothing, and a call
 * with a key, or one that closes the round, finds its own effect (E15.1). Every other call would count
 * again, and random numbers would be drawn again.
 */
const isSafe: { readonly [Name in EngineCall]: (request: EngineRequests[Name]) => boolean } = {
  startGameRound: ({ externalGameProviderRoundId }) => externalGameProviderRoundId !== null,
  startGameOrAddBet: () => true,
  addWin: ({ externalGameProviderTransactionId, rngResult }) =>
    externalGameProviderTransactionId !== null || rngResult.rngCallId !== null,
  wagerWin: ({ wagerInformation, rngResult }) =>
    wagerInformation.externalGameProviderTransactionId !== null || rngResult.rngCallId !== null,
  addSpinCounterGameState: () => true,
  collectWin: ({ externalGameProviderTransactionId }) => externalGameProviderTransactionId !== null,
  endGameRound: () => true,
  voidGameRound: () => true,
  getGameRoundInfo: () => true,
  getGameRoundHistoryInfo: () => true,
  getUncollectedAmount: () => true,
  getAvailableSpinCounter: () => true,
  getTokenForGameRound: () => false,
  getBalance: () => true,
  getTokenData: () => true,
  getLastGameRounds: () => true,
  getPlayerData: () => true,
  setPlayerData: () => false,
  getRandomResult: () => false,
  testPing: () => true,
  getOperatorSettings: () => true,
};

/** Every call with a body (game-engine-api 4.2 to 4.12, 4.14, 4.15, 4.17). */
export function postedCalls(api: Api, settings: EngineSettings): ApiSteps<unknown>[] {
  const { getOperatorSettings: _, ...posted } = isSafe;
  return (Object.keys(posted) as PostedCall[]).map((name) => postedCall(name, api, settings));
}

/** What some stacks sign of a request without a body (E2.3). */
const emptyObject = Buffer.from('{}');

/** A call whose body is its request. */
function postedCall<Name extends PostedCall>(
  name: Name,
  api: Api,
  settings: EngineSettings,
): ApiSteps<EngineRequests[Name]> {
  return {
    name,
    method: 'POST',
    receive: (request) => readBody(request, settings.maxBodyBytes),
    verify(call) {
      const claim = api.callers.claimOf(call.request);
      const signed = api.callers.hasSigned(claim, call.body) ? 'body' : null;
      admit(name, call, claim, signed, api, settings);
    },
    read(call) {
      const document = api.callers.parse(call.body);
      const message = readRequest(name, document);
      call.gameRound = roundOf(message);
      // A member that is ignored, and that is almost one of the call: with `colect` a round stays open (E1.5).
      const meant = settings.onFinding === null ? null : memberMeant(name, document);
      if (meant !== null) api.found('misspeltMember', name, call, meant);
      return checkRepeat(name, call, message, api);
    },
    answer: (gameProviderId, message, cause) =>
      work(name, gameProviderId, message, cause, settings),
  };
}

/** GET getOperatorSettings: nothing but the timestamp is signed (game-engine-api 4.13, E2.3). */
export function settingsCall(
  api: Api,
  settings: EngineSettings,
): ApiSteps<EngineRequests['getOperatorSettings']> {
  const name = 'getOperatorSettings';
  return {
    name,
    method: 'GET',
    receive: (request) => readBytes(request, settings.maxBodyBytes),
    verify(call) {
      const claim = api.callers.claimOf(call.request);
      admit(name, call, claim, signedWithoutBody(claim, api), api, settings);
    },
    read(call) {
      const { body, request } = call;
      if (body.byteLength > 0 && !emptyObject.equals(body)) {
        throw new EngineRefusedError('INVALIDPARAMETER', 'E2.3', 400, 'a GET has no body');
      }
      return checkRepeat(name, call, readSettingsQuery(readQuery(request.url ?? '')), api);
    },
    answer: (gameProviderId, message, cause) =>
      work(name, gameProviderId, message, cause, settings),
  };
}

/** Which of the two is signed. Both are tried, whichever matches. */
function signedWithoutBody(claim: Claim, { callers }: Api): CallEvent['signed'] {
  const isNothing = callers.hasSigned(claim, noBody);
  const isObject = callers.hasSigned(claim, emptyObject);
  if (isNothing) return 'emptyBody';
  return isObject ? 'emptyObject' : null;
}

/**
 * Lets a verified request in, unless its signature came with another one.
 * @param signed Null if the signature is wrong.
 * @throws EngineRefusedError 401 (E2.1, E2.6), or 19 without X-Request-Id (E2.5).
 */
function admit(
  name: EngineCall,
  call: ApiCall<unknown>,
  { authId, signature }: Claim,
  signed: CallEvent['signed'],
  api: Api,
  { requireRequestId }: EngineSettings,
): void {
  const seen = signed === null ? api.callers.refuse() : api.see(signature, call);
  if (seen === 'other') api.callers.refuse();
  call.verdict = 'verified';
  call.signed = signed;
  call.callerId = authId;
  call.isRepeat = seen === 'same';
  const requestId = visibleHeader(call.request, 'x-request-id');
  if (requestId === null && requireRequestId) {
    const detail = 'X-Request-Id must be 1 to 128 visible ASCII characters';
    throw new EngineRefusedError('INVALIDPARAMETER', 'E2.5', 400, detail);
  }
  if (call.isRepeat || requestId === null) return;
  if (api.hasRequestId(authId, requestId)) api.found('requestIdRepeated', name, call);
}

/** The message, unless the request came before and would count again (E2.6). */
function checkRepeat<Name extends EngineCall>(
  name: Name,
  call: ApiCall<unknown>,
  message: EngineRequests[Name],
  api: Api,
): EngineRequests[Name] {
  if (!call.isRepeat) return message;
  api.found('exactRepeat', name, call);
  if (isSafe[name](message)) return message;
  call.verdict = 'refused';
  return api.callers.refuse();
}

async function work<Name extends EngineCall>(
  name: Name,
  gameProviderId: string,
  message: EngineRequests[Name],
  cause: number | null,
  { service }: EngineSettings,
): Promise<string> {
  return writeReply(name, await service.call(gameProviderId, name, message, cause));
}

/** The round that a request names, for the trace. */
function roundOf(message: object): string | null {
  const named = message as { gameRound?: unknown; externalGameProviderRoundId?: unknown };
  const id = named.gameRound ?? named.externalGameProviderRoundId;
  return typeof id === 'string' ? id : null;
}
