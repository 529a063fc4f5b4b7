import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test } from '@jest/globals';

import { type Running, startProgram } from '../docs/process';
import { headersFor } from '../provider/http/call';
import { ListeningRgs } from '../provider/listening-rgs';
import { gameProviderId, secret } from '../provider/scripted-rgs';
import { freePort } from '../servers/ports';
import { temporaryFolder } from '../servers/reaper';
import { until } from '../servers/until';
import { cleanupAfterEach } from '../support/each-test';

const example = join(__dirname, '../../examples/provider-game.mjs');
const cleanup = cleanupAfterEach();
let rgs: ListeningRgs;
let url: string;
let env: Readonly<Record<string, string>>;
let game: Running;

beforeEach(async () => {
  rgs = cleanup.after(await ListeningRgs.start());
  const port = String(await freePort());
  const BOOK = join(await temporaryFolder('provider-game'), 'book');
  env = { ...rgs.environment, PORT: port, BOOK };
  url = `http://127.0.0.1:${port}`;
  await startGame();
});

async function startGame(): Promise<void> {
  game = cleanup.after(startProgram(process.execPath, [example], { env }));
  await game.answers(url);
}

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

test('provider-game has about a hundred lines (S4)', () => {
  expect(readFileSync(example, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(110);
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

/** A spin whose call with this name never arrives, as no call after it does, until the process is killed. */
async function killedAt(name: string): Promise<void> {
  const before = name === 'addWin' ? (['none'] as const) : [];
  rgs.failNext(...before, ...Array.from({ length: 50 }, () => 'lost' as const));
  const unanswered = spin(100).catch(() => {});
  await until(`a lost ${name}`, async () => rgs.rgs.names.includes(name));
  await game.stop();
  await unanswered;
  rgs.failNext();
  rgs.rgs.sent.length = 0;
}

test('provider-game pays, after its process died, the draw of its book: it draws no second time (S2)', async () => {
  await killedAt('addWin');
  await startGame();
  expect(rgs.rgs.names).toEqual(['getGameRoundInfo', 'addWin']);
  const { credited, status } = rgs.rgs.book.only;
  const lines = readFileSync(env['BOOK'] ?? '', 'utf8')
    .trim()
    .split('\n');
  const { reels = [] } = JSON.parse(lines[1] ?? '') as { reels?: number[] };
  expect([status, credited]).toEqual(['closed', [1800, 100, 0][new Set(reels).size - 1]]);
});

test('provider-game learns, after its process died, that a bet was not taken; the next one is (S2.2)', async () => {
  await killedAt('startGameRound');
  await startGame();
  expect([rgs.rgs.names, rgs.rgs.book.rounds.size]).toEqual([['getGameRoundInfo'], 0]);
  expect((await spin(100)).status).toBe(200);
  await game.stop();
  rgs.rgs.sent.length = 0;
  await startGame();
  expect(rgs.rgs.names).toEqual([]);
});

test('provider-game fetches a token for a round whose own is over (S2)', async () => {
  await killedAt('addWin');
  rgs.rgs.answers.set('getGameRoundInfo', [
    [400, { errorCode: { id: 1008 } }],
    [400, { errorCode: { id: 1008 } }],
  ]);
  await startGame();
  expect(rgs.rgs.names.slice(-3)).toEqual(['getTokenForGameRound', 'getGameRoundInfo', 'addWin']);
  expect(rgs.rgs.book.only.status).toBe('closed');
});
