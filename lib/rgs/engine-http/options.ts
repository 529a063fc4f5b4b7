import {
  checkMethods,
  checkOptionNames,
  type OptionNames,
  schemasOf,
} from '../../platform/validation';
import { checkDistinctSecrets } from '../../protocol/authentication';
import {
  apiOptionNames,
  type ApiOptions,
  type ApiSettings,
  readApiOptions,
  withoutCode,
} from '../http/options';
import type { BrowserService, EngineService } from '../ports';

/** A game provider that may call, with all its current secrets: several during a rotation (E2.7). */
export interface ProviderCredentials {
  readonly gameProviderId: string;
  /** Each at least 16 bytes, without surrounding white space. */
  readonly secrets: readonly string[];
}

/** Options of {@link createEngineHandler}. */
export interface EngineHandlerOptions extends ApiOptions {
  readonly service: EngineService;
  readonly browser: BrowserService;
  readonly providers: readonly ProviderCredentials[];
  /** The operators' secrets: none may be a provider's too (E2.7). */
  readonly operators?: readonly { readonly secrets: readonly string[] }[];
  /** Whether X-Request-Id is required; true unless set (E2.5). */
  readonly requireRequestId?: boolean;
  /** What GET /status answers as `version`; `unknown` unless set (E22.2). */
  readonly version?: string;
}

/** The options, checked, complete and frozen; secrets wrapped. */
export interface EngineHandlerSettings extends ApiSettings {
  readonly service: EngineService;
  readonly browser: BrowserService;
  readonly requireRequestId: boolean;
  readonly version: string;
}

const maker = 'createEngineHandler';
const optionNames: OptionNames<EngineHandlerOptions> = {
  ...apiOptionNames,
  service: true,
  browser: true,
  providers: true,
  operators: true,
  requireRequestId: true,
  version: true,
};
const schemas = schemasOf('options', ['engine-handler']);

/**
 * Checks the options and fills in defaults.
 * @throws TypeError that names the wrong option; no value is repeated, because it may be a secret.
 */
export function readOptions(options: EngineHandlerOptions): EngineHandlerSettings {
  checkOptionNames(maker, options, optionNames);
  const { service, browser, operators = [] } = options;
  const data = withoutCode({ ...options, operators }, ['service', 'browser']);
  const fault = schemas.findFault('engine-handler', data);
  if (fault !== null) throw new TypeError(`${maker}: ${fault}`);
  checkMethods(maker, 'service', service, ['call']);
  checkMethods(maker, 'browser', browser, ['connect', 'reconnect', 'disconnect']);
  const callers = options.providers.map(({ gameProviderId: id, secrets }) => ({ id, secrets }));
  const place = { list: `${maker}: providers`, idName: 'gameProviderId' };
  const api = readApiOptions(maker, options, callers, place);
  checkDistinctSecrets(
    { credentials: operators, list: `${maker}: operators` },
    { credentials: callers, list: place.list },
  );
  return Object.freeze({
    ...api,
    service,
    browser,
    requireRequestId: options.requireRequestId ?? true,
    version: options.version ?? 'unknown',
  });
}
