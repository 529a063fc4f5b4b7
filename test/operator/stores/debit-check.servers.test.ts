import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';

import { createServer } from '../../../lib/operator/express/create-server';
import { createOperatorRouter } from '../../../lib/operator/express/router';
import type { DebitCheck, WalletStore } from '../../../lib/operator/wallet';
import { createRequestSigner } from '../../../lib/proof';
import { Cleanup } from '../../servers/cleanup';
import { lineOf } from '../http/expired-rig';
import { bodyOf, credit, debit, end, euros, secret, voidOfDebit } from '../http/rig';
import { Places, player } from './places';

const { operatorId, playerId } = player;
const places = new Places();
const cleanup = new Cleanup();
let sent = Date.now();

beforeAll(() => places.start());

afterEach(async () => {
  await cleanup.run();
  await places.tidy();
});

afterAll(() => places.stop());

/** The wallet on a server, as one process has it. */
async function serve(store: WalletStore, debitCheck: DebitCheck) {
  const operators = [{ operatorId, secrets: [secret] }];
  const wallet = createOperatorRouter({
    store,
    operators,
    debitCheck,
    debitCheckMs: 30_000,
    deadlineMs: 60_000,
  });
  const server = createServer(express().use(wallet)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.after(server, async (one) => {
    one.closeAllConnections();
    one.close();
    await wallet.close();
  });
  const signer = createRequestSigner({ operatorId, secret, now: () => ++sent });
  return async (transactions: readonly object[]): Promise<string> => {
    const { path, headers, body = '' } = signer.doTransactions(bodyOf(transactions, { playerId }));
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body,
    });
    return lineOf({ status: answer.status, body: await answer.json() });
  };
}

const followUp = (hash: string, amount: number) => debit(amount, { isFirstDebit: false, hash });

describe.each([['memory', places.inMemory] as const, ...places.kinds])(
  'D12 in %s',
  (_, openPlace) => {
    test('what was allowed stays taken, what was refused stays refused, in another process too', async () => {
      const { open, fund } = await openPlace();
      const store = open({});
      await store.ready();
      await fund(store);
      const real = async () => {
        const read = await store.rounds.accounts(player);
        return read.kind === 'unknown' ? null : read.accounts?.[0]?.real;
      };
      const asked: string[] = [];
      let answer: unknown = { allow: true };
      const check: DebitCheck = ({ debits, currency, total }) => {
        asked.push(`${debits.map(({ hash }) => hash).join()} ${currency} ${total}`);
        return answer as Awaited<ReturnType<DebitCheck>>;
      };
      const call = await serve(store, check);
      const opening = [debit(10), credit(2), followUp('d2', 3)];
      const refused = [followUp('d2', 3), followUp('d3', 4), credit(9, { hash: 'c3' })];

      expect(await call(opening)).toBe('200: round-1, credit-1, d2');
      answer = { allow: false, code: 'LIMITREACHED', clientmsg: 'No.' };
      expect(await call(refused)).toBe('400 9009: d2, d3 9009, c3 9004');
      answer = 'false';
      expect(await call([followUp('d4', 5)])).toBe('400 9008: d4 9008');
      expect(asked).toEqual([
        `round-1,d2 EUR ${euros(13)}`,
        `d3 EUR ${euros(4)}`,
        `d4 EUR ${euros(5)}`,
      ]);
      expect(await real()).toBe(euros(89));

      answer = { allow: true };
      const second = open({});
      await second.ready();
      for (const one of [call, await serve(second, check)]) {
        expect(await one(refused)).toBe('400 9009: d2, d3 9009, c3 9004');
        expect(await one([followUp('d4', 5)])).toBe('400 9008: d4 9008');
        answer = { allow: false };
        expect(await one(opening)).toBe('200: round-1, credit-1, d2');
      }
      expect(asked).toHaveLength(3);

      answer = { allow: true };
      expect(await call([followUp('d5', 6)])).toBe('200: d5');
      answer = { allow: false };
      expect(await call([credit(20, { hash: 'c5' }), end])).toBe('200: c5, end-1');
      expect(await real()).toBe(euros(103));
      expect(await call([voidOfDebit])).toBe('200: round-1');
      expect([await real(), asked.length]).toEqual([euros(100), 4]);
    });
  },
);
