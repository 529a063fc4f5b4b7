import { timingSafeEqual } from 'node:crypto';
import { shortestForm } from '../money';
import type { SignedPart } from './fields';
import type { Secret } from './secret';
import { type AmountSpelling, joinSigned } from './sign';

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
  const { authId, timestamp, parts } = claim;
  const strings = spellingsOf(parts).map((spelling) =>
    joinSigned(authId, timestamp, parts, spelling),
  );
  let matches = false;
  for (const secret of secrets) {
    for (const signed of strings) {
      if (timingSafeEqual(secret.mac(signed), received ?? noSignature)) matches = true;
    }
  }
  return matches && received !== null;
}

const noSignature = Buffer.alloc(32);

/** Most amounts stand in shortest form already, and then there is one spelling. */
function spellingsOf(parts: readonly SignedPart[]): readonly AmountSpelling[] {
  return parts.some(hasShorterForm) ? ['asSent', 'shortest'] : ['asSent'];
}

function hasShorterForm({ text, isAmount }: SignedPart): boolean {
  return isAmount && shortestForm(text) !== text;
}

/** The 32 bytes of a canonical base64 text, else null (D1.4). */
function decodeSignature(text: string): Buffer | null {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}
