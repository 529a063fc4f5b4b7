import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { expect, test } from '@jest/globals';

import { certify } from '../../../lib/proof/certify';
import { createWallet, OPERATORS } from './wallets/plain-wallet.cjs';

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
  [5, 'failed'],
])(
  'a credit that is left out of %d answers in a row: %s, for it is resent five times (operator-api 4.1)',
  async (most, verdict) => {
    const answer = leavingOut(most);
    const server = createServer((request, response) => void answer(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { id = '', secrets = [] } = OPERATORS[0] ?? {};
    const { cases } = await certify({
      urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
      operator: { operatorId: id, secret: secrets[0] ?? '' },
      playerIds: ['p1', 'p2'],
      currency: 'EUR',
      only: ['credit-twenty-times-at-once'],
    });
    server.closeAllConnections();
    server.close();
    expect(cases.find((one) => one.id === 'credit-twenty-times-at-once')?.verdict).toBe(verdict);
  },
);
