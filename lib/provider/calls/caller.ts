import { type CallOptions, CallRunner } from '../../protocol/client/run-call';
import { InvalidRequestError, RgsClientError, ServiceError } from '../../protocol/client/errors';
import type { Outgoing } from '../../protocol/client/outgoing';
import type { EngineCall } from '../../protocol/engine-api/requests';
import { engineErrors } from '../../protocol/engine-api/errors';
import type { EngineReplies, RoundReply } from '../../protocol/engine-api/replies';
import { readReply } from '../../protocol/engine-api/read-reply';
import { writeRequest, writeSettingsQuery } from '../../protocol/engine-api/write-request';
import { MessageFault } from '../../protocol/json/documents';
import { type EngineCaller, type EngineInputs, isVoided } from './requests';
import type { GameEngineSettings } from './options';

/**
 * What a repeat of a call does (S1). Reads change nothing. A harmless call has the same result twice. A void
 * is repeated as its specification says (G 7.3). Money is never repeated blindly: see recover. Numbers drawn
 * twice are a matter for the auditor.
 */
type CallClass = 'read' | 'harmless' | 'void' | 'money' | 'draw';

/** The class of every call (S1). */
export const callClasses: Readonly<Record<EngineCall, CallClass>> = {
  getGameRoundInfo: 'read',
  getGameRoundHistoryInfo: 'read',
  getBalance: 'read',
  getPlayerData: 'read',
  getOperatorSettings: 'read',
  getAvailableSpinCounter: 'read',
  getUncollectedAmount: 'read',
  getTokenData: 'read',
  getLastGameRounds: 'read',
  testPing: 'read',
  setPlayerData: 'harmless',
  getTokenForGameRound: 'harmless',
  voidGameRound: 'void',
  startGameRound: 'money',
  startGameOrAddBet: 'money',
  addWin: 'money',
  wagerWin: 'money',
  addSpinCounterGameState: 'money',
  endGameRound: 'money',
  collectWin: 'money',
  getRandomResult: 'draw',
};

/** Whether the client repeats a call by itself after a 5xx, a time-out or a network failure (S1). */
function isRepeatedByItself(name: EngineCall): boolean {
  return !['money', 'draw'].includes(callClasses[name]);
}

/** The schema's words for a wrong amount; the caller knows bigint and number, not JSON. */
const problems = new Map([
  [
    'must be integer,string',
    'must be a whole number of minor units, as a bigint or a safe integer',
  ],
]);

/**
 * A call, checked and written once; each attempt signs these bytes anew (S1, E2.2).
 * @throws InvalidRequestError that names the wrong field; nothing was sent.
 */
function outgoingOf(name: EngineCall, request: unknown, emptyBodyAs: '' | '{}'): Outgoing {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw new InvalidRequestError(name, 'the request', 'must be an object');
  }
  const isRepeatable = isRepeatedByItself(name);
  const signed = { kind: 'body', emptyBodyAs } as const;
  const isEffectKept = callClasses[name] === 'void';
  const common = { operation: name, signed, isRepeatable, isEffectKept, mayBeEmpty: false };
  try {
    if (name === 'getOperatorSettings') {
      const target = `/${name}${writeSettingsQuery(request)}`;
      return { ...common, method: 'GET', target, body: null };
    }
    return { ...common, method: 'POST', target: `/${name}`, body: writeRequest(name, request) };
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    const field = error.pointer === '' ? 'the request' : error.pointer.slice(1);
    throw new InvalidRequestError(name, field, problems.get(error.problem) ?? error.problem);
  }
}

const notActive = engineErrors.GAMEROUNDNOTACTIVE.id;
const neverTaken = engineErrors.GAMEROUNDNOTSTARTED.id;

/** Makes every call with its attempts, signatures and checks (S1). */
export function engineCaller(settings: GameEngineSettings): EngineCaller {
  const runner = new CallRunner(settings);
  const once: EngineCaller = async (name, request, options) => {
    const outgoing = outgoingOf(name, request, settings.emptyBodyAs);
    return runner.run(outgoing, (document) => readReply(name, document), options);
  };
  return async <Name extends EngineCall>(
    name: Name,
    request: EngineInputs[Name],
    options: CallOptions = {},
  ): Promise<EngineReplies[Name]> => {
    const startedAt = settings.clock.monotonicMs();
    try {
      return await once(name, request, options);
    } catch (error) {
      if (name !== 'voidGameRound' || !isAfterLostAttempt(error)) throw error;
      const { timeoutMs = settings.timeoutMs, ...rest } = options;
      const leftMs = timeoutMs - (settings.clock.monotonicMs() - startedAt);
      const left = { ...rest, timeoutMs: Math.max(1, leftMs) };
      const voided = request as EngineInputs['voidGameRound'];
      return (await voidedRound(once, voided, error, left)) as EngineReplies[Name];
    }
  };
}

/** A 13 that an earlier attempt of the same call may have caused. */
function isAfterLostAttempt(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.id === notActive && error.attempts > 1;
}

/**
 * The history of a round whose void was answered 13 after a lost attempt: voided is success (S1).
 * @throws the 13 as a refusal where the round was not voided; else what leaves the outcome unknown.
 */
async function voidedRound(
  call: EngineCaller,
  { token, gameRound }: EngineInputs['voidGameRound'],
  refusal: ServiceError,
  options: CallOptions,
): Promise<RoundReply> {
  try {
    const round = await call('getGameRoundHistoryInfo', { token, gameRound }, options);
    if (isVoided(round)) return round;
  } catch (error) {
    if (error instanceof RgsClientError && error.outcome === 'unknown') throw error;
    if (!(error instanceof ServiceError && error.id === neverTaken)) throw refusal;
  }
  throw withoutDoubt(refusal);
}

/** The history has shown that no attempt did anything. */
function withoutDoubt(refusal: ServiceError): ServiceError {
  const { operation, attempts, status, errorReference, serviceCode } = refusal;
  return new ServiceError({ operation, attempts }, status, refusal, {
    errorReference,
    serviceCode,
  });
}
