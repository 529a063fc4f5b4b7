import {
  type Clock,
  type Logger,
  type Random,
  safeLogger,
  systemClock,
  systemRandom,
} from '../../platform';
import { LineLimit } from '../../platform/line-limit';
import {
  checkOptionNames,
  checkPorts,
  type OptionNames,
  schemasOf,
} from '../../platform/validation';
import { type CallerSecrets, readCredentials } from '../../protocol/authentication/credentials';
import { type EngineErrorCode, engineErrors } from '../../protocol/engine-api/errors';
import { engineSignedFields } from '../../protocol/signature';
import type { ProviderCallEvent, ProviderHandlers } from './handlers';

/** A game provider that the RGS calls, with all its current secrets: several during a rotation (D1.2). */
export interface ProviderCredentials {
  /** X-H-AUTH-ID: the provider's own id, in this direction too (E2.8). */
  readonly gameProviderId: string;
  /** Each at least 16 bytes, without surrounding white space. */
  readonly secrets: readonly string[];
}

/** The fields that a call signs after secret, id and timestamp, where your RGS signs others (E2.8). */
export interface ProviderSignedFields {
  /** `['gameRound']` unless set. */
  readonly doAutoClose?: readonly string[];
  /** `['gameRound']` unless set. */
  readonly getGameResult?: readonly string[];
  /** None unless set; for certifiedfiles too. */
  readonly health?: readonly string[];
}

/** Your own error ids and texts, by code (E3). */
export type EngineErrorOverrides = {
  readonly [code in EngineErrorCode]?: {
    readonly id?: number;
    readonly msg?: string;
    readonly clientmsg?: string;
  };
};

/** Options of {@link createGameProviderRouter} and {@link createGameProviderHandler}. */
export interface GameProviderOptions extends ProviderHandlers {
  readonly providers: readonly ProviderCredentials[];
  /** Whether /health has to be signed; false unless set. */
  readonly verifyHealth?: boolean;
  /** Largest difference between X-H-TIMESTAMP and the clock, in milliseconds; 300,000 unless set (D1.3). */
  readonly clockToleranceMs?: number;
  /** Longest time to wait for a handler, in milliseconds; 4000 unless set: the RGS waits 5000 (E23.1). */
  readonly deadlineMs?: number;
  /** Largest body, in bytes; 65,536 unless set. */
  readonly maxBodyBytes?: number;
  /** Number of latest signatures that the process remembers; 10,000 unless set. */
  readonly rememberedSignatures?: number;
  readonly signedFields?: ProviderSignedFields;
  readonly errors?: EngineErrorOverrides;
  /** A pino logger, or anything with its `info`, `warn` and `error`; silent unless set. */
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Source of the error references and of the decoys of secrets; the machine's own unless set. */
  readonly random?: Random;
  /** Called after every answer; what it throws is logged. */
  readonly onCall?: (event: ProviderCallEvent) => void;
}

/** The options, checked, complete and frozen; secrets wrapped. */
export interface GameProviderSettings {
  readonly secrets: CallerSecrets;
  readonly handlers: ProviderHandlers;
  readonly verifyHealth: boolean;
  readonly clockToleranceMs: number;
  readonly deadlineMs: number;
  readonly maxBodyBytes: number;
  readonly rememberedSignatures: number;
  readonly signedFields: Required<ProviderSignedFields>;
  readonly errors: EngineErrorOverrides;
  readonly logger: Logger;
  /** Bounds the lines about callers that are not verified. */
  readonly unverified: LineLimit;
  readonly clock: Clock;
  readonly random: Random;
  readonly onCall: ((event: ProviderCallEvent) => void) | null;
}

const handlerNames = [
  'getGameConfiguration',
  'doAutoClose',
  'getGameResult',
  'health',
  'certifiedFiles',
] as const;
const optionNames: OptionNames<GameProviderOptions> = {
  providers: true,
  getGameConfiguration: true,
  doAutoClose: true,
  getGameResult: true,
  health: true,
  certifiedFiles: true,
  verifyHealth: true,
  clockToleranceMs: true,
  deadlineMs: true,
  maxBodyBytes: true,
  rememberedSignatures: true,
  signedFields: true,
  errors: true,
  logger: true,
  clock: true,
  random: true,
  onCall: true,
};
const schemas = schemasOf('options', ['provider', 'provider-credentials', 'errors']);

/**
 * Checks the options and fills in defaults.
 * @throws TypeError that names the wrong option; no value is repeated, because it may be a secret.
 */
export function readProviderOptions(
  options: GameProviderOptions,
  maker: string,
): GameProviderSettings {
  checkOptionNames(maker, options, optionNames);
  const { logger, clock, random, onCall, ...rest } = options;
  const { getGameConfiguration, doAutoClose, getGameResult, health, certifiedFiles, ...data } =
    rest;
  const handlers = { getGameConfiguration, doAutoClose, getGameResult, health, certifiedFiles };
  if (Object.keys(data.errors ?? {}).some((code) => !Object.hasOwn(engineErrors, code))) {
    throw new TypeError(`${maker}: errors has an unknown code`);
  }
  const fault = schemas.findFault('provider', data);
  if (fault !== null) throw new TypeError(`${maker}: ${fault}`);
  checkPorts(maker, { logger, clock, random, onCall, ...handlers });
  if (handlerNames.every((name) => handlers[name] === undefined)) {
    throw new TypeError(`${maker}: at least one of ${handlerNames.join(', ')} must be given`);
  }
  const source = random ?? systemRandom;
  const log = safeLogger(logger);
  const place = { list: `${maker}: providers`, idName: 'gameProviderId' };
  const credentials = data.providers.map(({ gameProviderId: id, secrets }) => ({ id, secrets }));
  return Object.freeze({
    secrets: readCredentials(credentials, source, place),
    handlers: Object.freeze(defined(handlers)),
    verifyHealth: data.verifyHealth ?? false,
    clockToleranceMs: data.clockToleranceMs ?? 300_000,
    deadlineMs: data.deadlineMs ?? 4000,
    maxBodyBytes: data.maxBodyBytes ?? 65_536,
    rememberedSignatures: data.rememberedSignatures ?? 10_000,
    signedFields: Object.freeze({ ...defaultSignedFields, ...data.signedFields }),
    errors: data.errors ?? {},
    logger: log,
    unverified: limitOf(clock ?? systemClock, log),
    clock: clock ?? systemClock,
    random: source,
    onCall: onCall ?? null,
  });
}

/** Of callers who are not verified a few lines a second are written, and the others counted. */
function limitOf(clock: Clock, logger: Logger): LineLimit {
  return new LineLimit(clock, (leftOut) => {
    logger.warn(
      { leftOut },
      'game provider calls refused without a line each: too many of unverified callers',
    );
  });
}

const namesOf = (fields: readonly { readonly name: string }[]): readonly string[] =>
  fields.map(({ name }) => name);

const defaultSignedFields: Required<ProviderSignedFields> = {
  doAutoClose: namesOf(engineSignedFields.doAutoClose),
  getGameResult: namesOf(engineSignedFields.getGameResult),
  health: namesOf(engineSignedFields.health),
};

function defined(
  handlers: { readonly [name in keyof ProviderHandlers]: unknown },
): ProviderHandlers {
  const given = Object.entries(handlers).filter(([, handler]) => handler !== undefined);
  return Object.fromEntries(given);
}
