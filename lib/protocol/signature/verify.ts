import { timingSafeEqual } from 'node:crypto';
import { shortestForm } from '../money/amount';
import type { SignedPart } from './fields';
import type { Secret } from './secret';
import { type AmountSpelling, joinSigned } from './sign';

/** What a request claims about itself, to verify with the secrets. */
export interface SignatureClaim {
  readonly authId: string;
  readonly timestamp: string;
  readonly parts: readonly SignedPart[];
  /** X-H-AUTH-SIG as received. */
  readonly signature: string;
}

/** Whether one of the secrets verifies the signature (D1.2); see {@link findSigner}. */
export function verifySignature(secrets: readonly Secret[], claim: SignatureClaim): boolean {
  return findSigner(secrets, claim) !== null;
}

/**
 * The secret that verifies the signature, with amounts spelled as sent or in shortest form (D1.2, D1.4,
 * D1.5); null if it is wrong. Every secret is tried, whichever matches, so that the time reveals nothing.
 */
export function findSigner(secrets: readonly Secret[], claim: SignatureClaim): Secret | null {
  const received = comparable(claim.signature);
  const { authId, timestamp, parts } = claim;
  let signer: Secret | null = null;
  for (const spelling of spellingsOf(parts)) {
    const signed = joinSigned(authId, timestamp, parts, spelling);
    for (const secret of secrets) {
      expected.write(secret.mac(signed), 'latin1');
      if (timingSafeEqual(expected, received)) signer = secret;
    }
  }
  return signer;
}

/** What a request with a signed body claims about itself, to verify with the secrets (E2.2). */
export interface BodyClaim {
  /** X-H-TIMESTAMP as received. */
  readonly timestamp: string;
  /** X-H-AUTH-SIG as received. */
  readonly signature: string;
  /** The bytes of the body as received; empty without a body (E2.3). */
  readonly body: Uint8Array;
}

/**
 * The secret that verifies the signature of a body (E2.2, D1.2, D1.4); null if it is wrong. Every secret is
 * tried, whichever matches, so that the time reveals nothing.
 */
export function findBodySigner(
  secrets: readonly Secret[],
  { timestamp, signature, body }: BodyClaim,
): Secret | null {
  const received = comparable(signature);
  let signer: Secret | null = null;
  for (const secret of secrets) {
    expected.write(secret.macBody(body, timestamp), 'latin1');
    if (timingSafeEqual(expected, received)) signer = secret;
  }
  return signer;
}

/** The received signature, or one that never matches if its form is wrong. */
function comparable(signature: string): Buffer {
  if (!isSignatureText(signature)) return noSignature;
  given.write(signature, 'latin1');
  return given;
}

/** Whether a text is canonical base64 of 32 bytes: nothing else can be a signature (D1.4). */
export function isSignatureText(text: string): boolean {
  return text.length === signatureLength && form.test(text);
}

const signatureLength = 44;
const form = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const noSignature = Buffer.alloc(signatureLength);
/** Room for the two that are compared: two objects less for each request, which anyone can send. */
const given = Buffer.alloc(signatureLength);
const expected = Buffer.alloc(signatureLength);

/** Most amounts are in shortest form already; then there is one spelling. */
function spellingsOf(parts: readonly SignedPart[]): readonly AmountSpelling[] {
  return parts.some(hasShorterForm) ? bothSpellings : oneSpelling;
}

const oneSpelling: readonly AmountSpelling[] = ['asSent'];
const bothSpellings: readonly AmountSpelling[] = ['asSent', 'shortest'];

function hasShorterForm({ text, isAmount }: SignedPart): boolean {
  return isAmount && shortestForm(text) !== text;
}
