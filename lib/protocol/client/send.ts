import { traceparentHeader } from '../../platform/tracing';
import { signatureHeaders, signBody, signRequest } from '../signature';
import { type FailedCall, NetworkError } from './errors';
import type { Outgoing } from './outgoing';
import type { FetchReply } from './ports';
import type { ClientSettings } from './connection';

/** A reply as received, whatever its status. */
export interface Received {
  readonly status: number;
  /** Null if there are more than `maxReplyBytes`. */
  readonly bytes: Buffer | null;
  /** The x-h-error-id of the reply (E3.1); null if there is none. */
  readonly errorReference: string | null;
  /** Without its parameters, such as `text/html`; null if there is none, or for one of another form. */
  readonly contentType: string | null;
}

/** What one attempt is sent with, besides its request. */
export interface Attempt {
  readonly call: FailedCall;
  /** The time of the signature, in milliseconds since 1970; unique, see UniqueTime. */
  readonly nowMs: number;
  /** X-Request-Id; null to send none. */
  readonly requestId: string | null;
  /** The header of this name (W3C Trace Context); null to send none. */
  readonly traceparent: string | null;
  readonly signal: AbortSignal;
}

/** A reply, and whether a text of it must be withheld. */
interface Exchanged {
  readonly received: Received;
  /** Whether a text holds the secret or the signature. */
  readonly isSecret: (text: string) => boolean;
}

/**
 * Signs a request, sends it and reads the whole reply.
 * @throws NetworkError, also for time-out and abort: then the reason of the signal counts.
 */
export async function send(
  settings: ClientSettings,
  outgoing: Outgoing,
  { call, nowMs, requestId, traceparent, signal }: Attempt,
): Promise<Exchanged> {
  const { secret, baseUrl, maxReplyBytes } = settings;
  const { method, target, body } = outgoing;
  const signed = signedHeaders(settings, outgoing, nowMs);
  const headers: Record<string, string> = { ...signed, Accept: 'application/json' };
  if (body !== null) headers['Content-Type'] = 'application/json';
  if (requestId !== null) headers['X-Request-Id'] = requestId;
  if (traceparent !== null) headers[traceparentHeader] = traceparent;
  const init = { method, headers, redirect: 'manual', signal } as const;
  const signature = signed[signatureHeaders.signature] ?? '';
  const isSecret = (text: string): boolean => secret.isWithin(text) || text.includes(signature);
  const received = await receive(call, maxReplyBytes, isSecret, async () =>
    settings.fetch(baseUrl + target, body === null ? init : { ...init, body }),
  );
  return { received, isSecret };
}

function signedHeaders(
  { secret, authId }: ClientSettings,
  { signed, body }: Outgoing,
  nowMs: number,
): Record<string, string> {
  if (signed.kind === 'parts') return signRequest(secret, authId, nowMs, signed.parts);
  return signBody(secret, authId, nowMs, Buffer.from(body ?? signed.emptyBodyAs, 'utf8'));
}

async function receive(
  call: FailedCall,
  maxBytes: number,
  isSecret: (text: string) => boolean,
  request: () => Promise<FetchReply>,
): Promise<Received> {
  try {
    const { status, body, headers, whole } = await request();
    const given = headers?.get('x-h-error-id') ?? null;
    const isPlain = given !== null && /^[\x21-\x7e]{1,128}$/.test(given) && !isSecret(given);
    const errorReference = isPlain ? given : null;
    const typeAndParameters = headers?.get('content-type') ?? '';
    const [contentType = null] = /^[\w.+-]{1,40}\/[\w.+-]{1,40}/.exec(typeAndParameters) ?? [];
    const about = { status, errorReference, contentType };
    if (whole !== undefined) {
      return { ...about, bytes: whole.byteLength > maxBytes ? null : asBuffer(whole) };
    }
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      length += chunk.byteLength;
      // Leaving the loop cancels the rest of the body.
      if (length > maxBytes) return { ...about, bytes: null };
    }
    return { ...about, bytes: Buffer.concat(chunks) };
  } catch (error) {
    throw new NetworkError(call, reasonOf(error));
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
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
