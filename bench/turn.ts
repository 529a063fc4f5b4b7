import { startPostgres } from '../test/servers/postgres/server';
import { startRedis } from '../test/servers/redis/server';
import { checkBooks } from './books';
import type { Contestant } from './contestants/contestant';
import type { LoadResult } from './load/messages';
import type { Measurement } from './measurement';
import type { BenchOptions } from './options';
import { probe } from './probe';
import { RedisCommands } from './redis-commands';
import { runLoad } from './run-load';
import { type SeriesName, type Step, seriesOf } from './series';
import { type RunningContestant, startContestant } from './start-contestant';
import { players } from './terms';

/** Whose turn it is, in which series, and for which time. */
export interface Turn {
  readonly series: SeriesName;
  readonly letter: string;
  readonly contestant: Contestant;
  readonly repeat: number;
}

type Progress = (what: string) => void;

/** Seconds before each step but the first, which has those of the options. */
export const furtherWarmupSeconds = 1;

/**
 * A contestant's turn: a new server, new processes, the probes, the steps of the series, and the books.
 * @throws Error for an answer or a balance that is wrong.
 */
export async function takeTurn(
  turn: Turn,
  options: BenchOptions,
  progress: Progress,
): Promise<Measurement[]> {
  const { contestant, letter } = turn;
  const series = seriesOf(turn.series);
  const server = await (contestant.server === 'redis' ? startRedis() : startPostgres());
  const running: RunningContestant[] = [];
  try {
    await contestant.prepare(server.url, players);
    for (let at = 0; at < series.processes; at += 1) {
      const mayCollect = series.reads === 'memory';
      running.push(await startContestant(letter, contestant, server.url, { mayCollect }));
    }
    const moved = players.map(() => 0);
    for (const { port } of running) {
      const before = moved[0] ?? 0;
      moved[0] = before + (await probe(port, players[0] ?? '', before));
    }
    const measurements: Measurement[] = [];
    for (const [at, step] of series.steps(options, contestant.server, turn.repeat).entries()) {
      progress(step.label);
      const furtherSeconds = series.isWarmedUp ? furtherWarmupSeconds : 0;
      const warmupSeconds = at === 0 && series.isWarmedUp ? options.warmupSeconds : furtherSeconds;
      const { measurement, result } = await takeStep(turn, step, warmupSeconds, running, server);
      result.moved.forEach((cents, player) => (moved[player] = (moved[player] ?? 0) + cents));
      measurements.push(measurement);
    }
    progress('books');
    for (const each of running) await each.kill9();
    await server.restart(); // what was answered must have survived both
    checkBooks(players, moved, await contestant.balances(server.url, players));
    return measurements;
  } finally {
    // Or a turn that failed would leave them, and they would keep this process.
    await Promise.all(running.map((each) => each.abandon()));
    await server.stop();
  }
}

async function takeStep(
  { series, letter, contestant, repeat }: Turn,
  { label, calls, connections, pace }: Step,
  warmupSeconds: number,
  running: readonly RunningContestant[],
  server: { readonly url: string; readonly pid: number },
): Promise<{ measurement: Measurement; result: LoadResult }> {
  const { reads } = seriesOf(series);
  const isCounted = reads === 'redis commands' && contestant.server === 'redis';
  const commands = isCounted ? await RedisCommands.open(server.url) : null;
  try {
    const { result, cpu, counted } = await runLoad(
      { ports: running.map(({ port }) => port), connections, calls, warmupSeconds, pace },
      { pids: [running.map(({ pid }) => pid), [server.pid]], commands },
    );
    const [fault] = result.faults;
    if (fault !== undefined) throw new Error(fault);
    const [first] = running;
    const memory = reads === 'memory' && first !== undefined ? await first.memory() : null;
    const place = { series, letter, step: label, connections, repeat };
    const seen = { ...figures(result, cpu), redisCommands: counted, memory };
    return { measurement: { ...place, ...seen }, result };
  } finally {
    commands?.close();
  }
}

function figures(
  { calls, seconds, latency, open, ends, ownCpu, signedLate }: LoadResult,
  [contestant = Number.NaN, server = Number.NaN]: readonly number[],
) {
  if (calls === 0) throw new Error('no call was answered in time');
  const each = (cpuTime: number) => (Number.isNaN(cpuTime) ? null : (cpuTime * 1e6) / calls);
  return {
    calls,
    callsPerSecond: calls / seconds,
    latency,
    open,
    ends,
    contestantCpu: each(contestant),
    serverCpu: each(server),
    loadCpu: ownCpu,
    signedLate,
  };
}
