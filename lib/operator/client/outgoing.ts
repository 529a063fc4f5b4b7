import { isSignable } from '../../protocol/identifiers';
import { type JsonDocument, parseJson, type Writable, writeJson } from '../../protocol/json';
import { readSignedParts, type SignedOperation, type SignedPart } from '../../protocol/signature';
import { InvalidRequestError } from './errors';

/** A checked request, ready to be signed at each attempt. */
export interface Outgoing {
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  /** Path with the query, appended to the address. */
  readonly target: string;
  readonly body: string | null;
  readonly parts: readonly SignedPart[];
  /** Whether a retry is safe. */
  readonly isRepeatable: boolean;
  /** Whether an empty reply is valid; it is read as null. */
  readonly mayBeEmpty: boolean;
}

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
    return { operation, method, target: path, body, parts, ...traits };
  }
  const target = path + writeQuery(Object.entries(message));
  return { operation, method, target, body: null, parts, ...traits };
}

/** The JSON of a body. @throws InvalidRequestError if it cannot be written. */
export function writeBody(operation: string, message: Writable): string {
  try {
    return writeJson(message);
  } catch {
    throw new InvalidRequestError(operation, 'the body', 'cannot be written as JSON');
  }
}

/** Parses the body as its receiver will. @throws InvalidRequestError if that fails. */
export function parseBody(operation: string, body: string): JsonDocument {
  try {
    return parseJson(body);
  } catch {
    const problem = 'has a forbidden key, a lone surrogate or more than 16 levels';
    throw new InvalidRequestError(operation, 'the body', problem);
  }
}

/** The query with its question mark; empty without parameters. */
export function writeQuery(parameters: readonly (readonly [string, unknown])[]): string {
  if (parameters.length === 0) return '';
  const pairs = parameters.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  return `?${pairs.join('&')}`;
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
