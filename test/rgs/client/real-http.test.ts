import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';

import { afterEach, describe, expect, test } from '@jest/globals';

import { Secret } from '../../../lib/protocol/signature';
import { createOperatorHandler } from '../../../lib/operator/http/handler';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { systemClock } from '../../../lib/platform';
import { createProviderLine } from '../../../lib/rgs/client/provider-line';
import { createWalletLine, type WalletLineOptions } from '../../../lib/rgs/client/wallet-line';
import type { Due, Owner } from '../../../lib/rgs/rounds/round';
import { secret } from './noted-fetch';
import { listen, stopServer } from '../../network/listening';

const owner: Owner = {
  gameProviderId: 'studio-1',
  operatorId: 'acme',
  playerId: 'änn',
  gameCode: 'bells',
  mode: 'REAL',
  currency: 'EUR',
  currencyMultiplier: '1',
};
const common = { at: Date.now(), currency: 'EUR' };
const debit: Due = {
  ...common,
  type: 'debit',
  hash: 'round-1',
  reason: 'bet',
  isFirstDebit: true,
  amount: 100n,
  discount: null,
  serial: null,
};
const credit: Due = { ...common, type: 'credit', hash: 'c1', reason: 'win', amount: 250n };
const end: Due = { type: 'end', hash: 'e1', at: common.at, reason: 'end' };
const open: Server[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) {
    await stopServer(server);
  }
});

/** A server on a port of this host; its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  const port = await listen(server);
  return `http://127.0.0.1:${port}`;
}

/** A line to a wallet where the player has 10,000 units. */
async function walletLine(
  options: Partial<WalletLineOptions> = {},
  onCall: (response: ServerResponse) => void = () => {},
) {
  const store = createMemoryStore();
  const { operatorId, playerId } = owner;
  const balances = { real: '10000' };
  await store.players.openPlayer({ operatorId, playerId, currency: 'EUR', balances });
  const operators = [{ operatorId, secrets: [secret] }];
  const { handle } = createOperatorHandler({ store, operators });
  const url = await serve((request, response) => {
    onCall(response);
    handle(request, response);
  });
  return createWalletLine({
    wallets: [{ authId: operatorId, baseUrl: url, secret: new Secret(secret) }],
    ...options,
  });
}

describe('the line to a wallet of this kit, over HTTP', () => {
  test('takes a debit, pays a credit, and tells the balance after each (B5)', async () => {
    const line = await walletLine();
    const send = (...transactions: Due[]) =>
      line.doTransactions({ owner, gameRound: 'round-1', transactions });
    expect(await send(debit)).toMatchObject({
      answer: { status: 200, body: { hashesProcessed: [{ hash: 'round-1', error: null }] } },
      balance: { totalBalance: 9900n },
    });
    expect(await send(credit, end)).toMatchObject({
      answer: { status: 200, body: { hashesProcessed: [{ hash: 'c1' }, { hash: 'e1' }] } },
      balance: { totalBalance: 10150n },
    });
    const asked = await line.getBalance({ owner, externalSessionId: 'a b+c&d' });
    expect(asked).toMatchObject({ kind: 'known', balance: { totalBalance: 10150n } });
  });

  test('declines a debit that the balance does not cover, with the wallet’s own error (W2)', async () => {
    const line = await walletLine();
    const transactions = [{ ...debit, amount: 10001n }];
    const { answer } = await line.doTransactions({ owner, gameRound: 'round-1', transactions });
    expect(answer).toMatchObject({ status: 400, body: { error: { id: 9001 } } });
  });

  test.each(['lower', 'upper'] as const)(
    'voids it, spelled in %s case (W6)',
    async (voidSpelling) => {
      const line = await walletLine({ voidSpelling });
      const undo: Due = { ...common, type: 'void', hash: 'round-1', reason: 'void', amount: 100n };
      await line.doTransactions({ owner, gameRound: 'round-1', transactions: [debit] });
      const voided = await line.doTransactions({
        owner,
        gameRound: 'round-1',
        transactions: [undo],
      });
      expect(voided).toMatchObject({ answer: { status: 200 }, balance: { totalBalance: 10000n } });
    },
  );

  test('a reply that has come is heard, though its time is over before this process reads it (W1)', async () => {
    let timeIsOver: (() => void) | null = null;
    const after = (_ms: number, work: () => void) => {
      timeIsOver = work;
      return () => {};
    };
    const line = await walletLine({ clock: { ...systemClock, after } }, (response) => {
      response.once('finish', () => {
        setTimeout(() => timeIsOver?.(), 1);
        // The reply has come, and what Node does first after standing still is its timers.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      });
    });
    const answered = await line.getBalance({ owner, externalSessionId: null });
    expect(answered).toMatchObject({ kind: 'known', balance: { totalBalance: 10_000n } });
  });
});

const send = (url: string, walletTimeoutMs = 5000) =>
  createWalletLine({
    wallets: [{ authId: 'acme', baseUrl: url, secret: new Secret(secret) }],
    walletTimeoutMs,
  })
    .doTransactions({ owner, gameRound: 'round-1', transactions: [debit] })
    .then(({ answer }) => answer);

describe('a server that does not behave', () => {
  test('a redirect is not followed: it is silence, and the other address sees nothing (W1)', async () => {
    const seen: string[] = [];
    const elsewhere = await serve((request, response) => {
      seen.push(request.url ?? '');
      response.end('{}');
    });
    const url = await serve((_, response) =>
      response.writeHead(307, { location: elsewhere }).end(),
    );
    expect(await send(url)).toMatchObject({ kind: 'reply', status: 307 });
    expect(seen).toEqual([]);
  });

  test('a connection that is closed before the reply is cut', async () => {
    expect(await send(await serve((request) => request.socket.destroy()))).toEqual({ kind: 'cut' });
  });

  test('a reply that is shorter than it says is cut', async () => {
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"hashesProcessed":[]}');
      request.socket.end();
    });
    expect(await send(url)).toEqual({ kind: 'cut' });
  });

  test('nobody listens: cut', async () => {
    const url = await serve(() => {});
    await new Promise((resolve) => open.splice(0)[0]?.close(resolve));
    expect(await send(url)).toEqual({ kind: 'cut' });
  });

  test('no reply within walletTimeoutMs is a time-out, and the request is given up (W1)', async () => {
    const gone = new Promise<string>((resolve) => {
      void serve((request) => request.on('close', () => resolve('gone'))).then(async (url) => {
        expect(await send(url, 30)).toEqual({ kind: 'timeOut' });
      });
    });
    expect(await gone).toBe('gone');
  });

  test('a reply without end is cut at 256 KiB (W1)', async () => {
    const url = await serve((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.writeHead(400).on('drain', more);
      more();
    });
    expect(await send(url)).toEqual({ kind: 'cut' });
  });

  test('a provider’s router is asked over HTTP too', async () => {
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { gameRound } = JSON.parse(Buffer.concat(chunks).toString()) as { gameRound: string };
        response.end(JSON.stringify({ gameRound, result: request.url }));
      });
    });
    const line = createProviderLine({
      routers: [{ authId: 'studio-1', baseUrl: url, secret: new Secret(secret) }],
    });
    const asked = { gameProviderId: 'studio-1', gameCode: 'bells', gameRound: 'r', language: 'EN' };
    expect(await line.getGameResult(asked)).toEqual({
      kind: 'answered',
      value: '"/getGameResult"',
    });
  });
});
