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

/** The signer of a request. */
export interface Caller {
  readonly operatorId: string;
  /** X-H-AUTH-SIG, verified. */
  readonly signature: string;
  /** The secret that verifies it. */
  readonly secret: Secret;
}

/** Authenticates the caller by the three headers and the signed fields (D1). */
export class Authenticator {
  constructor(private readonly settings: OperatorSettings) {}

  /**
   * What a request claims about its sender; nothing of it is verified yet. Read before the body is parsed:
   * without the headers, or with a stale timestamp, nothing of the body is read (D1.7).
   * @throws RequestRefusedError 401.
   */
  claimOf(request: IncomingMessage): Claim {
    const claim = readHeaders(request);
    const { clock, clockToleranceMs } = this.settings;
    if (claim === null || !isTimely(claim.timestamp, clock.now(), clockToleranceMs)) throw refusal;
    return claim;
  }

  /**
   * Verifies a claim against the signed fields of the request.
   * @throws RequestRefusedError 401, always the same reply; or 400 that names a field that cannot be
   * signed.
   */
  authenticate(claim: Claim, signed: SignedParts): Caller {
    if (signed.parts === null) {
      throw new RequestRefusedError('INVALIDPARAMETER', `${signed.field} is missing or not valid.`);
    }
    const { authId, timestamp, signature } = claim;
    const { byOperator, decoys } = this.settings.secrets;
    const own = byOperator.get(authId);
    // Listed one by one: V8 copies an object slowly if the copy gains a member.
    const secret = findSigner(own ?? decoys, { authId, timestamp, signature, parts: signed.parts });
    if (secret === null || own === undefined) throw refusal;
    return { operatorId: authId, signature, secret };
  }
}

/**
 * The one reply to every authentication failure (D1.1). Created once: a forged request should cost as
 * little as possible, and every new error records its stack.
 */
export const refusal: RequestRefusedError = Object.freeze(
  new RequestRefusedError('SIGNATUREWRONG', undefined, 401),
);

/** The three headers of a request as received. */
export type Claim = Omit<SignatureClaim, 'parts'>;

const names = {
  authId: signatureHeaders.authId.toLowerCase(),
  timestamp: signatureHeaders.timestamp.toLowerCase(),
  signature: signatureHeaders.signature.toLowerCase(),
} as const;

/** The three headers if each is present exactly once (D1.1); otherwise null. */
function readHeaders(request: IncomingMessage): Claim | null {
  const authId = onlyHeader(request, names.authId);
  const timestamp = onlyHeader(request, names.timestamp);
  const signature = onlyHeader(request, names.signature);
  if (authId === null || timestamp === null || signature === null) return null;
  return { authId: utf8(authId), timestamp, signature };
}

/** A header that is present once and not empty. Node joins repeated headers with a comma and a space. */
function onlyHeader(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  if (typeof value !== 'string' || value === '') return null;
  return !value.includes(', ') || request.headersDistinct[name]?.length === 1 ? value : null;
}

/** Node reads header bytes as latin1; an id beyond ASCII arrives as UTF-8. */
export function utf8(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8');
}
