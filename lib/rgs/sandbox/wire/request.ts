import {
  isJsonObject,
  type JsonDocument,
  JsonSyntaxError,
  parseJson,
} from '../../../protocol/json/parse';
import { pathOf, type PlainRequest } from '../../../platform/http';
import { ownText } from '../../../platform/own-text';
import { readQuery } from '../../../protocol/operator-api/read-call';
import {
  type EngineSignedCall,
  engineSignedFields,
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
import type { LineName } from '../view/state';
import type { BodyView } from '../view/wire';
import { withoutTrailing } from '../../../platform/trailing';

/** What the signed string of a call is made from. */
interface SignedMessage {
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
function signedStringOf(message: SignedMessage): string | null {
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

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * What the wire shows of a request. Only the call is read at once: the rest of most requests is never shown, and reading
 * it costs more than the work itself.
 */
export class Described {
  readonly call: string;
  #round: string | null | undefined;

  constructor(
    readonly line: LineName,
    private readonly request: PlainRequest,
  ) {
    const path = withoutTrailing(pathOf(request.target), '/');
    this.call = path.slice(path.lastIndexOf('/') + 1);
  }

  /** The round that it names; null if there is none. */
  get round(): string | null {
    if (this.#round === undefined) this.#round = this.#readRound();
    return this.#round;
  }

  /** What was signed, `[secret]` in the secret's place; null for an unsigned call. */
  get signed(): string | null {
    const { line, call, headers } = this;
    const { method, target, body } = this.request;
    return signedStringOf({ line, call, method, target, headers, text: textOf(body) });
  }

  /** Names in lower case; values that came several times are joined. */
  get headers(): Readonly<Record<string, string>> {
    return headersOf(this.request.rawHeaders);
  }

  #readRound(): string | null {
    const named = roundIn(documentOf(textOf(this.request.body))?.value);
    const round = named ?? readQuery(this.request.target)?.get('gameRound') ?? null;
    return round === null ? null : ownText(round);
  }
}

/** Reads any request; nothing is refused. */
export function describe(line: LineName, request: PlainRequest): Described {
  return new Described(line, request);
}

/** The round that a reply is about; null if it names none. */
export function roundInReply(body: Uint8Array): string | null {
  const value = documentOf(textOf(body))?.value;
  if (!isJsonObject(value)) return null;
  const info = value['gameRoundInfo'];
  const hash = isJsonObject(info) ? info['hash'] : undefined;
  return typeof hash === 'string' ? hash : null;
}

/** A body as it is shown. */
export function bodyView(body: Uint8Array): BodyView {
  const text = textOf(body);
  const bytes = body.byteLength;
  if (text !== null) return { text, encoding: 'utf8', bytes };
  return { text: Buffer.from(body).toString('base64'), encoding: 'base64', bytes };
}

function roundIn(value: unknown): string | null {
  if (!isJsonObject(value)) return null;
  const round = value['gameRound'] ?? value['externalGameProviderRoundId'];
  return typeof round === 'string' ? round : null;
}

function headersOf(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

function textOf(body: Uint8Array): string | null {
  try {
    return utf8.decode(body);
  } catch {
    return null;
  }
}
