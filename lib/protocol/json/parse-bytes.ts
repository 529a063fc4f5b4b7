import { isAscii } from 'node:buffer';
import { type JsonDocument, type JsonLimits, JsonSyntaxError, parseJson } from './parse';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a body as received, like parseJson.
 * @throws JsonSyntaxError also if it is not UTF-8.
 */
export function parseBytes(bytes: Uint8Array, limits?: JsonLimits): JsonDocument {
  return parseJson(isAscii(bytes) ? asciiText(bytes) : utf8Text(bytes), limits);
}

function asciiText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

function utf8Text(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new JsonSyntaxError('The body is not UTF-8.');
  }
}
