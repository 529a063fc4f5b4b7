import type { IncomingMessage } from 'node:http';
import { isTimely, type SignatureClaim, signatureHeaders } from '../signature';
import { isSignatureText } from '../signature/verify';

/** The three headers of a request as received; nothing of them is verified yet. */
export type Claim = Omit<SignatureClaim, 'parts'>;

/** When a claim is read, and how far its timestamp may be from that. */
interface TimeWindow {
  /** The time now, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Largest difference in either direction, in milliseconds (D1.3). */
  readonly toleranceMs: number;
}

const names = {
  authId: signatureHeaders.authId.toLowerCase(),
  timestamp: signatureHeaders.timestamp.toLowerCase(),
  signature: signatureHeaders.signature.toLowerCase(),
} as const;

/**
 * The three headers if each is present exactly once, the timestamp is timely, and the signature can be one
 * (D1.1, D1.3, D1.4, E2.1); otherwise null: the reply is the same for every reason.
 */
export function readClaim(
  request: IncomingMessage,
  { nowMs, toleranceMs }: TimeWindow,
): Claim | null {
  const authId = onlyHeader(request, names.authId);
  const timestamp = onlyHeader(request, names.timestamp);
  const signature = onlyHeader(request, names.signature);
  if (authId === null || timestamp === null || signature === null) return null;
  if (!isSignatureText(signature) || !isTimely(timestamp, nowMs, toleranceMs)) return null;
  return { authId: utf8Header(authId), timestamp, signature };
}

/** The X-H-AUTH-ID of a request of which nothing is verified, for the log; null without exactly one. */
export function claimedAuthId({ headers }: IncomingMessage): string | null {
  const id = headers[names.authId];
  return typeof id === 'string' ? utf8Header(id) : null;
}

/** A header that is present once and not empty. Node joins repeated headers with a comma and a space. */
function onlyHeader(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  if (typeof value !== 'string' || value === '') return null;
  return !value.includes(', ') || request.headersDistinct[name]?.length === 1 ? value : null;
}

/** Node reads header bytes as latin1; an id beyond ASCII arrives as UTF-8. */
function utf8Header(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8');
}
