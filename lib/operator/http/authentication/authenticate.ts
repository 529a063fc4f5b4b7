import type { IncomingMessage } from 'node:http';
import { RequestRefusedError } from '../../../protocol/operator-api';
import { type Claim, findCaller, readClaim } from '../../../protocol/authentication';
import type { Secret, SignedParts } from '../../../protocol/signature';
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
    const { clock, clockToleranceMs: toleranceMs } = this.settings;
    const claim = readClaim(request, { nowMs: clock.now(), toleranceMs });
    if (claim === null) throw refusal;
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
    const { authId, signature } = claim;
    const secret = findCaller(this.settings.secrets, claim, signed.parts);
    if (secret === null) throw refusal;
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
