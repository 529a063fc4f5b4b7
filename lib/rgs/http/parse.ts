import { EngineRefusedError } from '../../protocol/engine-api';
import { type JsonDocument, JsonSyntaxError, parseJson } from '../../protocol/json';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Limits of a body of which nothing is verified yet. */
const unverifiedLimits = { maxValues: 10_000, maxMembers: 1000 };

/**
 * Parses a body strictly (E2.4, D2.1).
 * @param isVerified Whether the caller is known; otherwise the body may hold no more than a request needs.
 * @param rule What the API refuses a body by.
 * @throws EngineRefusedError 19 if it is not UTF-8 or not JSON that the protocol allows.
 */
export function parseBody(bytes: Uint8Array, isVerified: boolean, rule: string): JsonDocument {
  try {
    return parseJson(utf8.decode(bytes), isVerified ? {} : unverifiedLimits);
  } catch (error) {
    const problem = error instanceof JsonSyntaxError ? error.message : 'The body is not UTF-8.';
    throw new EngineRefusedError('INVALIDPARAMETER', rule, 400, asDetail(problem));
  }
}

/** A sentence as a detail behind a colon. */
export function asDetail(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}
