import type { Clock } from '../../../platform';
import { parseJson } from '../../../protocol/json/parse';
import {
  readSignedParameters,
  readSignedParts,
  type Secret,
  type SignedParts,
  signRequest,
} from '../../../protocol/signature';
import type { Header, WalletRequest } from './exchange';

/** Who signs. */
export interface Credentials {
  readonly operatorId: string;
  readonly secret: Secret;
}

/** What of a request differs from the usual. */
export interface SigningOptions {
  /** The operator itself unless set. */
  readonly by?: Credentials;
  /** Milliseconds since 1970; now unless set. No two requests that are signed now have one timestamp. */
  readonly at?: number;
}

/** Signs requests as the service does (operator-api 5). */
export interface Signer {
  /**
   * POST /doTransactions with this body as it is written; it must parse.
   * @throws TypeError if a signed field is missing.
   */
  doTransactions(body: string, options?: SigningOptions): WalletRequest;
  /** GET /getBalance. */
  getBalance(parameters: Readonly<Record<string, string>>, options?: SigningOptions): WalletRequest;
}

/** A signer for one operator. */
export function noteSigner(own: Credentials, clock: Clock): Signer {
  let last = 0;
  const uniqueNow = (): number => {
    last = Math.max(last + 1, clock.now());
    return last;
  };
  const headersFor = (signed: SignedParts, { by = own, at = uniqueNow() }: SigningOptions) => {
    if (signed.parts === null) throw new TypeError(`${signed.field} cannot be signed`);
    return Object.entries(signRequest(by.secret, by.operatorId, at, signed.parts)) as Header[];
  };
  return {
    doTransactions(body, options = {}) {
      const signature = headersFor(readSignedParts('doTransactions', parseJson(body)), options);
      const headers: Header[] = [...signature, ['Content-Type', 'application/json']];
      return { method: 'POST', path: '/doTransactions', headers, body: Buffer.from(body) };
    },
    getBalance(parameters, options = {}) {
      const signed = readSignedParameters('getBalance', new Map(Object.entries(parameters)));
      const path = `/getBalance?${new URLSearchParams(parameters).toString()}`;
      return { method: 'GET', path, headers: headersFor(signed, options), body: null };
    },
  };
}
