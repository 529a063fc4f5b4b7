import { expect, test } from '@jest/globals';
import {
  AbortedError,
  InvalidReplyError,
  InvalidRequestError,
  NetworkError,
  RgsClientError,
  type RgsClientErrorCode,
  ServiceError,
  SignatureRefusedError,
  TimeoutError,
} from '../../../lib/operator/client';

const call = { operation: 'getStats', attempts: 1 };
const everyError: { readonly [code in RgsClientErrorCode]: RgsClientError & { code: code } } = {
  INVALID_REQUEST: new InvalidRequestError('getStats', 'groupBy', 'must be texts'),
  SERVICE_ERROR: new ServiceError(call, 400, { id: 19, msg: null, clientmsg: 'Sorry.' }),
  SIGNATURE_REFUSED: new SignatureRefusedError(call, 401, 1001),
  INVALID_REPLY: new InvalidReplyError(call, 200, '/records', 'must be a list'),
  NETWORK_FAILURE: new NetworkError(call, 'ECONNREFUSED'),
  TIMED_OUT: new TimeoutError(call, 'attempt'),
  ABORTED: new AbortedError(call),
};

/** What a user writes: it compiles only where `code` narrows the error, and only where every code has a case. */
function detailOf(error: unknown): string | number | null {
  if (!(error instanceof RgsClientError)) throw error;
  switch (error.code) {
    case 'INVALID_REQUEST':
      return error.field;
    case 'SERVICE_ERROR':
      return error.clientmsg;
    case 'SIGNATURE_REFUSED':
      return error.id;
    case 'INVALID_REPLY':
      return error.field;
    case 'NETWORK_FAILURE':
      return error.reason;
    case 'TIMED_OUT':
      return error.which;
    case 'ABORTED':
      return error.operation;
  }
}

test('instanceof and the code narrow an error of the client to the members it has', () => {
  expect(Object.values(everyError).map(detailOf)).toEqual([
    'groupBy',
    'Sorry.',
    1001,
    '/records',
    'ECONNREFUSED',
    'attempt',
    'getStats',
  ]);
});

test('a member that only one error has is a compile error before its code is checked', () => {
  const errors: readonly RgsClientError[] = Object.values(everyError);
  // @ts-expect-error not every error has a reason
  expect(errors.map((error) => error.reason).filter(Boolean)).toEqual(['ECONNREFUSED']);
});

test.each(Object.entries(everyError))(
  '%s is an Error, and the code names its class',
  (code, error) => {
    expect(error).toBeInstanceOf(RgsClientError);
    expect(error).toBeInstanceOf(Error);
    expect(error.code).toBe(code);
  },
);

test('any other error is not one of the client', () => {
  expect(() => detailOf(new TypeError('mine'))).toThrow('mine');
  expect(new Error('mine')).not.toBeInstanceOf(RgsClientError);
});
