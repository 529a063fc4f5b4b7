import type { Mounted } from '../../platform/http';
import { Api } from '../http/api';
import { mountApi } from '../http/mount';
import { operatorCalls } from './endpoints';
import { readOptions, type ServiceHandlerOptions } from './options';

/** The operator's calls at the RGS, without a framework. */
export type ServiceHandler = Mounted;

/**
 * The service's side of the Operator API over Node's request and response: getGameURL,
 * assignPlayerFreerounds, and the calls of the backoffice (operator-api 4.3 to 4.5, E24; D1 for
 * signatures).
 * @throws TypeError for wrong options, at creation.
 */
export function createServiceHandler(options: ServiceHandlerOptions): ServiceHandler {
  const settings = readOptions(options);
  const api = new Api(settings, { caller: 'D1.1', path: 'E1.4', body: 'D2.1' });
  return mountApi(operatorCalls(api, settings), api);
}
