import { type Mounted, readBody } from '../../platform/http';
import type { Claim } from '../../protocol/authentication/claim';
import { isJsonObject, type JsonDocument } from '../../protocol/json/parse';
import { readQuery } from '../../protocol/operator-api/read-call';
import {
  readConfigurationQuery,
  readFreePlays,
  readLaunch,
  readNotice,
  readStatisticsQuery,
} from '../../protocol/operator-api/read-served';
import {
  writeFreePlays,
  writeGameList,
  writeLaunchReply,
  writeStatistics,
} from '../../protocol/operator-api/served-messages';
import {
  readNamedParts,
  readSignedParameters,
  readSignedParts,
  type SignedOperation,
  type SignedParts,
} from '../../protocol/signature';
import { Api } from './api';
import type { ApiCall } from './call';
import type { ApiSteps } from './endpoint';
import { mountApi } from './mount';
import { type ApiOptions, apiSettings } from './options';
import type { RgsService } from '../service/calls';

/** The operator's calls at the RGS, after authentication and reading. */
export type OperatorService = Pick<
  RgsService,
  | 'getGameURL'
  | 'assignPlayerFreerounds'
  | 'getStats'
  | 'getGameConfiguration'
  | 'getGameList'
  | 'registerPlayer'
  | 'sendRealityCheckResponse'
>;

/** Options of {@link createServiceHandler}; the sandbox has checked them. */
export interface ServiceHandlerOptions extends ApiOptions {
  readonly service: OperatorService;
  /** The operators that may call, with all their current secrets: several during a rotation (D1.2). */
  readonly operators: readonly {
    readonly operatorId: string;
    readonly secrets: readonly string[];
  }[];
  /**
   * The fields that getGameURL signs, in order; playerId, gameCode, currency, language, mode unless set. One
   * that is absent adds nothing (E24.2).
   */
  readonly gameUrlSignedFields?: readonly string[];
}

/**
 * The service's side of the Operator API over Node's request and response: getGameURL,
 * assignPlayerFreerounds, and the calls of the backoffice (operator-api 4.3 to 4.5, E24; D1 for
 * signatures).
 * @throws TypeError for an id or a secret that is not valid; no secret is repeated.
 */
export function createServiceHandler(options: ServiceHandlerOptions): Mounted {
  const callers = options.operators.map(({ operatorId: id, secrets }) => ({ id, secrets }));
  const place = { list: 'createSandbox: operators', idName: 'operatorId' };
  const settings = apiSettings(options, callers, place);
  const api = new Api(settings, { caller: 'D1.1', path: 'E1.4', body: 'D2.1' });
  return mountApi(operatorCalls(api, options), api);
}

/** The operator's calls (operator-api 4.3 to 4.5, E24.1). */
function operatorCalls(
  api: Api,
  { service, gameUrlSignedFields }: ServiceHandlerOptions,
): readonly ApiSteps<unknown>[] {
  // Of these calls the specification has the names alone: playerId is signed, the answer is empty (E24.4).
  const notice = (name: 'registerPlayer' | 'sendRealityCheckResponse') =>
    posted(api, name, 'keyed', playerIdOf, readNotice, async (operatorId, message) => {
      await service[name](operatorId, message);
      return '{}';
    });
  const signedByGameUrl = (document: JsonDocument): SignedParts =>
    gameUrlSignedFields === undefined
      ? readSignedParts('getGameURL', document)
      : readNamedParts(presentNames(gameUrlSignedFields, document), document);
  return [
    // Each launch URL works once, so its signature serves one call (E24.2).
    posted(
      api,
      'getGameURL',
      'once',
      signedByGameUrl,
      readLaunch,
      async (operatorId, launch, cause) => {
        const launched = await service.getGameURL(operatorId, launch, cause);
        return { text: writeLaunchReply(launched), afterReply: launched.afterReply };
      },
    ),
    // A serial is granted once, so a repeat changes nothing (operator-api 4.3).
    posted(
      api,
      'assignPlayerFreerounds',
      'keyed',
      signedBy('assignPlayerFreerounds'),
      readFreePlays,
      async (operatorId, request, cause) =>
        writeFreePlays(await service.assignPlayerFreerounds(operatorId, request, cause)),
    ),
    posted(
      api,
      'getStats',
      'read',
      signedBy('getStats'),
      readStatisticsQuery,
      async (operatorId, query, cause) =>
        writeStatistics(await service.getStats(operatorId, query, cause)),
    ),
    queried(api, 'getGameConfiguration', readConfigurationQuery, (operatorId, query, cause) =>
      service.getGameConfiguration(operatorId, query, cause),
    ),
    queried(
      api,
      'getGameList',
      () => null,
      async (operatorId) => writeGameList(await service.getGameList(operatorId)),
    ),
    notice('registerPlayer'),
    notice('sendRealityCheckResponse'),
  ];
}

