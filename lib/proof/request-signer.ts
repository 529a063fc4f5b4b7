import { systemClock } from '../platform';
import { checkOptionNames, type OptionNames } from '../platform/validation';
import { readSecret } from '../protocol/signature/secret';
import { parseJson } from '../protocol/json/parse';
import { type Writable, writeJson } from '../protocol/json/write';
import {
  readSignedParameters,
  readSignedParts,
  type SignedParts,
  signRequest,
} from '../protocol/signature';

/** A signed request of the RGS, ready to send. */
export interface SignedRequest {
  readonly method: 'GET' | 'POST';
  /** Path with the query, appended to the address of the wallet. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for a GET. */
  readonly body?: string;
}

/** Who signs, and when. */
export interface RequestSignerOptions {
  readonly operatorId: string;
  readonly secret: string;
  /** Milliseconds since 1970; the machine's clock unless set. */
  readonly now?: () => number;
}

const optionNames: OptionNames<RequestSignerOptions> = {
  operatorId: true,
  secret: true,
  now: true,
};

/** Signs requests as the RGS does, for tests and the sandbox. */
export interface RequestSigner {
  /** POST /doTransactions; a string is sent as written. */
  doTransactions(body: string | { readonly [key: string]: Writable }): SignedRequest;
  /** GET /getBalance. */
  getBalance(parameters: Readonly<Record<string, string>>): SignedRequest;
}

/**
 * A signer for one operator.
 * @throws TypeError for wrong options, or a message without a signed field.
 */
export function createRequestSigner(options: RequestSignerOptions): RequestSigner {
  checkOptionNames('createRequestSigner', options, optionNames);
  const { operatorId, now = () => systemClock.now() } = options;
  if (typeof operatorId !== 'string') {
    throw new TypeError('createRequestSigner: operatorId must be a text');
  }
  if (typeof now !== 'function') {
    throw new TypeError('createRequestSigner: now must be a function');
  }
  const secret = readSecret('createRequestSigner: secret', options.secret);
  const headersFor = (signed: SignedParts): Record<string, string> => {
    if (signed.parts === null) throw new TypeError(`${signed.field} cannot be signed`);
    return signRequest(secret, operatorId, now(), signed.parts);
  };
  return {
    doTransactions(message) {
      const body = typeof message === 'string' ? message : writeJson(message);
      const signed = readSignedParts('doTransactions', parseJson(body));
      const headers = { ...headersFor(signed), 'Content-Type': 'application/json' };
      return { method: 'POST', path: '/doTransactions', headers, body };
    },
    getBalance(parameters) {
      const signed = readSignedParameters('getBalance', new Map(Object.entries(parameters)));
      const path = `/getBalance?${new URLSearchParams(parameters).toString()}`;
      return { method: 'GET', path, headers: headersFor(signed) };
    },
  };
}
