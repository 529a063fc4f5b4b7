import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';

import { beforeEach, expect, test } from '@jest/globals';

import { Secret } from '../../../lib/protocol/signature';
import { createOperatorHandler } from '../../../lib/operator/http/handler';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { systemClock } from '../../../lib/platform';
import { createMovableClock, type MovableClock } from '../../../lib/platform/movable-clock';
import { createGameEngineClient } from '../../../lib/provider';
import { createProviderLine } from '../../../lib/rgs/client/provider-line';
import { createWalletLine } from '../../../lib/rgs/client/wallet-line';
import { createEngineHandler } from '../../../lib/rgs/http/engine';
import { createMemoryJournal } from '../../../lib/rgs/journal/memory';
import { createRgsService, type RgsService } from '../../../lib/rgs/service/calls';
import { startProgram } from '../../docs/process';
import { freePort } from '../../servers/ports';
import { temporaryFolder } from '../../servers/reaper';
import { until } from '../../servers/until';
import { cleanupAfterEach } from '../../support/each-test';
import { listen, stopServer } from '../../network/listening';

const example = join(__dirname, '../../../examples/provider-game.mjs');
const [operatorId, playerId, gameProviderId] = ['acme', 'ann', 'studio-1'];
const walletSecret = 'wallet-secret-0123456789';
const secret = 'studio-secret-0123456789';
const day = 24 * 3_600_000;
const cleanup = cleanupAfterEach();

let store: ReturnType<typeof createMemoryStore>;
let clock: MovableClock;
let service: RgsService;
let engineUrl: string;
let gameUrl: string;

/** A listener on a port; its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await listen(server);
  cleanup.after(server, stopServer);
  return `http://127.0.0.1:${port}`;
}

beforeEach(async () => {
  const operators = [{ operatorId, secrets: [walletSecret] }];
  const providers = [{ gameProviderId, secrets: [secret] }];
  store = createMemoryStore();
  await store.players.openPlayer({
    operatorId,
    playerId,
    currency: 'EUR',
    balances: { real: '10000' },
  });
  const walletUrl = await serve(createOperatorHandler({ store, operators }).handle);
  const port = String(await freePort());
  gameUrl = `http://127.0.0.1:${port}`;
  clock = createMovableClock(systemClock);
  service = await createRgsService({
    journal: createMemoryJournal(),
    wallet: createWalletLine({
      wallets: [{ authId: operatorId, baseUrl: walletUrl, secret: new Secret(walletSecret) }],
    }),
    provider: createProviderLine({
      routers: [{ authId: gameProviderId, baseUrl: `${gameUrl}/rgs`, secret: new Secret(secret) }],
    }),
    games: [{ gameCode: 'reels', gameProviderId, name: 'Reels', launchUrl: `${gameUrl}/` }],
    operators: [{ operatorId }],
    engineUrl: () => engineUrl,
    clock,
  });
  cleanup.after(service);
  const handler = createEngineHandler({
    service,
    providers,
    basePath: '/gameapi/v2',
  });
  engineUrl = `${await serve(handler.handle)}/gameapi/v2`;
  const BOOK = join(await temporaryFolder('provider-game'), 'book');
  const env = { RGS_URL: engineUrl, PROVIDER_SECRET: secret, PORT: port, BOOK };
  const game = startProgram(process.execPath, [example], { env });
  cleanup.after(game, ({ stop }) => stop());
  await game.answers(gameUrl);
});

/** A session of the player, as the game's page opens it. */
async function session(): Promise<string> {
  const { url } = await service.getGameURL(operatorId, {
    playerId,
    currency: 'EUR',
    gameCode: 'reels',
    language: 'en',
    mode: 'REAL',
    profile: null,
    options: {},
    externalSessionId: null,
    device: null,
  });
  const launchToken = new URL(url).searchParams.get('token');
  const reply = await fetch(`${engineUrl}/connect?token=${launchToken}`);
  return ((await reply.json()) as { token: string }).token;
}

/** What the player has in the wallet, in the units of the game. */
async function balance(): Promise<bigint> {
  const account = await store.rounds.accounts({ operatorId, playerId });
  if (account.kind !== 'known' || account.accounts === null) throw new Error('no account');
  return (account.accounts[0]?.real ?? 0n) / 10_000n;
}

test('the example plays over this RGS: what it shows the player is what the wallet pays', async () => {
  const token = await session();
  let expected = 10_000n;
  for (let spin = 0; spin < 5; spin++) {
    const answer = await fetch(`${gameUrl}/spin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, stake: 100, currency: 'EUR' }),
    });
    const shown = (await answer.json()) as { winAmount: string; balance: string };
    expected += BigInt(shown.winAmount) - 100n;
    expect([answer.status, shown.balance]).toEqual([200, String(expected)]);
  }
  expect(await balance()).toBe(expected);
});

test('a round that a player left is played by the example when the RGS sends doAutoClose (E16)', async () => {
  const rgs = createGameEngineClient({ baseUrl: engineUrl, gameProviderId, secret });
  const token = await session();
  const round = await rgs.openRound({ token, stake: 100, currency: 'EUR' });
  expect(service.round(gameProviderId, round.id)?.state).toBe('open');
  await clock.advance(day + 1000);
  await until('the round to be closed', async () => {
    await service.runJanitor();
    await service.idle();
    if (service.round(gameProviderId, round.id)?.state === 'closed') return true;
    await clock.advance(day / 24); // a game that was too slow is asked again after an hour
    return false;
  });
  const { entries } = service.round(gameProviderId, round.id) ?? { entries: [] };
  const won = entries.find(({ type }) => type === 'genericwin')?.winAmount ?? 0n;
  expect(await balance()).toBe(9900n + won);
  await expect(round.end()).rejects.toMatchObject({ id: 1008, outcome: 'refused' });
});
