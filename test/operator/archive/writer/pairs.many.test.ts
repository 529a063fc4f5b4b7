import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { ArchiveWriter } from '../../../../lib/operator/archive/writer/log-writer';
import { ArchiveRefusedError } from '../../../../lib/operator/archive/writer/refused';
import { runs } from '../../../support/runs';
import { VirtualClock } from '../../../support/virtual-clock';
import { Interleaving } from './interleave';
import { MemoryDisk, MemoryFolder } from './memory-disk';
import { checkFolder, contentOf, optionsOf, Source } from './scene';

/** A choice of the next writer, and for how many steps; a writer is dead once none of its steps is chosen any more. */
type Turn = readonly [writer: number, steps: number];

/** Plays the turns, and afterwards one more writer to the end; the folder is checked after each turn. */
async function play(turns: readonly Turn[], writers: number): Promise<{ sealed: number }> {
  const folder = new MemoryFolder();
  const source = new Source(7);
  const order = new Interleaving();
  const refusals: unknown[] = [];
  const started = new Set<number>();
  const start = (writer: number): void => {
    started.add(writer);
    const disk = new MemoryDisk(folder);
    order.start(writer, disk, async () => {
      try {
        const archive = await ArchiveWriter.open(optionsOf(disk, { segmentEvents: 3 }));
        await source.archive(archive, 2);
      } catch (error) {
        refusals.push(error);
      }
    });
  };
  for (const [chosen, steps] of turns) {
    const writer = chosen % writers;
    if (!started.has(writer)) start(writer);
    for (let step = 0; step < steps; step++) {
      if (!(await order.ready()).includes(writer)) break;
      order.step(writer);
    }
    await order.ready();
    checkFolder(folder, source);
  }
  for (const error of refusals) {
    if (!(error instanceof ArchiveRefusedError)) throw error;
  }
  const last = new MemoryDisk(folder);
  const archive = await ArchiveWriter.open(optionsOf(last, { segmentEvents: 3 }));
  await source.archive(archive, 2);
  checkFolder(folder, source);
  const { lines, sealed } = contentOf(folder);
  expect(new Set(lines).size).toBe(source.count);
  return { sealed };
}

describe('two or three writers that overtake each other at any step', () => {
  test('lose nothing that was acknowledged, leave no gap, and contradict nothing that was anchored', async () => {
    const turns = fc.array(
      fc.tuple(
        fc.nat({ max: 2 }),
        fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 120 })),
      ),
      { minLength: 2, maxLength: 14 },
    );
    await fc.assert(
      fc.asyncProperty(turns, fc.constantFrom(2, 3), async (chosen, writers) => {
        await play(chosen, writers);
      }),
      { numRuns: runs(3_000, 60) },
    );
  });

  test('wherever one stands still while the other takes over, and goes on afterwards', async () => {
    const all = 180;
    const places = runs(all, 20);
    let sealed = 0;
    for (let place = 0; place < places; place++) {
      const at = Math.floor((place * all) / places) + 1;
      for (const other of [30, 90, 500]) {
        sealed += (
          await play(
            [
              [0, at],
              [1, other],
              [0, 500],
              [1, 500],
            ],
            2,
          )
        ).sealed;
      }
    }
    expect(sealed).toBeGreaterThan(places);
  });
});

test('a writer that stands still for 61 seconds at any step of its sealing beside another loses nothing', async () => {
  let sealed = 0;
  const all = 110;
  const places = runs(all, 12);
  for (let place = 0; place < places; place++) {
    const at = Math.floor((place * all) / places) + 1;
    const clock = new VirtualClock(Date.parse('2026-11-24T12:00:00.000Z'));
    const folder = new MemoryFolder();
    folder.now = clock.now;
    const source = new Source(6);
    const order = new Interleaving();
    const ends: unknown[] = [];
    const start = (writer: number): void => {
      const disk = new MemoryDisk(folder);
      order.start(writer, disk, async () => {
        const given = optionsOf(disk, { clock, process: processOf(writer), segmentEvents: 2 });
        const work = ArchiveWriter.open(given).then((archive) => source.archive(archive, 2));
        await work.catch((error: unknown) => ends.push(error));
      });
    };
    const goOn = async (writer: number, steps: number): Promise<number> => {
      let done = 0;
      while (done < steps && (await order.ready()).includes(writer)) {
        order.step(writer);
        done++;
      }
      return done;
    };
    start(0);
    expect(await goOn(0, at)).toBe(at);
    // Its touches stand still as well: nobody takes the steps.
    await clock.pass(61_000);
    start(1);
    await goOn(1, 1_000);
    await goOn(0, 1_000);
    const { lines } = checkFolder(folder, source);
    expect([source.cursor, new Set(lines).size]).toEqual([6, 6]);
    for (const error of ends) expect(error).toBeInstanceOf(ArchiveRefusedError);
    sealed += contentOf(folder).sealed;
  }
  expect(sealed).toBeGreaterThan(2 * places);
});

function processOf(pid: number) {
  return { host: 'h', pid, place: `place ${pid}`, isRunning: () => true };
}