/**
 * What a signature that came before is worth. It does not cover the whole request (D1.8).
 * - `read`: the call changes nothing, and signs little: two that differ may have one signature.
 * - `once`: each call counts, so a signature serves one.
 * - `keyed`: a repeat finds its own effect; another request is refused.
 */
type Repeating = 'read' | 'once' | 'keyed';

/** Limits of a body of which nothing is verified yet. */
const unverifiedLimits = { maxValues: 10_000, maxMembers: 1000 };

/** A call with a body, verified in the order of D1.7. */
function posted<M>(
  api: Api,
  name: string,
  repeating: Repeating,
  partsOf: (document: JsonDocument) => SignedParts,
  read: (document: JsonDocument) => M,
  answer: ApiSteps<M>['answer'],
): ApiSteps<M> {
  const { callers, settings } = api;
  return {
    name,
    method: 'POST',
    ...(name === 'getStats' ? { path: `${backoffice}/${name}` } : {}),
    receive: (request) => readBody(request, settings.maxBodyBytes),
    verify(call) {
      const claim = callers.claimOf(call.request);
      call.document = callers.parse(call.body, unverifiedLimits);
      callers.verifyParts(claim, partsOf(call.document));
      noteCaller(call, claim);
      const seen = api.see(claim.signature, call);
      call.isRepeat = seen === 'same';
      if (call.isRepeat) api.found('exactRepeat', name, call);
      const isRefused =
        (repeating === 'once' && seen !== 'none') || (repeating === 'keyed' && seen === 'other');
      if (!isRefused) return;
      call.verdict = 'refused';
      callers.refuse();
    },
    read: ({ document }) => read(document),
    answer,
  };
}

/** A call with a query, which is always a read. */
function queried<M>(
  api: Api,
  name: SignedOperation,
  read: (query: ReadonlyMap<string, string> | null) => M,
  answer: ApiSteps<M>['answer'],
): ApiSteps<M> {
  return {
    name,
    method: 'GET',
    path: `${backoffice}/${name}`,
    verify(call) {
      const claim = api.callers.claimOf(call.request);
      const query = readQuery(call.request.url ?? '');
      const invalid = { parts: null, field: 'the query' } as const;
      const signed = query === null ? invalid : readSignedParameters(name, query);
      api.callers.verifyParts(claim, signed);
      call.query = query;
      noteCaller(call, claim);
    },
    read: ({ query }) => read(query),
    answer,
  };
}

const backoffice = '/backoffice';

function noteCaller(call: ApiCall<unknown>, { authId }: Claim): void {
  call.verdict = 'verified';
  call.signed = 'fields';
  call.callerId = authId;
}

function signedBy(operation: SignedOperation): (document: JsonDocument) => SignedParts {
  return (document) => readSignedParts(operation, document);
}

function playerIdOf(document: JsonDocument): SignedParts {
  return readNamedParts(['playerId'], document);
}

/** The names of the fields that are there: an absent one adds nothing (E24.2). */
function presentNames(names: readonly string[], { value }: JsonDocument): readonly string[] {
  if (!isJsonObject(value)) return names;
  return names.filter((name) => Object.hasOwn(value, name) && value[name] !== null);
}
