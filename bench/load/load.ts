import { players } from '../terms';
import { Connection } from './connection';
import type { LoadOrder, LoadResult } from './messages';
import { isProcessed, newRound, type RoundCall, signedRequest } from './signed-call';

interface Prepared {
  readonly call: RoundCall;
  readonly player: number;
  readonly request: Buffer;
}

/** How much more is signed beforehand than the warm-up's pace asks for. */
const reserve = 1.5;

/** At most so many calls are signed beforehand: some 1.5 KB each. */
const mostPrepared = 300_000;

/**
 * A closed loop over keep-alive connections: each sends its next call when the last is answered. The requests of the
 * measured time are signed before it starts, at the pace that the warm-up had, so that signing takes no processor time
 * from the contestant; what goes beyond is signed on the way and counted. A timestamp is good for five minutes, which
 * is more than any of it takes.
 */
export class Load {
  private readonly moved = players.map(() => 0);
  private readonly faults: string[] = [];
  private processed = 0;
  private signedLate = 0;
  private prepared: Prepared[] = [];

  constructor(
    private readonly order: LoadOrder,
    private readonly tell: (kind: 'started' | 'ended') => void,
  ) {}

  async run(): Promise<LoadResult> {
    const { port, connections: count, warmupSeconds, seconds } = this.order;
    const open = () => Promise.all(Array.from({ length: count }, () => Connection.open(port)));
    const warmup = await this.phase(await open(), warmupSeconds);
    const pace = warmup.length / warmupSeconds;
    const foreseen = Math.min(mostPrepared, Math.ceil(pace * seconds * reserve) + count);
    this.prepared = Array.from({ length: foreseen }, prepare);
    this.signedLate = 0;
    const connections = await open(); // a server may close those that were idle meanwhile
    const before = process.cpuUsage();
    const startedAt = performance.now();
    this.tell('started');
    const latencies = await this.phase(connections, seconds, () => this.tell('ended'));
    const cpu = process.cpuUsage(before);
    const elapsedMs = performance.now() - startedAt;
    const { signedLate, processed, moved, faults } = this;
    return {
      calls: latencies.length,
      seconds,
      latency: percentiles(latencies),
      ownCpu: (cpu.user + cpu.system) / 1000 / elapsedMs,
      signedLate,
      processed,
      moved,
      faults,
    };
  }

  /** Resolves once every call is answered, to the latencies of those answered in time. */
  private async phase(
    connections: readonly Connection[],
    seconds: number,
    onEnd: () => void = () => {},
  ): Promise<number[]> {
    const latencies: number[] = [];
    const endAt = performance.now() + seconds * 1000;
    let hasEnded = false;
    const work = async (connection: Connection) => {
      for (let now = performance.now(); now < endAt && this.faults.length === 0; ) {
        const sentAt = now;
        await this.play(connection);
        now = performance.now();
        if (now < endAt) latencies.push(now - sentAt);
      }
      if (!hasEnded) onEnd();
      hasEnded = true;
    };
    await Promise.all(connections.map(work));
    for (const connection of connections) connection.close();
    return latencies;
  }

  private async play(connection: Connection): Promise<void> {
    let next = this.prepared.pop();
    if (next === undefined) {
      this.signedLate += 1;
      next = prepare();
    }
    const { call, player, request } = next;
    try {
      const answer = await connection.call(request);
      if (!isProcessed(answer, call)) {
        this.faults.push(`answered ${answer.status}: ${answer.body.slice(0, 300)}`);
        return;
      }
      this.processed += 1;
      this.moved[player] = (this.moved[player] ?? 0) + call.creditCents - call.debitCents;
    } catch (error) {
      this.faults.push(error instanceof Error ? error.message : 'a call failed');
    }
  }
}

function prepare(): Prepared {
  const player = Math.floor(Math.random() * players.length);
  const call = newRound(players[player] ?? '');
  return { call, player, request: signedRequest(call) };
}

function percentiles(latencies: readonly number[]): LoadResult['latency'] {
  const sorted = Float64Array.from(latencies).toSorted();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
