import { escapeControls } from '../../protocol/identifiers';
import { type JsonDocument, JsonSyntaxError, type JsonValue, parseJson } from '../../protocol/json';
import { signatureHeaders, signRequest } from '../../protocol/signature';
import {
  type FailedCall,
  InvalidReplyError,
  NetworkError,
  ServiceError,
  type ServiceErrorObject,
  SignatureRefusedError,
} from './errors';
import type { RgsClientSettings } from './options';
import type { Outgoing } from './outgoing';
import type { FetchReply } from './ports';
import { ReplyFault } from './read-reply';

/** Builds the result of the call from a reply. @throws ReplyFault if the reply is not valid. */
export type ReplyReader<T> = (document: JsonDocument, text: string) => T;

/** A 2xx answer without an error object, read. */
export interface Answer<T> {
  readonly status: number;
  readonly reply: T;
}

const longestMsg = 500;
const signatureWrong = 1001;

/**
 * One attempt: signs, sends, reads the whole reply and checks it.
 * @throws RgsClientError, except for time-out and abort: then the reason of the signal.
 */
export async function exchange<T>(
  settings: RgsClientSettings,
  outgoing: Outgoing,
  read: ReplyReader<T>,
  nowMs: number,
  attempts: number,
  signal: AbortSignal,
): Promise<Answer<T>> {
  const { secret, operatorId, baseUrl } = settings;
  const { operation, method, target, body, parts } = outgoing;
  const call: FailedCall = { operation, attempts };
  const signed = signRequest(secret, operatorId, nowMs, parts);
  const headers: Record<string, string> = { ...signed, Accept: 'application/json' };
  if (body !== null) headers['Content-Type'] = 'application/json';
  const init = { method, headers, redirect: 'manual', signal } as const;
  const received = await receive(call, settings.maxReplyBytes, async () =>
    settings.fetch(baseUrl + target, body === null ? init : { ...init, body }),
  );
  const { status, bytes } = received;
  const signature = signed[signatureHeaders.signature] ?? '';
  const withhold = (told: string): string =>
    secret.isWithin(told) || told.includes(signature) ? '[withheld]' : told.slice(0, longestMsg);
  const isSuccess = status >= 200 && status < 300;
  try {
    const said = decode(bytes, settings.maxReplyBytes);
    const text = said === '' && isSuccess && outgoing.mayBeEmpty ? 'null' : said;
    const document = parse(text);
    const error = readErrorObject(document.value, withhold);
    if (status === 401 || error?.id === signatureWrong) {
      throw new SignatureRefusedError(call, status, error?.id ?? null);
    }
    if (error !== null) throw new ServiceError(call, status, error);
    if (!isSuccess) throw new ServiceError(call, status, noErrorObject);
    return { status, reply: read(document, text) };
  } catch (error) {
    if (!(error instanceof ReplyFault)) throw error;
    if (status === 401) throw new SignatureRefusedError(call, status, null);
    if (!isSuccess) throw new ServiceError(call, status, noErrorObject);
    throw new InvalidReplyError(
      call,
      status,
      escapeControls(withhold(error.pointer)),
      error.problem,
    );
  }
}

interface Received {
  readonly status: number;
  /** Null if there are more than allowed. */
  readonly bytes: Buffer | null;
}

async function receive(
  call: FailedCall,
  maxBytes: number,
  send: () => Promise<FetchReply>,
): Promise<Received> {
  try {
    const { status, body } = await send();
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      length += chunk.byteLength;
      // Leaving the loop cancels the rest of the body.
      if (length > maxBytes) return { status, bytes: null };
    }
    return { status, bytes: Buffer.concat(chunks) };
  } catch (error) {
    throw new NetworkError(call, reasonOf(error));
  }
}

/** The system's code of a failure, which fetch hides in causes. Nothing else of it is reported. */
function reasonOf(error: unknown): string {
  let at: unknown = error;
  for (let depth = 0; depth < 5 && typeof at === 'object' && at !== null; depth++) {
    // `instanceof` would fail: the errors of fetch come from another realm if the program runs in its own
    // context, as under Jest.
    const { code, cause } = at as { readonly code?: unknown; readonly cause?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,48}$/.test(code)) return code;
    at = cause;
  }
  return 'UNKNOWN';
}

function decode(bytes: Buffer | null, maxBytes: number): string {
  if (bytes === null) throw new ReplyFault('', `is longer than ${maxBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ReplyFault('', 'is not UTF-8');
  }
}

function parse(text: string): JsonDocument {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new ReplyFault('', 'is not JSON that the protocol allows');
  }
}

const noErrorObject: ServiceErrorObject = Object.freeze({ id: null, msg: null, clientmsg: null });

/** The error object of a reply (operator-api 7, rule 1); null if the reply has none. */
function readErrorObject(
  reply: JsonValue,
  withhold: (said: string) => string,
): ServiceErrorObject | null {
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply)) return null;
  const error = reply.errorCode ?? null;
  if (error === null) return null;
  if (typeof error !== 'object' || Array.isArray(error) || !Number.isSafeInteger(error.id)) {
    throw new ReplyFault('/errorCode', 'is not an error object');
  }
  const { id, msg, clientmsg } = error;
  return {
    id: id as number,
    msg: typeof msg === 'string' ? escapeControls(withhold(msg)) : null,
    // For the player: line breaks are kept.
    clientmsg:
      typeof clientmsg === 'string'
        ? withhold(clientmsg).split('\n').map(escapeControls).join('\n')
        : null,
  };
}
