import { type CallOptions, CallRunner, RgsClientError, ServiceError } from '../../protocol/client';
import {
  type EngineCall,
  type EngineReplies,
  engineErrors,
  readReply,
  type RoundReply,
} from '../../protocol/engine-api';
import type { EngineCaller, EngineInputs } from './requests';
import { isVoided } from '../recovery/closed';
import type { GameEngineSettings } from './options';
import { outgoingOf } from './outgoing';

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
