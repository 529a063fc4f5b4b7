import type { Clock } from '../../../platform';
import { isJsonObject, parseJson } from '../../../protocol/json/parse';
import {
  readSignedParameters,
  readSignedParts,
  type Secret,
  type SignedPart,
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
  /**
   * The same with any text in a signed field, also with a `#`, by which the signed string is ambiguous (D1.6).
   * @throws TypeError if a signed field is no text.
   */
  anyTransactions(body: string, options?: SigningOptions): WalletRequest;
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
  const post = (body: string, signed: SignedParts, options: SigningOptions): WalletRequest => {
    const headers: Header[] = [
      ...headersFor(signed, options),
      ['Content-Type', 'application/json'],
    ];
    return { method: 'POST', path: '/doTransactions', headers, body: Buffer.from(body) };
  };
  return {
    doTransactions: (body, options = {}) =>
      post(body, readSignedParts('doTransactions', parseJson(body)), options),
    anyTransactions: (body, options = {}) => post(body, readAnyParts(body), options),
    getBalance(parameters, options = {}) {
      const signed = readSignedParameters('getBalance', new Map(Object.entries(parameters)));
      const path = `/getBalance?${new URLSearchParams(parameters).toString()}`;
      return { method: 'GET', path, headers: headersFor(signed, options), body: null };
    },
  };
}

/** The signed parts of a body of doTransactions, whatever its texts hold. */
function readAnyParts(body: string): SignedParts {
  const document = parseJson(body);
  const message = isJsonObject(document.value) ? document.value : {};
  const list = message['transactions'];
  const parts: SignedPart[] = [];
  for (const name of ['playerId', 'gameCode', 'gameRound']) {
    const text = message[name];
    if (typeof text !== 'string') return { parts: null, field: name };
    parts.push({ name, text, isAmount: false });
  }
  for (const item of (Array.isArray(list) ? list : []).filter(isJsonObject)) {
    const { hash } = item;
    if (typeof hash !== 'string') return { parts: null, field: 'hash' };
    parts.push({ name: 'hash', text: hash, isAmount: false });
    const amount = document.lexeme(item, 'amount');
    if (amount !== undefined) parts.push({ name: 'amount', text: amount, isAmount: true });
  }
  return { parts };
}
