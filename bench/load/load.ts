import { players } from '../terms';
import { CallQueue } from './call-queue';
import { type CallMaker, callMakers, longRoundCalls, ownRounds } from './calls';
import { Connection } from './connection';
import type { LoadOrder, LoadResult, Pace } from './messages';
import { type OpenLoop, OpenLoopRun } from './open-loop';
import { percentiles } from './percentiles';
import { arrivalTimes } from './schedule';

/** How much more is signed beforehand than the warm-up's pace asks for. */
const reserve = 1.5;

/** At most so many calls are signed beforehand: some 1.5 KB each, of those of three transactions. */
const maxPrepared = 300_000;

/** Connections of the warm-up. */
const warmupConnections = 32;

/** So many calls are an end of a long round. */
const endOfRound = 100;

/** What a phase saw. */
interface Phase {
  /** For each connection, in the order of its calls; an open loop reports all as one. */
  readonly latencies: readonly (readonly number[])[];
  readonly open: OpenLoop | null;
}

/**
 * Plays calls over keep-alive connections: in a closed loop, where each connection sends its next call when the last is
 * answered, or in an open one. The usual programs for it, such as autocannon or wrk, send one request again and again:
 * here each call has a round, hashes, a time and a signature of its own, for the contestant would answer a replay from
 * what it recorded, or refuse it; each answer is held against its call; and what the calls moved is summed for the
 * books. It costs a tenth of a core or two, because requests are signed before the measured time at the pace that the
 * warm-up had; what goes beyond is signed on the way and counted. A timestamp is good for five minutes, which is more
 * than any of it takes.
 */
export class Load {
  private readonly moved = players.map(() => 0);
  private readonly faults: string[] = [];
  private played = 0;

  constructor(
    private readonly order: LoadOrder,
    private readonly tell: (kind: 'started' | 'ended') => void,
  ) {}

  async run(): Promise<LoadResult> {
    const { connections: count, pace } = this.order;
    const foreseen = this.foresee(pace, await this.warmUp());
    const queues = this.queues(count);
    const distinct = new Set(queues);
    for (const queue of distinct) queue.prepare(Math.ceil(foreseen / distinct.size));
    const connections = await this.open(count); // a server may close those that were idle meanwhile
    const before = process.cpuUsage();
    const startedAt = performance.now();
    this.tell('started');
    const phase = await this.phase(connections, queues, pace, () => this.tell('ended'));
    const cpu = process.cpuUsage(before);
    const elapsedMs = performance.now() - startedAt;
    for (const connection of connections) connection.close();
    const { latencies, open } = phase;
    const all = latencies.flat();
    const { moved, faults } = this;
    return {
      calls: open?.inTime ?? all.length,
      seconds: pace.kind === 'counted' ? elapsedMs / 1000 : pace.seconds,
      latency: percentiles(all),
      open: open && {
        due: open.due,
        isHeld: open.isHeld,
        lateness: percentiles(open.lateness),
      },
      ends: this.order.calls === 'long-round' ? endsOf(latencies) : null,
      ownCpu: (cpu.user + cpu.system) / 1000 / elapsedMs,
      signedLate: [...distinct].reduce((sum, queue) => sum + queue.madeLate, 0),
      moved,
      faults,
    };
  }

  /** Resolves to its pace, in calls a second. */
  private async warmUp(): Promise<number> {
    const { warmupSeconds: seconds } = this.order;
    if (seconds === 0) return 0;
    const connections = await this.open(warmupConnections);
    const queues = this.queues(warmupConnections);
    await this.phase(connections, queues, { kind: 'closed', seconds }, () => {});
    for (const connection of connections) connection.close();
    return this.played / seconds;
  }

  private foresee(pace: Pace, callsPerSecond: number): number {
    const count = this.order.connections;
    if (pace.kind === 'counted') return callsPerSecond === 0 ? 0 : pace.callsEach * count;
    if (pace.kind === 'open') return Math.ceil(pace.rate * pace.seconds * 1.2);
    return Math.min(maxPrepared, Math.ceil(callsPerSecond * pace.seconds * reserve) + count);
  }

  private open(count: number): Promise<Connection[]> {
    const { ports } = this.order;
    return Promise.all(
      Array.from({ length: count }, (_, at) => Connection.open(ports[at % ports.length] ?? 0)),
    );
  }

  /** A queue for each connection: the same for all, where it does not matter which of them plays a call. */
  private queues(count: number): CallQueue[] {
    const makerOf = (): CallMaker => callMakers[this.order.calls]();
    const shared = new CallQueue(makerOf());
    return Array.from({ length: count }, () =>
      ownRounds.has(this.order.calls) ? new CallQueue(makerOf()) : shared,
    );
  }

  /** Resolves once every call is answered. */
  private async phase(
    connections: readonly Connection[],
    queues: readonly CallQueue[],
    pace: Pace,
    onEnd: () => void,
  ): Promise<Phase> {
    if (pace.kind === 'open') return this.openLoop(connections, queues, pace, onEnd);
    const isCounted = pace.kind === 'counted';
    const endAt = isCounted ? Number.POSITIVE_INFINITY : performance.now() + pace.seconds * 1000;
    const maxCalls = isCounted ? pace.callsEach : Number.POSITIVE_INFINITY;
    let hasEnded = false;
    const end = () => {
      if (!hasEnded) onEnd();
      hasEnded = true;
    };
    const work = async (connection: Connection, at: number) => {
      const latencies: number[] = [];
      const queue = queues[at] as CallQueue;
      for (let now = performance.now(), made = 0; now < endAt && made < maxCalls; made += 1) {
        const sentAt = now;
        await this.play(connection, queue);
        if (this.faults.length > 0) break;
        now = performance.now();
        if (now < endAt) latencies.push(now - sentAt);
      }
      if (!isCounted) end();
      return latencies;
    };
    const latencies = await Promise.all(connections.map(work));
    end();
    return { latencies, open: null };
  }

  private async openLoop(
    connections: readonly Connection[],
    [queue]: readonly CallQueue[],
    { rate, seconds, arrivals, seed }: Extract<Pace, { kind: 'open' }>,
    onEnd: () => void,
  ): Promise<Phase> {
    const play = async (connection: Connection) => {
      await this.play(connection, queue as CallQueue);
      return this.faults.length === 0;
    };
    const schedule = arrivalTimes(rate, seconds, arrivals, seed);
    const open = await new OpenLoopRun(connections, schedule, seconds, play, onEnd).run();
    return { latencies: [open.latencies], open };
  }

  private async play(connection: Connection, queue: CallQueue): Promise<void> {
    const { request, player, centsMoved, status, text } = queue.take();
    try {
      const answer = await connection.call(request);
      if (answer.status !== status || !answer.body.includes(text)) {
        this.faults.push(`answered ${answer.status}: ${answer.body.slice(0, 300)}`);
        return;
      }
      this.played += 1;
      this.moved[player] = (this.moved[player] ?? 0) + centsMoved;
    } catch (error) {
      this.faults.push(error instanceof Error ? error.message : 'a call failed');
    }
  }
}

function endsOf(latencies: readonly (readonly number[])[]): LoadResult['ends'] {
  const between = (from: number, to: number) =>
    percentiles(
      latencies.flatMap((each) =>
        each.filter((_, at) => at % longRoundCalls >= from && at % longRoundCalls < to),
      ),
    );
  const last = between(longRoundCalls - endOfRound, longRoundCalls);
  return { first: between(0, endOfRound), last };
}
