import type { Plan, StoreName } from '../plan/types';
import type { Planted } from '../parties/planted';
import type { OpenHost } from '../ports/host';
import type { Failing } from '../run/shrink';
import { playPlan } from '../run/simulate';
import { type Fault, lineFaults, type Point, portFaults } from '../world/faults';
import { planOf, scenarios } from './scenarios';

/** What is walked. */
export interface WalkOptions {
  readonly store: StoreName;
  readonly openHost?: OpenHost;
  /** What is wrong on purpose, anew for each world. */
  readonly plant?: () => Planted;
  /** Of the single faults, one of so many is played, and the pairs behind those; 1, all, unless set. */
  readonly singlesOf?: number;
  /** Of the pairs, one of so many is played; 1 for all, null for none. */
  readonly pairsOf: number | null;
  /** Called after each world. */
  readonly onWorld?: (soFar: WalkResult) => void;
  /** Asked after each world: whether it ends before everything is walked. */
  readonly isStopped?: () => boolean;
}

/** What came of a walk. */
export interface WalkResult {
  readonly scenarios: number;
  /** Points of the scenarios without any fault. */
  readonly points: number;
  /** Worlds with one fault. */
  readonly singles: number;
  /** Worlds with two. */
  readonly pairs: number;
  /** The worlds in which something did not hold, up to a hundred. */
  readonly failures: readonly Failing[];
}

const kinds = { line: lineFaults, port: portFaults };
/** Later than the service and every time limit of a wallet wait. */
const lateMs = 6500;
const maxFailures = 100;

/**
 * Plays every scenario with every fault at every point, the death of the process among them, and with every
 * pair: the second at any point that comes behind the first one.
 */
export async function walkPoints(options: WalkOptions): Promise<WalkResult> {
  const walk = new Walk(options);
  await walk.run();
  return walk.result;
}

class Walk {
  private readonly counts = { scenarios: 0, points: 0, singles: 0, pairs: 0 };
  private readonly failures: Failing[] = [];
  private readonly drawn = { singles: 0, pairs: 0 };

  constructor(private readonly options: WalkOptions) {}

  get result(): WalkResult {
    return { ...this.counts, failures: this.failures };
  }

  async run(): Promise<void> {
    const { singlesOf = 1 } = this.options;
    for (const scenario of scenarios) {
      const plan = planOf(scenario, this.options.store);
      this.counts.scenarios += 1;
      const points = await this.play(plan, []);
      this.counts.points += points.length;
      for (const point of points) {
        for (const fault of faultsAt(point)) {
          if (this.drawn.singles++ % singlesOf !== 0) continue;
          if (this.isStopped) return;
          this.counts.singles += 1;
          const behind = await this.play(plan, [fault]);
          await this.walkBehind(plan, fault, behind);
        }
      }
    }
  }

  private get isStopped(): boolean {
    return this.options.isStopped?.() === true;
  }

  /** The pairs that begin with a fault; without the server check of each new process, which names no round. */
  private async walkBehind(plan: Plan, fault: Fault, points: readonly Point[]): Promise<void> {
    const { pairsOf } = this.options;
    if (pairsOf === null || fault.name === 'store') return;
    const place = points.findIndex((point) => isAt(point, fault));
    for (const point of points.slice(place + 1)) {
      if (point.name === 'store') continue;
      for (const second of faultsAt(point)) {
        if (this.drawn.pairs++ % pairsOf !== 0) continue;
        if (this.isStopped) return;
        this.counts.pairs += 1;
        await this.play(plan, [fault, second]);
      }
    }
  }

  /** Plays with these faults; resolves to the points that somebody came to, in order. */
  private async play(plan: Plan, faults: readonly Fault[]): Promise<readonly Point[]> {
    const points: Point[] = [];
    const { openHost, plant } = this.options;
    const { violation } = await playPlan(plan, {
      faults,
      planted: plant?.() ?? {},
      onPoint: (point) => points.push(point),
      ...(openHost && { openHost }),
    });
    if (violation !== null && this.failures.length < maxFailures) {
      this.failures.push({ plan, faults, violation });
    }
    this.options.onWorld?.(this.result);
    return points;
  }
}

function faultsAt(point: Point): Fault[] {
  return kinds[point.place].map((kind) => ({ ...point, kind, ms: lateMs }));
}

function isAt(point: Point, { name, place, point: number }: Fault): boolean {
  return point.name === name && point.place === place && point.point === number;
}
