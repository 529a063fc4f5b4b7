import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { ArchiveFolder } from '../../../lib/cli/archive/folder';
import { verifyArchive } from '../../../lib/cli/archive/verify';
import { runs } from '../../support/runs';
import { allLines, eventAt } from './events';
import { Killed, MemoryDisk, type PowerCut } from './memory-disk';

const hour = 3_600_000;
const start = Date.parse('2026-11-22T15:00:00.000Z');

/** A process of the archive, up to its death. */
interface Life {
  /** Operations of the disk that it does. */
  readonly operations: number;
  /** Null if only the process dies. */
  readonly power: PowerCut | null;
}

/** What is archived, and how. */
interface Story {
  /** When each event happened, in minutes. */
  readonly minutes: readonly number[];
  readonly batch: number;
  /** Minutes that pass with each batch. */
  readonly pace: number;
  readonly lives: readonly Life[];
}

/** Plays the lives, and a last one to the end. Then each event is there once, and each checksum right. */
async function play({ minutes, batch, pace, lives }: Story): Promise<number> {
  const disk = new MemoryDisk();
  const events = minutes.map((minute, at) => eventAt(`r-${at}`, start + minute * 60_000));
  let acknowledged = 0;
  let now = start;
  const live = async (): Promise<void> => {
    const folder = await ArchiveFolder.open(disk, 'op', () => undefined);
    while (acknowledged < events.length) {
      const next = events.slice(acknowledged, acknowledged + batch);
      await folder.append(next, now);
      acknowledged += next.length;
      now += pace * 60_000;
      await folder.sealDue(now, next.length < batch);
    }
    now += 40 * hour;
    await folder.sealDue(now, true);
  };
  for (const { operations, power } of lives) {
    disk.left = operations;
    await live().catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    if (power !== null) disk.failPower(power);
  }
  disk.left = Infinity;
  await live();
  const verified = await verifyArchive(disk);
  expect(verified).toMatchObject({ events: events.length, openEvents: 0, faults: [] });
  expect((await allLines(disk)).toSorted()).toEqual(
    events.map((event) => JSON.stringify(event)).toSorted(),
  );
  return disk.done;
}

const powers = fc.record({
  names: fc.nat({ max: 5 }),
  bytes: fc.constantFrom(0, 1, 200, 100_000),
  hasZeros: fc.boolean(),
});
const stories: fc.Arbitrary<Story> = fc.record({
  minutes: fc.array(fc.nat({ max: 200 }), { maxLength: 30 }),
  batch: fc.integer({ min: 1, max: 8 }),
  pace: fc.constantFrom(0, 4, 50),
  lives: fc.array(fc.record({ operations: fc.nat({ max: 60 }), power: fc.option(powers) }), {
    maxLength: 6,
  }),
});

describe('whenever the archive is killed or the machine loses its power', () => {
  test('each acknowledged event is in the verified archive, and none twice', async () => {
    await fc.assert(
      fc.asyncProperty(stories, async (story) => void (await play(story))),
      { numRuns: runs(200) },
    );
  });

  test('at each operation, of a life in which events come late and hours are sealed', async () => {
    const minutes = [1, 2, 61, 3, 62];
    const story = { minutes, batch: 2, pace: 45 };
    const operations = await play({ ...story, lives: [] });
    expect(operations).toBeGreaterThan(30);
    for (let at = 0; at < operations; at++) {
      await play({ ...story, lives: [{ operations: at, power: null }] });
      const power = { names: [0, 1, 9][at % 3] ?? 0, bytes: 30, hasZeros: at % 2 === 1 };
      await play({ ...story, lives: [{ operations: at, power }] });
    }
  });
});
