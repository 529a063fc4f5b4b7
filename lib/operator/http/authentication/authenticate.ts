import type { IncomingMessage } from 'node:http';
import { RequestRefusedError } from '../../../protocol/operator-api';
import {
  findSigner,
  isTimely,
  type Secret,
  type SignatureClaim,
  signatureHeaders,
  type SignedParts,
} from '../../../protocol/signature';
import type { OperatorSettings } from '../configuration/options';

/** Who has signed a request. */
export interface Caller {
  readonly operatorId: string;
  /** X-H-AUTH-SIG, verified. */
  readonly signature: string;
  /** The secret that it is right under. */
  readonly secret: Secret;
}

/** Finds out who is calling, by the three headers and what the request signs (D1). */
export class Authenticator {
  constructor(private readonly settings: OperatorSettings) {}

  /**
   * What a request claims about its sender, of which nothing is verified yet. It is asked before the
   * body is parsed: without the headers, or with a stale timestamp, nothing of it is read (D1.7).
   * @throws RequestRefusedError 401.
   */
  claimOf(request: IncomingMessage): Claim {
    const claim = readHeaders(request);
    const { clock, clockToleranceMs } = this.settings;
    if (claim === null || !isTimely(claim.timestamp, clock.now(), clockToleranceMs)) throw refusal;
    return claim;
  }

  /**
   * Verifies a claim against what the request signs.
   * @throws RequestRefusedError 401 with one reply for all, or 400 naming the field that cannot be signed.
   */
  authenticate(claim: Claim, signed: SignedParts): Caller {
    if (signed.parts === null) {
      throw new RequestRefusedError('INVALIDPARAMETER', `${signed.field} is missing or not valid.`);
    }
    const { authId, timestamp, signature } = claim;
    const { byOperator, decoys } = this.settings.secrets;
    const own = byOperator.get(authId);
    // Named one by one: V8 is slow to make a copy that gains a member.
    const secret = findSigner(own ?? decoys, { authId, timestamp, signature, parts: signed.parts });
    if (secret === null || own === undefined) throw refusal;
    return { operatorId: authId, signature, secret };
  }
}

/**
 * The one reply to whatever is wrong with who is calling (D1.1). Made once, since a forged request
 * should cost as little as it can, and an error takes its stack whenever it is made.
 */
export const refusal: RequestRefusedError = Object.freeze(
  new RequestRefusedError('SIGNATUREWRONG', undefined, 401),
);

/** The three headers of a request, as they came. */
export type Claim = Omit<SignatureClaim, 'parts'>;

const names = {
  authId: signatureHeaders.authId.toLowerCase(),
  timestamp: signatureHeaders.timestamp.toLowerCase(),
  signature: signatureHeaders.signature.toLowerCase(),
} as const;

/** The headers, each there exactly once (D1.1); else null. */
function readHeaders(request: IncomingMessage): Claim | null {
  const authId = theOnly(request, names.authId);
  const timestamp = theOnly(request, names.timestamp);
  const signature = theOnly(request, names.signature);
  if (authId === null || timestamp === null || signature === null) return null;
  return { authId: utf8(authId), timestamp, signature };
}

/** A header that is there once, and not empty. Node joins what comes more than once by a comma and a space. */
function theOnly(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  if (typeof value !== 'string' || value === '') return null;
  return !value.includes(', ') || request.headersDistinct[name]?.length === 1 ? value : null;
}

/** Node reads header bytes as latin1; an id beyond ASCII comes as UTF-8. */
export function utf8(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8');
}
