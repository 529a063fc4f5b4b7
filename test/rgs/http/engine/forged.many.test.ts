import * as fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { runs } from '../../../support/runs';

import {
  createMemoryExchange,
  type PlainRequest,
} from '../../../../lib/platform/http/memory-server';
import { createEngineHandler } from '../../../../lib/rgs/http/engine';
import { gameProviderId, secret, signatureOf } from './rig';

const timestamp = new Date().toISOString();
const signed = '{"token":"t","gameRound":"round-1"}';

/** A handler without a port; how many calls reached its service. */
function handlerOf() {
  const reached: string[] = [];
  const never = async (): Promise<never> => {
    reached.push('a service');
    throw new Error('reached');
  };
  const { handle } = createEngineHandler({
    service: { call: never, connect: never, reconnect: never, disconnect: never },
    providers: [{ gameProviderId, secrets: [secret] }],
  });
  return { send: createMemoryExchange(handle), reached };
}

/** A request with the signature of `signed`, and this in place of its parts. */
function request(body: Uint8Array, headers: Readonly<Record<string, string>> = {}): PlainRequest {
  const all = {
    Host: 'rgs',
    'Content-Type': 'application/json',
    'X-Request-Id': 'r',
    'X-H-AUTH-ID': gameProviderId,
    'X-H-TIMESTAMP': timestamp,
    'X-H-AUTH-SIG': signatureOf(signed, timestamp),
    ...headers,
  };
  const rawHeaders = Object.entries(all).flat();
  return { method: 'POST', target: '/endGameRound', rawHeaders, body };
}

describe('a request that differs from the signed one in anything is answered 401, and reaches nothing (E2.2)', () => {
  const { send, reached } = handlerOf();

  test('in any byte of its body', async () => {
    const changes = fc.tuple(
      fc.nat(Buffer.byteLength(signed) - 1),
      fc.integer({ min: 1, max: 255 }),
    );
    await fc.assert(
      fc.asyncProperty(changes, async ([at, by]) => {
        const body = Buffer.from(signed);
        body[at] = (body[at] ?? 0) ^ by;
        expect((await send(request(body))).status).toBe(401);
      }),
      { numRuns: runs(150) },
    );
    expect(reached).toEqual([]);
  });

  test('before it, after it, or by what is left out of it', async () => {
    const parts = fc.tuple(
      fc.uint8Array({ maxLength: 3 }),
      fc.nat(Buffer.byteLength(signed)),
      fc.uint8Array({ maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(parts, async ([before, end, behind]) => {
        const body = Buffer.concat([before, Buffer.from(signed).subarray(0, end), behind]);
        fc.pre(!body.equals(Buffer.from(signed)));
        expect((await send(request(body))).status).toBe(401);
      }),
      { numRuns: runs(150) },
    );
    expect(reached).toEqual([]);
  });

  test('in any character of a header', async () => {
    const names = ['X-H-AUTH-ID', 'X-H-TIMESTAMP', 'X-H-AUTH-SIG'] as const;
    const values = {
      'X-H-AUTH-ID': gameProviderId,
      'X-H-TIMESTAMP': timestamp,
      'X-H-AUTH-SIG': signatureOf(signed, timestamp),
    };
    const changes = fc.tuple(
      fc.constantFrom(...names),
      fc.nat(43),
      fc.integer({ min: 0x21, max: 0x7e }),
    );
    await fc.assert(
      fc.asyncProperty(changes, async ([name, place, code]) => {
        const value = values[name];
        const at = place % value.length;
        const changed = value.slice(0, at) + String.fromCharCode(code) + value.slice(at + 1);
        fc.pre(changed !== value);
        const reply = await send(request(Buffer.from(signed), { [name]: changed }));
        expect(reply.status).toBe(401);
      }),
      { numRuns: runs(150) },
    );
    expect(reached).toEqual([]);
  });

  test('and the signed one itself is let in', async () => {
    expect((await send(request(Buffer.from(signed)))).status).toBe(500);
    expect(reached).toEqual(['a service']);
  });
});
