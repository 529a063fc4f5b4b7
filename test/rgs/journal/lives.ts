import { expect } from '@jest/globals';
import { array, boolean, constant, integer, oneof, option, record } from 'fast-check';

import type { Journal, JournalEvent } from '../../../lib/rgs/journal/port';
import { expectSame } from '../../support/expect-same';
import { CrashingDisk, type PowerCut } from './crashing-disk';
import { eventsOf, openOn } from './rig';

/** What a process does at once: appends, snapshots of all so far, further appends. */
interface Step {
  readonly before: number;
  readonly snapshots: number;
  readonly after: number;
  /** Whether the next step waits for the end of this one. */
  readonly isAwaited: boolean;
}

/** A life of a process, until the disk is gone. */
export interface Life {
  readonly steps: readonly Step[];
  /** After so many operations the machine is off. */
  readonly operations: number;
  readonly cut: PowerCut | null;
  /** How long each operation takes, in turns of the queue of promises; repeated. */
  readonly paces: readonly number[];
}

const steps = array(
  record({
    before: integer({ min: 0, max: 3 }),
    snapshots: oneof(constant(0), constant(0), constant(1), constant(2)),
    after: integer({ min: 0, max: 3 }),
    isAwaited: boolean(),
  }),
  { maxLength: 6 },
);
const cuts = record({
  operations: integer({ min: 0, max: 3 }),
  bytes: integer({ min: 0, max: 400 }),
  hasZeros: boolean(),
  names: integer({ min: 0, max: 4 }),
});
/** Some lives, one after the other, over one file. */
export const lives = array(
  record({
    steps,
    operations: integer({ min: 8, max: 60 }),
    cut: option(cuts, { freq: 3 }),
    paces: array(integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** What the world outside knows of the appends, which are numbered from 1. */
interface Known {
  called: number;
  acknowledged: number;
}

function appendOf(number: number): JournalEvent[] {
  const text = 'x'.repeat((number * 37) % 90); // lines of many lengths
  return ['one', 'two'].map((part) => ({ type: 'noted', number, part, text }));
}

/** The last append in what was replayed: a snapshot says where it ends, and each append comes whole, in turn. */
function lastOf(events: readonly JournalEvent[]): number {
  let last = 0;
  for (const [at, { type, number, part }] of events.entries()) {
    if (type === 'snapshot') {
      expectSame(at, 0);
      last = Number(number);
    } else if (part === 'one') {
      expectSame(number, last + 1);
      const next = events[at + 1];
      expectSame([next?.['number'], next?.['part']], [number, 'two']);
      last += 1;
    } else {
      const before = events[at - 1];
      expectSame([before?.['number'], before?.['part']], [number, 'one']);
    }
  }
  return last;
}

async function live(journal: Journal, { steps: all }: Life, known: Known): Promise<void> {
  const work: Promise<unknown>[] = [];
  const append = (): void => {
    const number = ++known.called;
    const noted = journal.append(appendOf(number)).then(() => {
      expectSame(known.acknowledged, number - 1);
      known.acknowledged = number;
    });
    work.push(noted);
  };
  const isOver = async (): Promise<boolean> => {
    const results = await Promise.allSettled(work);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toHaveProperty('code');
    }
    return results.some(({ status }) => status === 'rejected');
  };
  for (const { before, snapshots, after, isAwaited } of all) {
    for (let count = 0; count < before; count++) append();
    for (let count = 0; count < snapshots; count++) {
      work.push(journal.compact([{ type: 'snapshot', number: known.called }]));
    }
    for (let count = 0; count < after; count++) append();
    if (isAwaited && (await isOver())) return;
  }
  await isOver();
}

/** Plays the lives; what is acknowledged must be found by each next one. */
export async function play(story: readonly Life[]): Promise<void> {
  let disk = new CrashingDisk();
  const known: Known = { called: 0, acknowledged: 0 };
  for (const life of story) {
    let left = life.operations;
    let done = 0;
    disk.fault = () => (left-- > 0 ? 'none' : 'fail');
    disk.pace = () => life.paces[done++ % life.paces.length] ?? 1;
    const journal = await openOn(disk).catch(() => null);
    if (journal !== null) await live(journal, life, known);
    // Not closed: the process is killed, or the machine loses its power.
    if (life.cut !== null) disk = disk.afterPowerCut(life.cut);
    disk.fault = () => 'none';
    disk.pace = () => 1;
    const found = await openOn(disk);
    const last = lastOf(await eventsOf(found));
    await found.close();
    expect(last).toBeGreaterThanOrEqual(known.acknowledged);
    expect(last).toBeLessThanOrEqual(known.called);
    Object.assign(known, { called: last, acknowledged: last }); // what was found has happened
  }
}
