import type { AttemptEvent } from '../../protocol/client/ports';
import { clientOptionNames, type ClientOptions } from '../../protocol/client/options';
import { type ClientSettings, readConnection } from '../../protocol/client/connection';
import { errorCatalogue } from '../../protocol/operator-api/catalogue';
import {
  checkOptionNames,
  checkPorts,
  type OptionNames,
  schemasOf,
} from '../../platform/validation';
import type { Logger } from '../../platform';
import { spansOf } from '../../platform/tracing';
import { type EventListener, type Events, eventsTo } from '../events';

/** Options of {@link createRgsClient}. */
export interface RgsClientOptions extends ClientOptions {
  /** X-H-AUTH-ID. */
  readonly operatorId: string;
}

const optionNames: OptionNames<RgsClientOptions> = {
  ...clientOptionNames,
  operatorId: true,
};

const schemas = schemasOf('options', ['client']);

/** The codes that the Operator API has for error ids (D8). */
const codes = new Map(Object.entries(errorCatalogue).map(([code, { id }]) => [id, code]));

/**
 * Checks the options and fills in defaults.
 * @throws TypeError that names the wrong option; no value is repeated, because it may be a secret.
 */
export function readClientOptions(options: RgsClientOptions): ClientSettings {
  const maker = 'createRgsClient';
  checkOptionNames(maker, options, optionNames);
  const { secret, onAttempt, logger, tracer, clock, random, fetch, ...data } = options;
  const problem = schemas.findFault('client', data);
  if (problem !== null) throw new TypeError(`${maker}: ${problem}`);
  checkPorts(maker, { logger, clock, random, onAttempt, fetch });
  const id = { name: 'operatorId', value: data.operatorId };
  const connection = readConnection(maker, id, { ...data, secret, clock, random, fetch });
  const events = eventsOf(logger, onAttempt);
  return Object.freeze({
    ...connection,
    spans: spansOf(maker, tracer),
    idName: 'operator ID',
    errors: { isLenient: false, codes },
    newRequestId: null,
    reportAttempt: (attempt: AttemptEvent) => events.emit({ kind: 'rgsAttempt', attempt }),
  });
}

function eventsOf(logger: Logger | undefined, onAttempt: RgsClientOptions['onAttempt']): Events {
  const log = eventsTo(logger);
  return onAttempt === undefined ? log : log.with(attemptHook(onAttempt, log));
}

/** The user's hook as a listener; what it throws goes to `log`. */
function attemptHook(onAttempt: (event: AttemptEvent) => unknown, log: Events): EventListener {
  const failed = (error: unknown): void =>
    log.emit({ kind: 'hookFailed', hook: 'onAttempt', error, names: {} });
  return {
    wants: (kind) => kind === 'rgsAttempt',
    on: (event) => {
      if (event.kind !== 'rgsAttempt') return;
      try {
        // A hook that is async must not end the process.
        Promise.resolve(onAttempt(event.attempt)).catch(failed);
      } catch (error) {
        failed(error);
      }
    },
  };
}
