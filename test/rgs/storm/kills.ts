import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createSeededRandom } from '../../../lib/platform';
import { wholeBelow } from '../../../lib/platform/random';
import { createSandbox } from '../../../lib/rgs/sandbox';
import { Cleanup } from '../../servers/cleanup';
import { freePort } from '../../servers/ports';
import { reapWithThisProcess, temporaryFolder } from '../../servers/reaper';
import { startWalletServer } from '../../servers/wallet-server';
import { audit } from './audit';
import { Casino } from './parties/casino';
import { type KilledRgs, optionsOf } from './killed-options';
import { Player } from './parties/player';
import { SandboxApi } from './parties/sandbox-api';
import { startStudio, type Studio } from './parties/studio';

/** What came of it. */
export interface KillFigures {
  readonly kills: number;
  readonly rounds: number;
  /** Calls of the studio whose reply was lost. */
  readonly inDoubt: number;
  /** Starts that an RGS found in its journal without an outcome, and voided. */
  readonly voids: number;
  readonly problems: readonly string[];
}

const root = join(__dirname, '../../..');
const start = 1_000_000n;
const hour = 3_600_000;

/**
 * Kills the RGS with -9 again and again while players play on it, each time after some more calls on its
 * wire, and starts it again from its journal. Then the books are compared (B3, B4).
 */
export async function killAgainAndAgain(kills: number, seed: number): Promise<KillFigures> {
  const cleanup = new Cleanup();
  try {
    return await run(kills, seed, cleanup);
  } finally {
    await cleanup.run();
  }
}

async function run(kills: number, seed: number, cleanup: Cleanup): Promise<KillFigures> {
  const random = createSeededRandom(seed);
  const store = createMemoryStore();
  const wallet = cleanup.after(await startWalletServer(store));
  const { operatorId, secret } = wallet;
  const origin = `http://127.0.0.1:${await freePort()}`;
  const studio = cleanup.after(await startStudio(origin, 3000));
  const journal = join(await temporaryFolder('journal'), 'journal');
  const settings = {
    origin,
    journal,
    operatorId,
    secret,
    wallet: wallet.origin,
    router: studio.url,
  };
  const api = new SandboxApi(origin);
  const violations: string[] = [];
  const tally = new Map<string, number>();
  const casino = new Casino(origin, { operatorId, secret }, 3000);
  const nudge = () => api.runJanitor().catch(() => {});
  const parts = { studio, casino, violations, tally, nudge };
  const playerIds = Array.from({ length: 24 }, (_, at) => `player-${at}`);
  for (const playerId of playerIds) {
    const balances = { real: String(start) };
    await store.players.openPlayer({ operatorId, playerId, currency: 'EUR', balances });
  }
  const players = playerIds.map((id, at) => new Player(id, parts, seed * 1000 + at, `run-${seed}`));

  let next = loadRgs(settings, cleanup);
  let rgs = await next.start();
  const until = { isOver: false };
  const playing = Promise.all(players.map((player) => playOn(player, until)));
  // It is awaited at the end; an earlier failure shows there.
  playing.catch(() => {});
  for (let kill = 1; kill <= kills; kill++) {
    next = loadRgs(settings, cleanup);
    await rgs.calls(1 + wholeBelow(random, 60));
    await rgs.kill();
    rgs = await next.start();
  }
  until.isOver = true;
  await playing;
  await settleAll(api, studio);
  const books = await api.books();
  const differences = books.differences.map((one) => `over HTTP: ${JSON.stringify(one)}`);
  await rgs.kill();

  // The journal alone says the same.
  const sandbox = await createSandbox(optionsOf(settings));
  cleanup.after(sandbox);
  await sandbox.idle();
  const rounds = sandbox.rounds();
  const again = { books: await sandbox.books(), book: studio.book, rounds };
  const problems = await audit({ store, operatorId, players: playerIds, start, ...again });
  return {
    kills,
    rounds: rounds.length,
    inDoubt: tally.get('in doubt') ?? 0,
    voids: rounds.filter(({ state }) => state === 'cancelled').length,
    problems: [...violations, ...differences, ...problems],
  };
}

/** Plays until it is over; what a player leaves open is closed at once, as for one who has gone. */
async function playOn(player: Player, until: { readonly isOver: boolean }): Promise<void> {
  while (!until.isOver) {
    await player.play(1);
    await player.closeLeft();
  }
}

/** Has everything delivered that is due. */
async function settleAll(api: SandboxApi, studio: Studio): Promise<void> {
  for (let runs = 1; runs <= 10; runs++) {
    await api.advance(hour);
    const { due } = await api.state();
    if (due.length === 0 && studio.closing === 0) return;
  }
}

interface RunningRgs {
  /** Resolves after so many further calls on its wire. */
  calls(count: number): Promise<void>;
  /** With -9. */
  kill(): Promise<void>;
}

interface LoadedRgs {
  /** Has it open the journal, and waits until it takes calls. */
  start(): Promise<RunningRgs>;
}

/** A process that has the RGS in memory, so that it starts at once on command. */
function loadRgs(settings: KilledRgs, cleanup: Cleanup): LoadedRgs {
  const args = ['--require', './bench/register.cjs', 'test/rgs/storm/killed-rgs.ts'];
  const child = spawn(process.execPath, [...args, JSON.stringify(settings)], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  reapWithThisProcess(child);
  const closed = once(child, 'close');
  cleanup.after(child, (one) => one.kill('SIGKILL'));
  const reader = createInterface({ input: child.stdout });
  let lines = 0;
  reader.on('line', () => void lines++);
  const calls = async (count: number): Promise<void> => {
    const hasCome = (last: number) => lines >= last || child.exitCode !== null;
    for (const last = lines + count; !hasCome(last); ) {
      await Promise.race([once(reader, 'line'), closed]);
    }
    if (child.exitCode !== null) throw new Error('the RGS ended by itself');
  };
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
  };
  return {
    async start() {
      child.stdin.write('start\n');
      await calls(1);
      return { calls, kill };
    },
  };
}
