import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPostgresStore } from '../../lib/operator/stores/postgres';
import { createRedisStore } from '../../lib/operator/stores/redis';
import type { AccountStore } from '../../lib/operator/wallet';
import { startPostgres } from '../../test/servers/postgres/server';
import { temporaryFolder } from '../../test/servers/reaper';
import { startRedis } from '../../test/servers/redis/server';
import { balancesInStore, openInStore } from '../contestants/kit-accounts';
import { forkTypeScript, type RunningContestant, startProgram } from '../start-contestant';
import { patience, players, secret, startCents } from '../terms';
import type { StormOptions } from './options';
import type { Book } from './tally';

const program = [
  '--require',
  join(__dirname, 'standing-clock.cjs'),
  join(__dirname, '../../dist/cli/main.js'),
];

/** `rgs-wallet serve`, one or two of them, over a server of its own. */
export interface StormWallet {
  /** Where the RGS calls: the process, or the proxy in front of two. */
  readonly port: number;
  /** Where the process itself is asked for its health. */
  readonly ownPort: number;
  /** Of the processes of the wallet. */
  readonly pids: readonly number[];
  /** Of its store, and of the proxy. */
  readonly otherPids: readonly number[];
  /** How the money of an operator's players differs from the book. */
  check(caller: string, book: Book): Promise<Difference>;
  /** How many calls the proxy has sent to both processes; null without a proxy. */
  repeated(): Promise<number | null>;
  stop(): Promise<void>;
}

/** Between the money and the book. */
export interface Difference {
  /** How many cents each player has beyond what the book says. */
  readonly off: readonly number[];
  /** Rounds in which the RGS has no bet and the wallet has the stake. */
  readonly stakesWithoutBet: number;
}

/** Starts it with the players of each operator. */
export async function startWallet(
  options: StormOptions,
  callers: readonly string[],
): Promise<StormWallet> {
  const server = options.store === 'redis' ? await startRedis() : await startPostgres();
  const stops: (() => Promise<void> | void)[] = [() => server.stop()];
  const stop = async () => {
    for (const each of stops.toReversed()) await each();
  };
  const open = (init: boolean) => openStore(options.store, server.url, init);
  try {
    for (const caller of callers) await openInStore(open(true), players, caller);
    const running = await startProcesses(options, callers, server.url);
    stops.push(async () => {
      await Promise.all(running.map((each) => each.abandon()));
    });
    const proxy = running.length === 1 ? null : await startProxy(running.map(({ port }) => port));
    if (proxy !== null) stops.push(() => proxy.stop());
    const ownPort = running[0]?.port ?? 0;
    return {
      port: proxy?.port ?? ownPort,
      ownPort,
      pids: running.map(({ pid }) => pid),
      otherPids: [server.pid, ...(proxy === null ? [] : [proxy.pid])],
      check: (caller, book) => compare(() => open(false), caller, book),
      repeated: async () => (proxy === null ? null : proxy.repeated()),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function openStore(store: StormOptions['store'], url: string, init: boolean): AccountStore {
  if (store === 'redis') return createRedisStore({ url, init, ...patience });
  return createPostgresStore({ url, init, ...patience });
}

async function startProcesses(
  { shed, flags, processes, maxConnections }: StormOptions,
  callers: readonly string[],
  url: string,
): Promise<RunningContestant[]> {
  const credentials = join(await temporaryFolder('storm'), 'credentials.json');
  const operators = callers.map((operatorId) => ({ operatorId, secrets: [secret] }));
  await writeFile(credentials, JSON.stringify(operators), { mode: 0o600 });
  const bound = maxConnections === null ? [] : ['--max-connections', String(maxConnections)];
  const command = (at: string, port: number) => {
    // Its deadlines go by the wall clock, which a busy machine makes run ahead.
    const usual = ['--credentials', credentials, '--log-level', 'fatal', '--deadline-ms', '60000'];
    const own = ['--shed', shed, ...bound, ...flags];
    return [...program, 'serve', '--store', at, '--port', String(port), ...usual, ...own];
  };
  const running: RunningContestant[] = [];
  try {
    while (running.length < processes) running.push(await startProgram({ command, env: {} }, url));
    return running;
  } catch (error) {
    await Promise.all(running.map((each) => each.abandon()));
    throw error;
  }
}

async function startProxy(ports: readonly number[]) {
  const child = forkTypeScript('storm/proxy-process.ts', ports.map(String));
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    pid: child.pid ?? 0,
    async repeated(): Promise<number> {
      child.send('repeated');
      const [count] = (await once(child, 'message')) as [number];
      return count;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

async function compare(open: () => AccountStore, caller: string, book: Book): Promise<Difference> {
  const found = await balancesInStore(open(), players, caller);
  const off = found.map((cents, at) => cents - startCents - (book.moved[at] ?? 0));
  return { off, stakesWithoutBet: await stakesWithoutBet(open(), caller, book, off) };
}

/** Of the players who have less than the book says: every such stake makes it less. Closes the store. */
async function stakesWithoutBet(
  store: AccountStore,
  operatorId: string,
  book: Book,
  off: readonly number[],
): Promise<number> {
  try {
    await store.ready();
    let count = 0;
    for (const [player, cents] of off.entries()) {
      if (cents >= 0) continue;
      for (const gameRound of book.withoutBet[player] ?? []) {
        const key = { operatorId, playerId: players[player] ?? '', gameRound };
        const { transactions = [] } = (await store.rounds.readRound(key))?.toJSON() ?? {};
        const taken = transactions.reduce((sum, { moved }) => sum + Number(moved?.real ?? 0), 0);
        if (taken < -0.005) count += 1;
      }
    }
    return count;
  } finally {
    await store.close();
  }
}
