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
  private readonly secretsTried: number;
  private readonly decoys: readonly Secret[];

  constructor(private readonly settings: OperatorSettings) {
    const { operators } = settings;
    this.secretsTried = Math.max(...[...operators.values()].map((secrets) => secrets.length));
    this.decoys = Array.from({ length: this.secretsTried }, () => decoy());
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
      if (!isInTime) throw refusal();
      throw new RequestRefusedError('INVALIDPARAMETER', `${signed.field} is missing or not valid.`);
    }
    const { authId, timestamp, signature } = headers ?? noHeaders;
    const claim = { authId, timestamp, signature, parts: signed.parts };
    const isSigned = verifySignature(this.secretsOf(authId), claim);
    if (!isInTime || !isSigned || !this.settings.operators.has(authId)) throw refusal();
    return { operatorId: authId, signature };
  }

  private secretsOf(operatorId: string): readonly Secret[] {
    const secrets = this.settings.operators.get(operatorId) ?? [];
    return [...secrets, ...this.decoys.slice(secrets.length)];
  }
}

/** The one reply to whatever is wrong with who is calling (D1.1). */
export function refusal(): RequestRefusedError {
  return new RequestRefusedError('SIGNATUREWRONG', undefined, 401);
}

interface SignatureHeaders {
  readonly authId: string;
  readonly timestamp: string;
  readonly signature: string;
}

const noHeaders: SignatureHeaders = { authId: '', timestamp: '', signature: '' };

/** The headers, each there exactly once (D1.1); else null. */
function readHeaders({ headersDistinct }: IncomingMessage): SignatureHeaders | null {
  const authId = headersDistinct[signatureHeaders.authId.toLowerCase()] ?? [];
  const timestamp = headersDistinct[signatureHeaders.timestamp.toLowerCase()] ?? [];
  const signature = headersDistinct[signatureHeaders.signature.toLowerCase()] ?? [];
  const all = [authId, timestamp, signature];
  if (all.some((values) => values.length !== 1 || values[0] === '')) return null;
  return { authId: utf8(authId[0]), timestamp: timestamp[0] ?? '', signature: signature[0] ?? '' };
}

/** Node reads header bytes as latin1; an id beyond ASCII comes as UTF-8. */
function utf8(text: string | undefined): string {
  return Buffer.from(text ?? '', 'latin1').toString('utf8');
}

function decoy(): Secret {
  return new Secret(randomBytes(32).toString('base64'));
}
