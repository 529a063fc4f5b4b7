import { isAscii } from 'node:buffer';
import { RequestRefusedError } from '../../../protocol/operator-api';
import { type JsonDocument, JsonSyntaxError, parseJson } from '../../../protocol/json';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** JSON values for each transaction, and those around them: twice what the protocol needs, and more. */
const valuesPerTransaction = 30;
const furtherValues = 200;

/** Members of one object: a transaction has about ten. */
const maxMembers = 1000;

/**
 * Parses a body of doTransactions (D2.1). Anyone can send one, so it may hold no more values than that
 * many transactions need.
 * @throws RequestRefusedError 400 if it is not UTF-8, not JSON, or holds more.
 */
export function parseBody(bytes: Uint8Array, maxTransactions: number): JsonDocument {
  const maxValues = valuesPerTransaction * maxTransactions + furtherValues;
  try {
    return parseJson(isAscii(bytes) ? asciiText(bytes) : utf8.decode(bytes), {
      maxValues,
      maxMembers,
    });
  } catch (error) {
    const detail = error instanceof JsonSyntaxError ? error.message : 'The body is not UTF-8.';
    throw new RequestRefusedError('INVALIDPARAMETER', detail);
  }
}

function asciiText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
