import { createServer, type RequestListener, type Server } from 'node:http';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { Secret } from '../../../../lib/protocol/signature';
import { createOperatorHandler } from '../../../../lib/operator/http/handler';
import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import { createGameEngineClient, createGameProviderHandler } from '../../../../lib/provider';
import { createProviderLine } from '../../../../lib/rgs/client/provider-line';
import { createWalletLine } from '../../../../lib/rgs/client/wallet-line';
import { createEngineHandler } from '../../../../lib/rgs/http/engine';
import type { HttpFinding } from '../../../../lib/rgs/http/call-event';
import { createMemoryJournal } from '../../../../lib/rgs/journal/memory';
import { createRgsService, type RgsService } from '../../../../lib/rgs/service/calls';
import { listen, stopServer } from '../../../network/listening';

const [operatorId, playerId] = ['acme', 'ann'];
const gameProviderId = 'studio-1';
const walletSecret = 'wallet-secret-0123456789';
const studioSecret = 'studio-secret-0123456789';
const launch = {
  playerId,
  currency: 'EUR',
  gameCode: 'bells',
  language: 'en',
  mode: 'REAL',
  profile: null,
  options: {},
  externalSessionId: 'session-1',
  device: null,
} as const;
const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  const port = await listen(server);
  return `http://127.0.0.1:${port}`;
}

describe('a wallet, the RGS and a game provider of this kit, with HTTP on every line', () => {
  const store = createMemoryStore();
  const findings: HttpFinding[] = [];
  let service: RgsService;
  let baseUrl = '';

  beforeAll(async () => {
    await store.players.openPlayer({
      operatorId,
      playerId,
      currency: 'EUR',
      balances: { real: '10000' },
    });
    const operators = [{ operatorId, secrets: [walletSecret] }];
    const providers = [{ gameProviderId, secrets: [studioSecret] }];
    const walletUrl = await serve(createOperatorHandler({ store, operators }).handle);
    const routerUrl = await serve(
      createGameProviderHandler({
        providers,
        getGameConfiguration: ({ currency, currencyMultiplier }) => ({
          stakes: [10, 100],
          currency,
          currencyMultiplier,
          expectedRtp: 96,
          maxPayoutOdds: 36,
        }),
      }).handle,
    );
    service = await createRgsService({
      journal: createMemoryJournal(),
      wallet: createWalletLine({
        wallets: [{ authId: operatorId, baseUrl: walletUrl, secret: new Secret(walletSecret) }],
      }),
      provider: createProviderLine({
        routers: [{ authId: gameProviderId, baseUrl: routerUrl, secret: new Secret(studioSecret) }],
      }),
      games: [
        { gameCode: 'bells', gameProviderId, name: 'Bells', launchUrl: 'https://game.example/' },
      ],
      operators: [{ operatorId }],
      engineUrl: () => baseUrl,
    });
    const handler = createEngineHandler({
      service,
      providers,
      basePath: '/gameapi/v2',
      onFinding: (finding) => findings.push(finding),
    });
    baseUrl = `${await serve(handler.handle)}/gameapi/v2`;
  });

  afterAll(async () => {
    for (const server of servers) {
      await stopServer(server);
    }
    await service.close();
  });

  /** Launches the game and opens its session, as a browser does. */
  async function connected() {
    const { url } = await service.getGameURL(operatorId, launch);
    const { searchParams } = new URL(url);
    const reply = await fetch(`${searchParams.get('login')}?token=${searchParams.get('token')}`);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    return (await reply.json()) as { token: string; balance: { totalBalance: number } };
  }

  test('play a round: the balance of the wallet is the one in the replies (B5)', async () => {
    const game = createGameEngineClient({ baseUrl, gameProviderId, secret: studioSecret });
    const { token, balance } = await connected();
    expect(balance.totalBalance).toBe(10_000);
    const round = await game.openRound({ token, stake: 100, currency: 'EUR' });
    expect(round.state.balance?.totalBalance).toBe(9900n);
    await round.addWin({ rngCallId: 'r1', winAmount: 250, collect: true });
    expect(round.state.gameRoundInfo.status).toBe('closed');
    expect(round.state.amountCredited).toBe(250n);
    expect(round.state.balance?.totalBalance).toBe(10_150n);
    const accounts = await store.rounds.accounts({ operatorId, playerId });
    expect(accounts).toMatchObject({ accounts: [{ currency: 'EUR', real: 101_500_000n }] });
    expect(findings).toEqual([]);
  });

  test('a declined debit is answered to the game with the wallet’s own error (E3)', async () => {
    const game = createGameEngineClient({ baseUrl, gameProviderId, secret: studioSecret });
    const { token } = await connected();
    const refused = await game
      .openRound({ token, stake: 1_000_000, currency: 'EUR' })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ id: 9001, status: 400 });
  });
});
