import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { ArchiveWriter } from '../../../../lib/operator/archive/writer/log-writer';
import { runs } from '../../../support/runs';
import { Killed, MemoryDisk, MemoryFolder, type PowerCut } from './memory-disk';
import { checkFolder, optionsOf, Source } from './scene';

/** A process of the archive, up to its death. */
interface Life {
  /** Steps of the disk that it does. */
  readonly steps: number;
  /** Null if only the process dies. */
  readonly power: PowerCut | null;
}

/** What is archived, and how. */
interface Story {
  readonly events: number;
  readonly page: number;
  readonly segmentEvents: number;
  readonly lives: readonly Life[];
}

/** Plays the lives, and a last one to the end. Then each event is there once, and each sum and root right. */
async function play({ events, page, segmentEvents, lives }: Story): Promise<number> {
  const folder = new MemoryFolder();
  const source = new Source(events);
  const live = async (steps: number): Promise<number> => {
    const disk = new MemoryDisk(folder);
    disk.left = steps;
    try {
      const writer = await ArchiveWriter.open(optionsOf(disk, { segmentEvents }));
      await source.archive(writer, page);
      if (steps === Infinity && writer.openEvents > 0) await writer.seal();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    return disk.done;
  };
  for (const { steps, power } of lives) {
    await live(steps);
    if (power !== null) folder.failPower(power);
    checkFolder(folder, source);
  }
  const done = await live(Infinity);
  const { lines, sealed } = checkFolder(folder, source);
  expect([lines.length, sealed]).toEqual([events, events]);
  return done;
}

const powers = fc.record({
  names: fc.nat({ max: 5 }),
  bytes: fc.constantFrom(0, 1, 200, 100_000),
  hasZeros: fc.boolean(),
});
const stories: fc.Arbitrary<Story> = fc.record({
  events: fc.nat({ max: 20 }),
  page: fc.integer({ min: 1, max: 5 }),
  segmentEvents: fc.integer({ min: 5, max: 9 }),
  lives: fc.array(fc.record({ steps: fc.nat({ max: 150 }), power: fc.option(powers) }), {
    maxLength: 6,
  }),
});

describe('whenever the archive is killed or the machine loses its power', () => {
  test('each acknowledged event is in the folder, none twice, and nothing signed is contradicted', async () => {
    await fc.assert(
      fc.asyncProperty(stories, async (story) => void (await play(story))),
      { numRuns: runs(400) },
    );
  });

  test('at each step of a life in which segments are sealed, and of the one after it', async () => {
    const story = { events: 9, page: 2, segmentEvents: 5 };
    const steps = await play({ ...story, lives: [] });
    expect(steps).toBeGreaterThan(100);
    const places = runs(steps, 15);
    for (let place = 0; place < places; place++) {
      const at = Math.floor((place * steps) / places);
      await play({ ...story, lives: [{ steps: at, power: null }] });
      const power = { names: [0, 1, 9][at % 3] ?? 0, bytes: 30, hasZeros: at % 2 === 1 };
      await play({ ...story, lives: [{ steps: at, power }] });
      await play({
        ...story,
        lives: [
          { steps: at, power },
          { steps: at % 40, power },
        ],
      });
    }
  });
});
