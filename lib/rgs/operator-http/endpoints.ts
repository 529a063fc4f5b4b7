import {
  readConfigurationQuery,
  readFreePlays,
  readLaunch,
  readNotice,
  readStatisticsQuery,
  writeFreePlays,
  writeGameList,
  writeLaunchReply,
  writeStatistics,
} from '../../protocol/operator-api/served';
import { isJsonObject, type JsonDocument } from '../../protocol/json';
import {
  readNamedParts,
  readSignedParameters,
  readSignedParts,
  type SignedParts,
} from '../../protocol/signature';
import type { Endpoint } from '../http';
import { admitPosted, admitQueried, type EndpointParts } from './admit';

/** The operator's calls at the RGS (operator-api 4.3 to 4.5, E24.1). */
export function operatorEndpoints(parts: EndpointParts): readonly Endpoint[] {
  return [
    getGameURL(parts),
    assignPlayerFreerounds(parts),
    getStats(parts),
    getGameConfiguration(parts),
    getGameList(parts),
    notice('registerPlayer', parts),
    notice('sendRealityCheckResponse', parts),
  ];
}

/** Each launch URL works once, so its signature serves one call (E24.2). */
function getGameURL(parts: EndpointParts): Endpoint {
  const { service, gameUrlSignedFields } = parts.settings;
  const call = { name: 'getGameURL', repeating: 'once' } as const;
  const signed = (document: JsonDocument): SignedParts =>
    gameUrlSignedFields === null
      ? readSignedParts('getGameURL', document)
      : readNamedParts(presentNames(gameUrlSignedFields, document), document);
  return endpoint(call.name, 'POST', '/getGameURL', async (request, trace) => {
    const { operatorId, document } = await admitPosted(call, request, trace, parts, signed);
    const launch = await service.getGameURL(operatorId, readLaunch(document), trace.cause);
    return { text: writeLaunchReply(launch), afterReply: launch.afterReply };
  });
}

/** A serial is granted once, so a repeat changes nothing (operator-api 4.3). */
function assignPlayerFreerounds(parts: EndpointParts): Endpoint {
  const { service } = parts.settings;
  const call = { name: 'assignPlayerFreerounds', repeating: 'keyed' } as const;
  const signed = (document: JsonDocument): SignedParts => readSignedParts(call.name, document);
  return endpoint(call.name, 'POST', '/assignPlayerFreerounds', async (request, trace) => {
    const { operatorId, document } = await admitPosted(call, request, trace, parts, signed);
    const requested = readFreePlays(document);
    const granted = await service.assignPlayerFreerounds(operatorId, requested, trace.cause);
    return { text: writeFreePlays(granted) };
  });
}

function getStats(parts: EndpointParts): Endpoint {
  const { service } = parts.settings;
  const call = { name: 'getStats', repeating: 'read' } as const;
  const signed = (document: JsonDocument): SignedParts => readSignedParts(call.name, document);
  return endpoint(call.name, 'POST', '/backoffice/getStats', async (request, trace) => {
    const { operatorId, document } = await admitPosted(call, request, trace, parts, signed);
    const query = readStatisticsQuery(document);
    return { text: writeStatistics(await service.getStats(operatorId, query, trace.cause)) };
  });
}

function getGameConfiguration(parts: EndpointParts): Endpoint {
  const { service } = parts.settings;
  const name = 'getGameConfiguration';
  const signed = (query: ReadonlyMap<string, string>): SignedParts =>
    readSignedParameters(name, query);
  return endpoint(name, 'GET', '/backoffice/getGameConfiguration', async (request, trace) => {
    const { operatorId, query } = admitQueried(request, trace, parts, signed);
    const requested = readConfigurationQuery(query);
    return { text: await service.getGameConfiguration(operatorId, requested, trace.cause) };
  });
}

function getGameList(parts: EndpointParts): Endpoint {
  const { service } = parts.settings;
  const name = 'getGameList';
  const signed = (query: ReadonlyMap<string, string>): SignedParts =>
    readSignedParameters(name, query);
  return endpoint(name, 'GET', '/backoffice/getGameList', async (request, trace) => {
    const { operatorId } = admitQueried(request, trace, parts, signed);
    return { text: writeGameList(await service.getGameList(operatorId)) };
  });
}

/** Of these calls the specification has the names alone: playerId is signed, the answer is empty (E24.4). */
function notice(
  name: 'registerPlayer' | 'sendRealityCheckResponse',
  parts: EndpointParts,
): Endpoint {
  const { service } = parts.settings;
  const call = { name, repeating: 'keyed' } as const;
  return endpoint(name, 'POST', `/${name}`, async (request, trace) => {
    const { operatorId, document } = await admitPosted(call, request, trace, parts, playerIdOf);
    await service[name](operatorId, readNotice(document));
    return { text: '{}' };
  });
}

function playerIdOf(document: JsonDocument): SignedParts {
  return readNamedParts(['playerId'], document);
}

/** The names of the fields that are there: an absent one adds nothing (E24.2). */
function presentNames(names: readonly string[], { value }: JsonDocument): readonly string[] {
  if (!isJsonObject(value)) return names;
  return names.filter((name) => Object.hasOwn(value, name) && value[name] !== null);
}

function endpoint(
  call: string,
  method: 'GET' | 'POST',
  path: string,
  answer: Endpoint['answer'],
): Endpoint {
  return { call, method, path, isForBrowsers: false, answer };
}
