import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { RequestRefusedError } from '../errors';
import {
  isTimely,
  type SignedParts,
  Secret,
  signatureHeaders,
  verifySignature,
} from '../signature';
import type { OperatorSettings } from './options';

/** Who has signed a request. */
export interface Caller {
  readonly operatorId: string;
  /** X-H-AUTH-SIG, verified. */
  readonly signature: string;
}

/** Finds out who is calling, by the three headers and what the request signs (D1). */
export class Authenticator {
  /** As many secrets for every operator, the unknown one too, so that the time does not tell. */
  private readonly tried = new Map<string, readonly Secret[]>();
  private readonly decoys: readonly Secret[];

  constructor(private readonly settings: OperatorSettings) {
    const { operators } = settings;
    const count = Math.max(...[...operators.values()].map((secrets) => secrets.length));
    this.decoys = Array.from({ length: count }, () => decoy());
    for (const [operatorId, secrets] of operators) {
      this.tried.set(operatorId, [...secrets, ...this.decoys.slice(secrets.length)]);
    }
  }

  /**
   * The order is that of D1.7: headers and timestamp, what the signature needs, the signature.
   * @throws RequestRefusedError 401 with one reply for all, or 400 naming the field that cannot be signed.
   */
  authenticate(request: IncomingMessage, signed: SignedParts): Caller {
    const headers = readHeaders(request);
    const { clock, clockToleranceMs } = this.settings;
    const isInTime = headers !== null && isTimely(headers.timestamp, clock.now(), clockToleranceMs);
    if (signed.parts === null) {
      if (!isInTime) throw refusal;
      throw new RequestRefusedError('INVALIDPARAMETER', `${signed.field} is missing or not valid.`);
    }
    const { authId, timestamp, signature } = headers ?? noHeaders;
    const claim = { authId, timestamp, signature, parts: signed.parts };
    const isSigned = verifySignature(this.tried.get(authId) ?? this.decoys, claim);
    if (!isInTime || !isSigned || !this.tried.has(authId)) throw refusal;
    return { operatorId: authId, signature };
  }
}

/**
 * The one reply to whatever is wrong with who is calling (D1.1). Made once, since a forged request
 * should cost as little as it can, and an error takes its stack whenever it is made.
 */
export const refusal: RequestRefusedError = Object.freeze(
  new RequestRefusedError('SIGNATUREWRONG', undefined, 401),
);

interface SignatureHeaders {
  readonly authId: string;
  readonly timestamp: string;
  readonly signature: string;
}

const noHeaders: SignatureHeaders = { authId: '', timestamp: '', signature: '' };
const names = {
  authId: signatureHeaders.authId.toLowerCase(),
  timestamp: signatureHeaders.timestamp.toLowerCase(),
  signature: signatureHeaders.signature.toLowerCase(),
} as const;

/** The headers, each there exactly once (D1.1); else null. */
function readHeaders(request: IncomingMessage): SignatureHeaders | null {
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
function utf8(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8');
}

function decoy(): Secret {
  return new Secret(randomBytes(32).toString('base64'));
}
