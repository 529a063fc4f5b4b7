import { type Logger, safeLogger } from '../../platform';
import { randomUuid } from '../../platform/random';
import { spansOf } from '../../platform/tracing';
import {
  checkOptionNames,
  checkPorts,
  type OptionNames,
  schemasOf,
} from '../../platform/validation';
import type { AttemptEvent } from '../../protocol/client/ports';
import { clientOptionNames, type ClientOptions } from '../../protocol/client/options';
import { type ClientSettings, readConnection } from '../../protocol/client/connection';
import { engineErrors } from '../../protocol/engine-api/errors';

/** Options of {@link createGameEngineClient}; `baseUrl` is the address of the engine calls, such as `https://rgs.example/gameapi/v2`. */
export interface GameEngineClientOptions extends ClientOptions {
  /** X-H-AUTH-ID. */
  readonly gameProviderId: string;
  /** What is signed for getOperatorSettings, which has no body; `''` unless set (E2.3). */
  readonly emptyBodyAs?: '' | '{}';
  /** Makes the ids of rounds: at most 32 characters, never one twice. 32 hexadecimal digits unless set. */
  readonly newId?: () => string;
}

/** The options, checked, complete and frozen; the secret wrapped. */
export interface GameEngineSettings extends ClientSettings {
  readonly emptyBodyAs: '' | '{}';
  readonly newId: () => string;
}

const optionNames: OptionNames<GameEngineClientOptions> = {
  ...clientOptionNames,
  gameProviderId: true,
  emptyBodyAs: true,
  newId: true,
};

const schemas = schemasOf('options', ['engine-client']);

/** The codes of the Game Engine API by id (E3). */
const codes = new Map(Object.entries(engineErrors).map(([code, { id }]) => [id, code]));

/**
 * Checks the options and fills in defaults.
 * @throws TypeError that names the wrong option; no value is repeated, because it may be a secret.
 */
export function readEngineOptions(options: GameEngineClientOptions): GameEngineSettings {
  const maker = 'createGameEngineClient';
  checkOptionNames(maker, options, optionNames);
  const { secret, onAttempt, logger, tracer, clock, random, fetch, newId, ...data } = options;
  const problem = schemas.findFault('engine-client', data);
  if (problem !== null) throw new TypeError(`${maker}: ${problem}`);
  checkPorts(maker, { logger, clock, random, onAttempt, fetch, newId });
  const id = { name: 'gameProviderId', value: data.gameProviderId };
  const connection = readConnection(maker, id, { ...data, secret, clock, random, fetch });
  return Object.freeze({
    ...connection,
    spans: spansOf(maker, tracer),
    idName: 'game provider ID',
    errors: { isLenient: true, codes },
    newRequestId: () => randomUuid(connection.random),
    reportAttempt: attemptReporter(safeLogger(logger), onAttempt),
    emptyBodyAs: data.emptyBodyAs ?? '',
    newId: newId ?? (() => connection.random.bytes(16).toString('hex')),
  });
}

/** Reports an attempt to the log and the hook. */
function attemptReporter(
  logger: Logger,
  onAttempt: GameEngineClientOptions['onAttempt'],
): (attempt: AttemptEvent) => void {
  const failed = (err: unknown): void => logger.error({ err }, 'hook onAttempt failed');
  return (attempt) => {
    if (attempt.outcome === 'failed') {
      logger.warn({ ...attempt }, 'an attempt to call the RGS failed');
    }
    if (onAttempt === undefined) return;
    try {
      // A hook that is async must not end the process.
      Promise.resolve(onAttempt(attempt)).catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}
