import { isZero, shortestForm } from '../money/amount';
import type { SignedPart } from './fields';
import type { Secret } from './secret';

/** The spelling of amounts in the signed string: as in the body, or in shortest form (D1.5). */
export type AmountSpelling = 'asSent' | 'shortest';

/** The names of the three headers that every request carries (operator-api 5). */
export const signatureHeaders = {
  authId: 'X-H-AUTH-ID',
  signature: 'X-H-AUTH-SIG',
  timestamp: 'X-H-TIMESTAMP',
} as const;

/** The signed fields after the secret, joined; a zero amount adds nothing (D1.5). */
export function joinSigned(
  authId: string,
  timestamp: string,
  parts: readonly SignedPart[],
  spelling: AmountSpelling = 'asSent',
): string {
  let joined = `${authId}#${timestamp}`;
  for (const { text, isAmount } of parts) {
    if (!isAmount) joined += `#${text}`;
    else if (!isZero(text)) joined += `#${spelling === 'asSent' ? text : shortestForm(text)}`;
  }
  return joined;
}

/** The value of X-H-AUTH-SIG: base64 of HMAC-SHA256 (operator-api 5, rule 2). */
export function sign(
  secret: Secret,
  authId: string,
  timestamp: string,
  parts: readonly SignedPart[],
  spelling: AmountSpelling = 'asSent',
): string {
  return secret.mac(joinSigned(authId, timestamp, parts, spelling));
}

/**
 * The three headers of a request signed now (operator-api 5). A header's value is bytes, so an operator ID
 * beyond ASCII is sent as its UTF-8.
 */
export function signRequest(
  secret: Secret,
  authId: string,
  nowMs: number,
  parts: readonly SignedPart[],
): Record<string, string> {
  const timestamp = new Date(nowMs).toISOString();
  return headersOf(authId, timestamp, sign(secret, authId, timestamp, parts));
}

/**
 * The three headers of a request whose body is signed now (E2.2). The ID is not signed.
 * @param body The bytes as they will be sent; empty for a request without a body (E2.3).
 */
export function signBody(
  secret: Secret,
  authId: string,
  nowMs: number,
  body: Uint8Array,
): Record<string, string> {
  const timestamp = new Date(nowMs).toISOString();
  return headersOf(authId, timestamp, secret.macBody(body, timestamp));
}

function headersOf(authId: string, timestamp: string, signature: string): Record<string, string> {
  return {
    [signatureHeaders.authId]: Buffer.from(authId, 'utf8').toString('latin1'),
    [signatureHeaders.timestamp]: timestamp,
    [signatureHeaders.signature]: signature,
  };
}
