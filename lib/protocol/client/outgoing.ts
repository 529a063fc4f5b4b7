import { type JsonDocument, parseJson } from '../json/parse';
import { type Writable, writeJson } from '../json/write';
import type { SignedPart } from '../signature';
import { InvalidRequestError } from './errors';

/** What the signature of a request covers. */
type Signing =
  /** The named fields (operator-api 5; E2.8). */
  | { readonly kind: 'parts'; readonly parts: readonly SignedPart[] }
  /** The bytes of the body, or this text for a request without one (E2.2, E2.3). */
  | { readonly kind: 'body'; readonly emptyBodyAs: '' | '{}' };

/** A checked request, ready to be signed at each attempt. */
export interface Outgoing {
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  /** Path with the query, appended to the address. */
  readonly target: string;
  readonly body: string | null;
  readonly signed: Signing;
  /** Whether a retry is safe. */
  readonly isRepeatable: boolean;
  /** A lost attempt may have had its effect: a refusal of a later one leaves the outcome unknown. */
  readonly isEffectKept?: boolean;
  /** Whether an empty reply is valid; it is read as null. */
  readonly mayBeEmpty: boolean;
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
