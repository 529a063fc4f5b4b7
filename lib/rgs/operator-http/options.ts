import {
  checkMethods,
  checkOptionNames,
  type OptionNames,
  schemasOf,
} from '../../platform/validation';
import {
  apiOptionNames,
  type ApiOptions,
  type ApiSettings,
  readApiOptions,
  withoutCode,
} from '../http/options';
import type { OperatorService } from '../ports';

/** An operator that may call, with all its current secrets: several during a rotation (D1.2). */
export interface CallingOperator {
  readonly operatorId: string;
  /** Each at least 16 bytes, without surrounding white space. */
  readonly secrets: readonly string[];
}

/** Options of {@link createServiceHandler}. */
export interface ServiceHandlerOptions extends ApiOptions {
  readonly service: OperatorService;
  readonly operators: readonly CallingOperator[];
  /**
   * The fields that getGameURL signs, in order; playerId, gameCode, currency, language, mode unless set. One
   * that is absent adds nothing (E24.2).
   */
  readonly gameUrlSignedFields?: readonly string[];
}

/** The options, checked, complete and frozen; secrets wrapped. */
export interface ServiceHandlerSettings extends ApiSettings {
  readonly service: OperatorService;
  /** Null for those of E24.2. */
  readonly gameUrlSignedFields: readonly string[] | null;
}

const maker = 'createServiceHandler';
const optionNames: OptionNames<ServiceHandlerOptions> = {
  ...apiOptionNames,
  service: true,
  operators: true,
  gameUrlSignedFields: true,
};
const calls: readonly (keyof OperatorService)[] = [
  'getGameURL',
  'assignPlayerFreerounds',
  'getStats',
  'getGameConfiguration',
  'getGameList',
  'registerPlayer',
  'sendRealityCheckResponse',
];
const schemas = schemasOf('options', ['service-handler', 'credentials']);

/**
 * Checks the options and fills in defaults.
 * @throws TypeError that names the wrong option; no value is repeated, because it may be a secret.
 */
export function readOptions(options: ServiceHandlerOptions): ServiceHandlerSettings {
  checkOptionNames(maker, options, optionNames);
  const { service } = options;
  const fault = schemas.findFault('service-handler', withoutCode(options, ['service']));
  if (fault !== null) throw new TypeError(`${maker}: ${fault}`);
  checkMethods(maker, 'service', service, calls);
  const callers = options.operators.map(({ operatorId: id, secrets }) => ({ id, secrets }));
  const place = { list: `${maker}: operators`, idName: 'operatorId' };
  const { gameUrlSignedFields = null } = options;
  return Object.freeze({
    ...readApiOptions(maker, options, callers, place),
    service,
    gameUrlSignedFields,
  });
}
