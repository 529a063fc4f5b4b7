import { checkBooks } from './books';
import type { Contestant } from './contestants/contestant';
import type { LoadOrder, LoadResult } from './load/messages';
import type { Measurement } from './measurement';
import type { Turn, WarmUp } from './plan';
import { probe } from './probe';
import { startQuietServer } from './quiet-server';
import { RedisCommands } from './redis-commands';
import type { LoadProcess, WatchedLoad } from './run-load';
import { seriesOf, type SeriesName, usualConnections } from './series';
import { type RunningContestant, startContestant } from './start-contestant';
import { players } from './terms';

type Server = Awaited<ReturnType<typeof startQuietServer>>;

/**
 * A contestant in a series, from its start to its books: with its own server and its own processes, which are the same in all
 * its turns, so that V8 has compiled what is hot.
 */
export class Lifetime {
  private readonly running: RunningContestant[] = [];
  private readonly moved = players.map(() => 0);

  private constructor(
    private readonly contestant: Contestant,
    private readonly server: Server,
    private readonly load: LoadProcess,
  ) {}

  /** Starts server and processes. @throws Error for an answer to a probe that is wrong. */
  static async begin(
    series: SeriesName,
    letter: string,
    contestant: Contestant,
    load: LoadProcess,
  ): Promise<Lifetime> {
    const server = await startQuietServer(contestant.server);
    const lifetime = new Lifetime(contestant, server, load);
    try {
      await lifetime.start(letter, seriesOf(series));
      return lifetime;
    } catch (error) {
      await lifetime.abandon();
      throw error;
    }
  }

  private async start(
    letter: string,
    { processes, reads }: ReturnType<typeof seriesOf>,
  ): Promise<void> {
    const { contestant, server, running, moved } = this;
    await contestant.prepare(server.url, players);
    for (let at = 0; at < processes; at += 1) {
      const mayCollect = reads === 'memory';
      running.push(await startContestant(letter, contestant, server.url, { mayCollect }));
    }
    for (const { port } of running) {
      const before = moved[0] ?? 0;
      moved[0] = before + (await probe(port, players[0] ?? '', before));
    }
  }

  /** Plays calls that nobody measures. @throws Error for an answer that is wrong. */
  async warmUp({ calls, pace }: WarmUp): Promise<void> {
    await this.play({ calls, pace, connections: usualConnections, warmupSeconds: 0 }, null);
  }

  /** Its turn. @throws Error for an answer that is wrong. */
  async take({ series, letter, repeat, step, settleSeconds }: Turn): Promise<Measurement> {
    const { label, calls, connections, pace } = step;
    const { reads } = seriesOf(series);
    const { contestant, server } = this;
    const isCounted = reads === 'redis commands' && contestant.server === 'redis';
    const commands = isCounted ? await RedisCommands.open(server.url) : null;
    try {
      const order = { calls, connections, pace, warmupSeconds: settleSeconds };
      const { result, cpu, counted } = await this.play(order, commands);
      const [first] = this.running;
      const memory = reads === 'memory' && first !== undefined ? await first.memory() : null;
      const place = { series, letter, step: label, connections, repeat };
      return { ...place, ...figures(result, cpu), redisCommands: counted, memory };
    } finally {
      commands?.close();
    }
  }

  /**
   * Kills it and restarts its server: what was answered must have survived both.
   * @throws Error for a balance that is wrong.
   */
  async checkBooks(): Promise<void> {
    const { contestant, server, moved } = this;
    for (const each of this.running) await each.kill9();
    await server.restart();
    checkBooks(players, moved, await contestant.balances(server.url, players));
  }

  /** Ends what still runs: otherwise a lifetime that failed would leave it. */
  async abandon(): Promise<void> {
    await Promise.all(this.running.map((each) => each.abandon()));
    await this.server.stop();
  }

  private async play(
    order: Omit<LoadOrder, 'ports'>,
    commands: RedisCommands | null,
  ): Promise<WatchedLoad> {
    const { running, server, moved } = this;
    const pids = [running.map(({ pid }) => pid), [server.pid]];
    const ports = running.map(({ port }) => port);
    const watched = await this.load.run({ ...order, ports }, { pids, commands });
    const [fault] = watched.result.faults;
    if (fault !== undefined) throw new Error(fault);
    watched.result.moved.forEach((cents, player) => {
      moved[player] = (moved[player] ?? 0) + cents;
    });
    return watched;
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
