import { createServer } from 'node:http';

import type { AccountStore } from '../../../lib/operator/wallet';
import { createSandbox, type Sandbox } from '../../../lib/rgs/sandbox';
import type { Cleanup } from '../../servers/cleanup';
import { freePort } from '../../servers/ports';
import { until } from '../../servers/until';
import { startWalletServer } from '../../servers/wallet-server';
import { audit } from './audit';
import { Casino } from './parties/casino';
import { Player } from './parties/player';
import { SandboxApi } from './parties/sandbox-api';
import { gameCode, gameProviderId, startStudio, type Studio, studioSecret } from './parties/studio';
import { stopServer } from '../../network/listening';

/** Players of a casino on an RGS, its wallet and its studio: each on a port, with the books of all three. */
export interface Scene {
  readonly operatorId: string;
  readonly sandbox: Sandbox;
  /** The API of the sandbox, as its page uses it. */
  readonly api: SandboxApi;
  readonly studio: Studio;
  readonly players: readonly Player[];
  /** How often each call and each fault came on the wire: `rgs-wallet doTransactions`, `rgs-wallet late`. */
  readonly onWire: ReadonlyMap<string, number>;
  /** How often the players played what, and what they were refused. */
  readonly tally: ReadonlyMap<string, number>;
  /** The wallet goes away: nobody listens at its port. What it has stored stays. */
  stopWallet(): Promise<void>;
  /** It is back at the same port. */
  startWallet(): Promise<void>;
  /** Everything that differs between the books, or that a party saw and must not see. */
  problems(): Promise<string[]>;
}

/** Of a scene. */
export interface SceneOptions {
  readonly seed: number;
  readonly players: number;
  readonly walletTimeoutMs: number;
  /** Of the studio's and the casino's calls to the RGS; it answers in less. */
  readonly attemptTimeoutMs: number;
}

/** Whole units that each player begins with. */
const start = 1_000_000n;

/** Sets the scene, over this store of the wallet. */
export async function setScene(
  store: AccountStore,
  { seed, players: count, walletTimeoutMs, attemptTimeoutMs }: SceneOptions,
  cleanup: Cleanup,
): Promise<Scene> {
  const walletPort = await freePort();
  const startWallet = () => startWalletServer(store, {}, walletPort);
  let wallet = await startWallet();
  cleanup.after(null, () => wallet.close());
  const { operatorId, secret } = wallet;
  const origin = `http://127.0.0.1:${await freePort()}`;
  const studio = cleanup.after(await startStudio(origin, attemptTimeoutMs));
  const onWire = new Map<string, number>();
  const sandbox = await createSandbox({
    operators: [{ operatorId, secrets: [secret], wallet: wallet.origin }],
    providers: [
      {
        gameProviderId,
        secrets: [studioSecret],
        router: studio.url,
        games: [{ gameCode, name: 'Bells', launchUrl: 'https://game.example/' }],
        book: () => studio.book.rounds(),
      },
    ],
    url: origin,
    seed,
    walletTimeoutMs,
    voidSpelling: 'mixed',
    service: { batching: 'mixed', replyWithinMs: 0.75 * attemptTimeoutMs },
    onCall: ({ line, call, fault }) => {
      const what = `${line} ${fault ?? call}`;
      onWire.set(what, (onWire.get(what) ?? 0) + 1);
    },
  });
  cleanup.after(sandbox);
  await listen(sandbox, Number(new URL(origin).port), cleanup);

  const api = new SandboxApi(origin);
  const casino = new Casino(origin, { operatorId, secret }, attemptTimeoutMs);
  const violations: string[] = [];
  const tally = new Map<string, number>();
  const parts = { studio, casino, violations, tally, nudge: () => api.runJanitor() };
  // A hash counts once at a wallet, for ever: a store that is used again has other players and rounds.
  const runId = `${seed}-${Date.now()}`;
  const playerIds = Array.from({ length: count }, (_, at) => `player-${runId}-${at}`);
  for (const playerId of playerIds) {
    const balances = { real: String(start) };
    await store.players.openPlayer({ operatorId, playerId, currency: 'EUR', balances });
  }
  return {
    operatorId,
    sandbox,
    api,
    studio,
    players: playerIds.map((id, at) => new Player(id, parts, seed * 1000 + at, runId)),
    onWire,
    tally,
    stopWallet: () => wallet.close(),
    async startWallet() {
      wallet = await startWallet();
    },
    async problems() {
      const books = await api.books();
      const rounds = sandbox.rounds();
      const audited = { store, operatorId, players: playerIds, start, rounds, books };
      return [...violations, ...(await audit({ ...audited, book: studio.book }))];
    },
  };
}

async function listen(sandbox: Sandbox, port: number, cleanup: Cleanup): Promise<void> {
  const server = createServer(sandbox.handle);
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  cleanup.after(server, stopServer);
}

/** Resolves once no call is under way on any line, and the studio closes no round. */
export async function untilQuiet({ sandbox, studio }: Scene): Promise<void> {
  await until('the calls under way to end', () => studio.closing === 0 && !isUnderWay(sandbox), {
    everyMs: 50,
  });
  await sandbox.idle();
}

function isUnderWay(sandbox: Sandbox): boolean {
  for (let since = 0; ; ) {
    const { calls, latest } = sandbox.wire(since);
    if (calls.some(({ state }) => state === 'underway')) return true;
    const last = calls.at(-1);
    if (last === undefined || last.n >= latest) return false;
    since = last.n;
  }
}
