import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { expect, test } from '@jest/globals';

import { type Clock, systemClock } from '../../../lib/platform';
import { certify } from '../../../lib/proof/certify';
import { createWallet, OPERATORS } from './wallets/plain-wallet.cjs';

/** Pauses are over at once: only their number counts here. */
const unpausing: Clock = { ...systemClock, pause: async () => undefined };

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What a run says of a wallet in one case. */
async function verdictOn(answer: Listener, id: string): Promise<string | undefined> {
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { id: operatorId = '', secrets = [] } = OPERATORS[0] ?? {};
  const { cases } = await certify({
    urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    operator: { operatorId, secret: secrets[0] ?? '' },
    playerIds: ['p1', 'p2'],
    currency: 'EUR',
    clock: unpausing,
    only: [id],
  });
  server.closeAllConnections();
  server.close();
  return cases.find((one) => one.id === id)?.verdict;
}

/** A right wallet that leaves the credit of so many calls out, after twenty calls of one credit alone: it is pending. */
function leavingOut(most: number) {
  const wallet = createWallet();
  const calls = new Map<string, number>();
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const { method = '', url = '', rawHeaders } = request;
    const [credit = ''] = /\[\{"type":"credit"[^}]*\}\]/.exec(body.toString()) ?? [];
    const count = credit === '' ? 0 : (calls.get(credit) ?? 0) + 1;
    calls.set(credit, count);
    const isLeftOut = count > 20 && count <= 20 + most;
    const left = { status: 400, type: 'application/json', text: '{"hashesProcessed":[]}' };
    const answered = isLeftOut ? left : await wallet.answer({ method, url, rawHeaders, body });
    response.writeHead(answered.status, { 'content-type': 'application/json' });
    response.end(answered.text);
  };
}

test.each([
  [4, 'passed'],
  [5, 'passed'],
  [10, 'passed'],
  [11, 'failed'],
])(
  'a credit that is left out of %d answers in a row: %s, for it is resent five times, and later again (operator-api 3 and 4.1)',
  async (most, verdict) => {
    expect(await verdictOn(leavingOut(most), 'credit-twenty-times-at-once')).toBe(verdict);
  },
);

/** A right wallet that answers so many getBalance in a row by 503, once a debit has come. */
function silentOnBalance(most: number) {
  const wallet = createWallet();
  let silent = most;
  let hasDebit = false;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const { method = '', url = '', rawHeaders } = request;
    hasDebit ||= body.includes('"debit"');
    const isSilent = method === 'GET' && hasDebit && silent > 0;
    if (isSilent) silent -= 1;
    const answered = isSilent
      ? { status: 503, text: '{}' }
      : await wallet.answer({ method, url, rawHeaders, body });
    response.writeHead(answered.status, { 'content-type': 'application/json' });
    response.end(answered.text);
  };
}

test.each([
  [3, 'passed'],
  [4, 'inconclusive'],
])(
  'a balance that is answered 503 %d times in a row: %s, for it is read again three times',
  async (most, verdict) => {
    expect(await verdictOn(silentOnBalance(most), 'plain-round')).toBe(verdict);
  },
);
