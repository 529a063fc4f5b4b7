import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { startProgram } from '../docs/process';
import { headersFor } from '../provider/http/call';
import { ListeningRgs } from '../provider/listening-rgs';
import { gameProviderId, secret } from '../provider/scripted-rgs';
import { Cleanup } from '../servers/cleanup';
import { freePort } from '../servers/ports';

const example = join(__dirname, '../../examples/provider-game.mjs');
const cleanup = new Cleanup();
let rgs: ListeningRgs;
let url: string;

beforeEach(async () => {
  rgs = cleanup.after(await ListeningRgs.start(), (started) => started.close());
  const port = String(await freePort());
  const env = { ...rgs.environment, PORT: port };
  const game = cleanup.after(startProgram(process.execPath, [example], { env }), (started) =>
    started.stop(),
  );
  url = `http://127.0.0.1:${port}`;
  await game.answers(url);
});

afterEach(() => cleanup.run());

interface Spin {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the game's page sends. */
async function spin(stake: number): Promise<Spin> {
  const answer = await fetch(`${url}/spin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: 't', stake, currency: 'EUR' }),
  });
  return { status: answer.status, body: (await answer.json()) as Spin['body'] };
}

/** A call of the RGS, signed as the specification has it. */
function headers(signed: readonly string[]): Record<string, string> {
  return headersFor(signed, { atMs: Date.now(), id: gameProviderId, key: secret });
}

test('provider-game has at most 50 lines (S4)', () => {
  expect(readFileSync(example, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(50);
});

test('provider-game plays a round: a bet, a draw, a win that closes it', async () => {
  const { status, body } = await spin(100);
  expect([status, Object.keys(body)]).toEqual([200, ['reels', 'winAmount', 'balance']]);
  expect(rgs.rgs.names).toEqual(['startGameRound', 'addWin']);
  const { credited, status: state } = rgs.rgs.book.only;
  expect([String(credited), state]).toEqual([body['winAmount'], 'closed']);
  expect(['0', '100', '1800']).toContain(body['winAmount']);
});

test('provider-game pays once where replies are lost', async () => {
  rgs.failNext('replyLost', 'none', 'replyLost');
  const { status, body } = await spin(100);
  expect(status).toBe(200);
  expect(rgs.rgs.names).toEqual([
    'startGameRound',
    'getGameRoundInfo',
    'addWin',
    'getGameRoundInfo',
  ]);
  expect(String(rgs.rgs.book.only.credited)).toBe(body['winAmount']);
});

test('provider-game answers 400 with the text of a declined bet', async () => {
  rgs.rgs.book.declines = true;
  expect(await spin(100)).toEqual({ status: 400, body: { message: 'Your balance is too low.' } });
});

test('provider-game gives its stakes in the currency that the RGS asks for', async () => {
  const query = 'gameCode=bells&currency=SEK&currencyMultiplier=10';
  const path = `${url}/rgs/getGameConfiguration?${query}`;
  const answer = await fetch(path, { headers: headers(['SEK']) });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      gameCode: 'bells',
      config: {
        stakes: [100, 200, 500, 1000, 2000],
        currency: 'SEK',
        currencyMultiplier: 10,
        expectedRtp: 91.67,
        maxPayoutOdds: 36,
      },
    },
  ]);
  expect((await fetch(path)).status).toBe(401);
});

test('provider-game plays what a player left, when the RGS asks for it', async () => {
  const debit = { debitAmount: 100, externalGameProviderTransactionId: 'bet-1' };
  const start = { externalGameProviderRoundId: 'left', debitInformation: debit };
  rgs.rgs.book.answer('startGameRound', start);
  const answer = await fetch(`${url}/rgs/doAutoClose`, {
    method: 'POST',
    headers: { ...headers(['left']), 'content-type': 'application/json' },
    body: '{"gameRound":"left","gameCode":"bells"}',
  });
  expect(answer.status).toBe(200);
  expect(rgs.rgs.names).toEqual(['getTokenForGameRound', 'getGameRoundInfo', 'addWin']);
  expect(rgs.rgs.book.only.status).toBe('closed');
});
