import { once } from 'node:events';
import { startPostgres } from '../test/support/postgres-server';
import { startRedis } from '../test/support/redis-server';
import { checkBooks } from './books';
import type { Contestant } from './contestants/contestant';
import { cpuSeconds } from './cpu-time';
import type { LoadMessage, LoadOrder, LoadResult } from './load/messages';
import type { BenchOptions } from './options';
import { probe } from './probe';
import { forkTypeScript, type RunningContestant, startContestant } from './start-contestant';
import { players } from './terms';

/** What was seen of a contestant under a number of connections, once. */
export interface Measurement {
  readonly letter: string;
  readonly connections: number;
  readonly callsPerSecond: number;
  readonly latency: LoadResult['latency'];
  /** Microseconds of processor for each call; null where it cannot be read. */
  readonly contestantCpu: number | null;
  readonly serverCpu: number | null;
  /** The load's own share of a core. */
  readonly loadCpu: number;
  readonly signedLate: number;
}

type Progress = (what: string) => void;

/**
 * A contestant's turn: a new server, a new process, the probes, each number of connections, and the books.
 * @throws Error for an answer or a balance that is wrong.
 */
export async function measureTurn(
  letter: string,
  contestant: Contestant,
  options: BenchOptions,
  progress: Progress,
): Promise<Measurement[]> {
  const server = await (contestant.server === 'redis' ? startRedis() : startPostgres());
  let running: RunningContestant | undefined;
  try {
    await contestant.prepare(server.url, players);
    running = await startContestant(letter, contestant, server.url);
    const [first = ''] = players;
    const moved = players.map(() => 0);
    moved[0] = await probe(running.port, first);
    const measurements: Measurement[] = [];
    for (const connections of options.connections) {
      progress(`${connections} connections`);
      const { warmupSeconds, seconds } = options;
      const order = { port: running.port, connections, warmupSeconds, seconds };
      const { result, cpu } = await runLoad(order, [running.pid, server.pid]);
      const [fault] = result.faults;
      if (fault !== undefined) throw new Error(fault);
      result.moved.forEach((cents, at) => (moved[at] = (moved[at] ?? 0) + cents));
      measurements.push({ letter, connections, ...figures(result, cpu) });
    }
    progress('books');
    await running.kill9();
    await server.restart(); // what was answered must have survived both
    checkBooks(players, moved, await contestant.balances(server.url, players));
    return measurements;
  } finally {
    running?.abandon(); // or a turn that failed would leave it, and it would keep this process
    await server.stop();
  }
}

function figures(
  { calls, seconds, latency, ownCpu, signedLate }: LoadResult,
  [contestant = Number.NaN, server = Number.NaN]: readonly number[],
): Omit<Measurement, 'letter' | 'connections'> {
  if (calls === 0) throw new Error('no call was answered in time');
  const each = (cpuTime: number) => (Number.isNaN(cpuTime) ? null : (cpuTime * 1e6) / calls);
  return {
    callsPerSecond: calls / seconds,
    latency,
    contestantCpu: each(contestant),
    serverCpu: each(server),
    loadCpu: ownCpu,
    signedLate,
  };
}

/** Runs a load in a process of its own; beside its result, what the processes used meanwhile, in seconds. */
async function runLoad(
  order: LoadOrder,
  pids: readonly number[],
): Promise<{ result: LoadResult; cpu: readonly number[] }> {
  const child = forkTypeScript('load/process.ts', [JSON.stringify(order)]);
  const used = { started: [] as number[], ended: [] as number[] };
  let result: LoadResult | undefined;
  child.on('message', (message: LoadMessage) => {
    if (message.kind === 'result') result = message.result;
    else used[message.kind] = pids.map(cpuSeconds);
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (result === undefined) throw new Error(`the load ended with ${String(code)}`);
  return { result, cpu: used.ended.map((seconds, at) => seconds - (used.started[at] ?? 0)) };
}
