import { timingSafeEqual } from 'node:crypto';
import type { SignedPart } from './fields';
import type { Secret } from './secret';
import { joinSigned } from './sign';

/** What a request claims about itself, to be held against the secrets. */
export interface SignatureClaim {
  readonly authId: string;
  readonly timestamp: string;
  readonly parts: readonly SignedPart[];
  /** X-H-AUTH-SIG as received. */
  readonly signature: string;
}

/**
 * Whether the signature is right under any of the secrets, the amounts spelled as sent or in
 * shortest form (D1.2, D1.4, D1.5). Every secret is tried, whichever matches, so that the time
 * does not tell.
 */
export function verifySignature(secrets: readonly Secret[], claim: SignatureClaim): boolean {
  const received = decodeSignature(claim.signature);
  const asSent = joinSigned(claim.authId, claim.timestamp, claim.parts, 'asSent');
  const shortest = joinSigned(claim.authId, claim.timestamp, claim.parts, 'shortest');
  const spellings = shortest === asSent ? [asSent] : [asSent, shortest];
  let matches = false;
  for (const secret of secrets) {
    for (const spelling of spellings) {
      if (timingSafeEqual(secret.mac(spelling), received ?? noSignature)) matches = true;
    }
  }
  return matches && received !== null;
}

const noSignature = Buffer.alloc(32);

/** The 32 bytes of a canonical base64 text, else null (D1.4). */
function decodeSignature(text: string): Buffer | null {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}
