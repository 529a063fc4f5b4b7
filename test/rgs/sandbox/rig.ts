import { createSeededRandom } from '../../../lib/platform';
import type { RequestListener } from '../../../lib/platform/http';
import { createMemoryExchange } from '../../../lib/platform/http/memory-server';
import { virtualClock } from '../../../lib/platform/virtual-clock';
import { createOperatorHandler } from '../../../lib/operator/http/handler';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { AccountStore } from '../../../lib/operator/wallet';
import { createGameEngineClient, createGameProviderHandler } from '../../../lib/provider';
import { createSandbox, type SandboxOptions } from '../../../lib/rgs/sandbox';

export const [operatorId, playerId, gameProviderId] = ['acme', 'ann', 'studio-1'];
export const walletSecret = 'wallet-secret-0123456789';
export const studioSecret = 'studio-secret-0123456789';
/** 1 March 2026, noon. */
export const noon = Date.UTC(2026, 2, 1, 12);
const engineUrl = 'http://127.0.0.1:8090/gameapi/v2';

/** The kit's wallet in memory, with 10,000 units for ann; `spoil` may plant a fault in its store. */
export async function createWallet(
  clock: ReturnType<typeof virtualClock>,
  real = '10000',
  spoil: (store: AccountStore) => void = () => undefined,
): Promise<RequestListener> {
  const store = createMemoryStore({ clock });
  spoil(store);
  await store.players.openPlayer({ operatorId, playerId, currency: 'EUR', balances: { real } });
  const operators = [{ operatorId, secrets: [walletSecret] }];
  return createOperatorHandler({ store, operators, clock, rememberedSignatures: 1000 }).handle;
}

/** A sandbox between the kit's wallet and a provider of the kit, all on one clock without a sleep. */
export async function rig(options: Partial<SandboxOptions> = {}, otherWallet?: RequestListener) {
  const clock = virtualClock({ startedAt: noon });
  const run = <T>(work: Promise<T>): Promise<T> => clock.run(work);
  const wallet = otherWallet ?? (await createWallet(clock));
  const router = createGameProviderHandler({
    providers: [{ gameProviderId, secrets: [studioSecret] }],
    clock,
    getGameConfiguration: ({ currency, currencyMultiplier }) => ({
      stakes: [10, 100],
      currency,
      currencyMultiplier,
      expectedRtp: 96,
      maxPayoutOdds: 36,
    }),
    doAutoClose: async ({ gameRound }) => void (await game.closeAbandoned(gameRound)),
    getGameResult: ({ gameRound }) => ({ gameRound, reels: [1, 2, 3] }),
  });
  const settings: SandboxOptions = {
    operators: [{ operatorId, secrets: [walletSecret], wallet }],
    providers: [
      {
        gameProviderId,
        secrets: [studioSecret],
        router: router.handle,
        games: [{ gameCode: 'bells', name: 'Bells', launchUrl: 'https://game.example/' }],
      },
    ],
    clock,
    random: createSeededRandom(7),
    seed: 1,
    ...options,
  };
  const sandbox = await createSandbox(settings);
  const send = createMemoryExchange(sandbox.handle);
  const game = createGameEngineClient({
    baseUrl: engineUrl,
    gameProviderId,
    secret: studioSecret,
    clock,
    fetch: sandbox.fetch,
  });
  /** A session of ann: the token. */
  const connect = async (mode: 'REAL' | 'DEMO' = 'REAL'): Promise<string> => {
    const url = await sandbox.launch({ playerId, gameCode: 'bells', currency: 'EUR', mode });
    const launchToken = new URL(url).searchParams.get('token') ?? '';
    const reply = await ask('GET', `/gameapi/v2/connect?token=${launchToken}`);
    return (reply.json as { token: string }).token;
  };
  const ask = async (
    method: string,
    target: string,
    body?: object,
    headers: readonly string[] = [],
  ) => {
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const host = headers.includes('Host') ? [] : ['Host', '127.0.0.1:8090'];
    const rawHeaders = [...host, 'Content-Type', 'application/json', ...headers];
    const reply = await send({ method, target, rawHeaders, body: bytes });
    const text = reply.body.toString();
    const isJson = reply.headers['content-type']?.startsWith('application/json') ?? false;
    return { status: reply.status, json: isJson ? (JSON.parse(text) as unknown) : null, text };
  };
  return { clock, run, settings, sandbox, send, game, connect, ask };
}
