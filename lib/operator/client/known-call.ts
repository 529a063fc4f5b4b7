import { isSignable } from '../../protocol/identifiers';
import type { Writable } from '../../protocol/json/write';
import { InvalidRequestError } from '../../protocol/client/errors';
import { type Outgoing, parseBody, writeBody, writeQuery } from '../../protocol/client/outgoing';
import { readSignedParts, type SignedOperation } from '../../protocol/signature';

/** The calls that the kit knows. Each is safe to retry: it only reads, or is idempotent by serial. */
const known = {
  assignPlayerFreerounds: ['POST', '/assignPlayerFreerounds'],
  getStats: ['POST', '/backoffice/getStats'],
  getGameConfiguration: ['GET', '/backoffice/getGameConfiguration'],
  getGameList: ['GET', '/backoffice/getGameList'],
} as const satisfies Partial<Record<SignedOperation, readonly ['GET' | 'POST', string]>>;

const traits = { isRepeatable: true, mayBeEmpty: false } as const;

/** An operation that the client has a method for. */
export type KnownOperation = keyof typeof known;

/** @throws InvalidRequestError if it cannot be signed. */
export function knownCall(
  operation: KnownOperation,
  message: { readonly [key: string]: Writable },
): Outgoing {
  const [method, path] = known[operation];
  const body = writeBody(operation, message);
  const document = parseBody(operation, body);
  const signed = readSignedParts(operation, document);
  if (signed.parts === null) {
    throw new InvalidRequestError(operation, signed.field, 'cannot be signed');
  }
  const { parts } = signed;
  if (method === 'POST') {
    return { operation, method, target: path, body, signed: { kind: 'parts', parts }, ...traits };
  }
  const target = path + writeQuery(Object.entries(message));
  return { operation, method, target, body: null, signed: { kind: 'parts', parts }, ...traits };
}

/** Whether a path can be appended to the address: no query, no `..`, no double escape. */
export function isPath(path: unknown): path is string {
  return (
    typeof path === 'string' &&
    isSignable(path) &&
    /^(?:\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/.test(path) &&
    !path.split('/').some((step) => step === '.' || step === '..')
  );
}
