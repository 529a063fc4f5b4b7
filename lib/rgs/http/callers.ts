import type { IncomingMessage } from 'node:http';
import type { Clock, Random } from '../../platform';
import { type Claim, type CallerSecrets, readClaim } from '../../protocol/authentication';
import { EngineRefusedError } from '../../protocol/engine-api';

/**
 * The one reply to every failure of authentication of an API (E2.1, D1.1). Created once: a forged request
 * should cost as little as possible, and every new error records its stack.
 */
export function createRefusal(rule: string): EngineRefusedError {
  return Object.freeze(new EngineRefusedError('SIGNATUREWRONG', rule));
}

/** What is needed to know a caller. */
export interface CallerCheck {
  /** What every failure of authentication is answered with. */
  readonly refusal: EngineRefusedError;
  readonly secrets: CallerSecrets;
  /** Real time. */
  readonly clock: Clock;
  readonly clockToleranceMs: number;
}

/**
 * What a request claims about its sender; nothing of it is verified yet.
 * @throws EngineRefusedError 401 unless each header is there once and the timestamp is near (E2.1).
 */
export function claimOf(request: IncomingMessage, check: CallerCheck): Claim {
  const { clock, clockToleranceMs: toleranceMs, refusal } = check;
  const claim = readClaim(request, { nowMs: clock.now(), toleranceMs });
  if (claim === null) throw refusal;
  return claim;
}

/** A function of an option, or null. @throws TypeError that names the option. */
export function checkFunction<T>(maker: string, name: string, given: T | undefined): T | null {
  if (given === undefined) return null;
  if (typeof given === 'function') return given;
  throw new TypeError(`${maker}: ${name} must be a function`);
}

/** Checks a port of an option. @throws TypeError that names the option and the missing method. */
export function checkMethods(
  maker: string,
  name: string,
  value: unknown,
  methods: readonly string[],
): void {
  const object = Object(value) as Record<string, unknown>;
  for (const method of methods) {
    if (typeof object[method] === 'function') continue;
    throw new TypeError(`${maker}: ${name} must have a function ${method}`);
  }
}

/** The methods of the ports of time and chance. */
export const portMethods: {
  readonly [port in 'clock' | 'random']: readonly (keyof Clock | keyof Random)[];
} = {
  clock: ['now', 'monotonicMs', 'pause', 'after'],
  random: ['next', 'bytes'],
};
