import { afterEach, expect, test } from '@jest/globals';

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { systemClock } from '../../../lib/platform';
import { certify } from '../../../lib/proof/certify';
import { Cleanup } from '../../servers/cleanup';
import { createWallet, OPERATORS } from './wallets/plain-wallet.cjs';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

const twenty = 'debit-twenty-times-at-once';

/** The verdict on a wallet that answers the twenty calls of the case alike, once all have come. */
async function verdictOnTwenty(status: number, body: string) {
  const { listener } = createWallet({});
  const held: ServerResponse[] = [];
  let isPlayed = false;
  const server = createServer((request, response) => {
    const isHeld = isPlayed && held.length < 20 && request.url?.includes('doTransactions') === true;
    if (!isHeld) return listener(request, response);
    held.push(response);
    request.resume();
    if (held.length < 20) return;
    for (const one of held) one.writeHead(status, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.after(server, (one) => {
    one.close();
    one.closeAllConnections();
  });
  const [first] = OPERATORS;
  const { cases } = await certify({
    urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    operator: { operatorId: first?.id ?? '', secret: first?.secrets[0] ?? '' },
    playerIds: ['p1', 'p2'],
    currency: 'EUR',
    only: ['concurrency'],
    clock: systemClock,
    progress: {
      begins: ({ id }) => void (isPlayed ||= id === twenty),
      ended: () => undefined,
      note: () => undefined,
    },
  });
  return cases.find(({ id }) => id === twenty)?.verdict;
}

test('a wallet that knows the outcome of none of twenty equal debits is not accused: an RGS voids them', async () => {
  expect(await verdictOnTwenty(503, '{"hashesProcessed":[]}')).toBe('inconclusive');
});

test('one that refuses all twenty for good is', async () => {
  const error = '{"hashesProcessed":[],"errorCode":{"id":12,"msg":"started"}}';
  expect(await verdictOnTwenty(400, error)).toBe('failed');
});
