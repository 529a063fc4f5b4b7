import { setTimeout as delay } from 'node:timers/promises';

import { seededRandom } from '../../platform/seeded-random';
import type { ServiceFigures } from '../../rgs/load/run';
import { until } from '../../servers/until';
import type { Faults } from './faults/fault';

/** Longer than the deadline of a call at times. */
const longestMs = 2500;
/** Between two faults, so that each meets a wallet that works. */
const callsBetween = 20;

/** How long faults come, and in which order. */
export interface Course {
  readonly seconds: number;
  readonly seed: number;
  /** Asked between two faults. */
  readonly isStopped: () => boolean;
  /** Told when a fault begins. */
  readonly onFault: (kind: string) => void;
}

/** Of each kind of fault, for each time it came: milliseconds from its end to the next call that was processed. */
export type Recoveries = ReadonlyMap<string, readonly number[]>;

/** One fault after the other until the time is over, each kind at least once. The seed decides their order and lengths. */
export async function letHappen(
  faults: Faults,
  figures: Readonly<ServiceFigures>,
  { seconds, seed, isStopped, onFault }: Course,
): Promise<Recoveries> {
  const random = seededRandom(seed);
  const recoveries = new Map<string, number[]>(Object.keys(faults).map((kind) => [kind, []]));
  const end = performance.now() + seconds * 1000;
  let left = Object.keys(faults);
  let isFirstTurn = true;
  while ((isFirstTurn || performance.now() < end) && !isStopped()) {
    const [kind = ''] = left.splice(Math.floor(random() * left.length), 1);
    const ms = Math.floor(random() ** 2 * longestMs);
    const pauseMs = Math.floor(random() * 200);
    const seedOfFault = Math.floor(random() * 2 ** 31);
    onFault(kind);
    await processed(figures, callsBetween);
    await faults[kind]?.({ ms, random: seededRandom(seedOfFault) });
    const over = performance.now();
    await processed(figures, 1);
    recoveries.get(kind)?.push(Math.round(performance.now() - over));
    await delay(pauseMs);
    // Each kind comes as often as the others.
    if (left.length === 0) [left, isFirstTurn] = [Object.keys(faults), false];
  }
  return recoveries;
}

/** Resolves once so many more calls were answered 200. */
export async function processed(figures: Readonly<ServiceFigures>, calls: number): Promise<void> {
  const goal = figures.processed + calls;
  await until('calls to be processed', () => figures.processed >= goal);
}
