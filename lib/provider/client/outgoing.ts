import { InvalidRequestError, type Outgoing } from '../../protocol/client';
import { type EngineCall, writeRequest, writeSettingsQuery } from '../../protocol/engine-api';
import { MessageFault } from '../../protocol/json';
import { callClasses, isRepeatedByItself } from './classes';

/** The schema's words for a wrong amount; the caller knows bigint and number, not JSON. */
const problems = new Map([
  [
    'must be integer,string',
    'must be a whole number of minor units, as a bigint or a safe integer',
  ],
]);

/**
 * A call, checked and written once; each attempt signs these bytes anew (S1, E2.2).
 * @throws InvalidRequestError that names the wrong field; nothing was sent.
 */
export function outgoingOf(name: EngineCall, request: unknown, emptyBodyAs: '' | '{}'): Outgoing {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw new InvalidRequestError(name, 'the request', 'must be an object');
  }
  const isRepeatable = isRepeatedByItself(name);
  const signed = { kind: 'body', emptyBodyAs } as const;
  const isEffectKept = callClasses[name] === 'void';
  const common = { operation: name, signed, isRepeatable, isEffectKept, mayBeEmpty: false };
  try {
    if (name === 'getOperatorSettings') {
      const target = `/${name}${writeSettingsQuery(request)}`;
      return { ...common, method: 'GET', target, body: null };
    }
    return { ...common, method: 'POST', target: `/${name}`, body: writeRequest(name, request) };
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    const field = error.pointer === '' ? 'the request' : error.pointer.slice(1);
    throw new InvalidRequestError(name, field, problems.get(error.problem) ?? error.problem);
  }
}
