import { type JsonDocument, JsonSyntaxError, parseJson } from '../../../protocol/json';
import { readQuery } from '../../../protocol/operator-api';
import {
  engineSignedFields,
  type EngineSignedCall,
  joinSigned,
  readEngineParameters,
  readEngineParts,
  readSignedParameters,
  readSignedParts,
  signatureHeaders,
  signedFields,
  type SignedOperation,
  type SignedParts,
} from '../../../protocol/signature';
import type { LineName } from '../view';

/** What the signed string of a call is made from. */
export interface SignedMessage {
  readonly line: LineName;
  readonly call: string;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; null if it is not UTF-8. */
  readonly text: string | null;
}

/**
 * What the caller has to sign, with `[secret]` in the secret's place: body and timestamp from a game
 * provider (E2.2), else the fields of the call (operator-api 5, E2.8). Null for an unsigned call, and for
 * one that lacks a signed field.
 */
export function signedStringOf(message: SignedMessage): string | null {
  const { line, headers, text } = message;
  if (headers[signatureHeaders.signature.toLowerCase()] === undefined) return null;
  const timestamp = headers[signatureHeaders.timestamp.toLowerCase()] ?? '';
  if (line === 'provider-rgs') return text === null ? null : `${text}#${timestamp}`;
  const parts = partsOf(message)?.parts ?? null;
  if (parts === null) return null;
  const authId = headers[signatureHeaders.authId.toLowerCase()] ?? '';
  return `[secret]#${joinSigned(authId, timestamp, parts)}`;
}

function partsOf({ line, call, method, target, text }: SignedMessage): SignedParts | null {
  const query = method === 'GET' ? readQuery(target) : null;
  const document = method === 'GET' ? null : documentOf(text);
  if (line === 'rgs-provider') {
    if (!isNameIn(engineSignedFields, call)) return null;
    const name = call as EngineSignedCall;
    if (query !== null) return readEngineParameters(name, query);
    return document === null ? null : readEngineParts(name, document);
  }
  if (!isNameIn(signedFields, call)) return null;
  const name = call as SignedOperation;
  if (query !== null) return readSignedParameters(name, query);
  return document === null ? null : readSignedParts(name, document);
}

/** A body as a message; null if it is not JSON. */
export function documentOf(text: string | null): JsonDocument | null {
  if (text === null || text === '') return null;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null;
    throw error;
  }
}

function isNameIn(list: object, name: string): boolean {
  return Object.hasOwn(list, name);
}
