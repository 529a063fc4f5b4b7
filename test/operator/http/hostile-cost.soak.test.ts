import { afterAll, describe, expect, test } from '@jest/globals';
import { createOperatorHandler } from '../../../lib/operator/http/handler';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { heldBuffers } from '../../platform/array-buffers';
import { growthFactor, growthOf, isLinear } from '../../platform/growth';
import { callShapes } from '../../protocol/json/hostile-json';
import { callInProcess } from './in-process-call';
import { headersFor, operatorId, secret } from './rig';

const largest = 256 * 1024;
const sizes = { small: largest / growthFactor, large: largest };
const handler = createOperatorHandler({
  store: createMemoryStore(),
  operators: [{ operatorId, secrets: [secret, 'older-secret-0123456789'] }],
});

afterAll(() => handler.close());

test('calls with amounts of a thousand digits leave no memory behind (D1.5)', async () => {
  const shapes = [
    'amounts of 1e999',
    'amounts of 1e99',
    'one long hash',
    'one long hash beyond ASCII',
  ];
  const sendAll = async (size: number) => {
    for (const name of shapes) await refusedWith(callShapes[name]?.(size) ?? '');
  };
  await sendAll(1024);
  const before = await heldBuffers(0);
  for (let at = 0; at < 20; at++) await sendAll(largest);
  expect(await heldBuffers(before + 1_000_000)).toBeLessThanOrEqual(before + 1_000_000);
});

/** Sends a body under headers that are as they should be, but for the signature; resolves to the status. */
async function refusedWith(body: string): Promise<number> {
  const headers = headersFor('#not-what-is-sent');
  const request = { method: 'POST', path: '/doTransactions', headers, body } as const;
  return (await callInProcess(handler.handle, request)).status;
}

describe('a body that nobody has signed costs time that is linear in its bytes (D1.5, D1.7)', () => {
  test.each(Object.entries(callShapes))('%s', async (_, shape) => {
    const body = shape(largest);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(largest);
    expect(Buffer.byteLength(body)).toBeGreaterThan(largest * 0.6);
    expect([400, 401]).toContain(await refusedWith(shape(sizes.small)));
    const growth = await growthOf(sizes, shape, refusedWith);
    expect({ ...growth, isLinear: isLinear(growth) }).toMatchObject({ isLinear: true });
  });
});
