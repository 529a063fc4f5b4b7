import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { type ArchiveDisk, ArchiveWriter, openDisk } from '../../../lib/operator/archive';
import { type ArchivableEvent } from '../../../lib/operator/archive';
import { FolderFiles } from '../../../lib/operator/archive/read/files';
import { verifyFiles } from '../../../lib/operator/archive/verify/check';
import { createSeededRandom } from '../../../lib/platform/random';
import { nextTurn } from '../../../lib/platform/turn';
import { firstOf } from '../../support/runs';
import { VirtualClock } from '../../support/virtual-clock';
import { eventLine, newKey } from './folder';
import { temporaryFolders } from './temporary';

const temporary = temporaryFolders();
/** More than a verify of such a folder has reads. */
const READS = 40;

/** A disk whose writer does a step only when it may. */
class Gate {
  #allowed = 0;
  #waiting: (() => void) | null = null;

  of(disk: ArchiveDisk): ArchiveDisk {
    return new Proxy(disk, {
      get: (target, name: keyof ArchiveDisk) => {
        const work = target[name] as (...args: unknown[]) => unknown;
        if (name === 'chunks') return work.bind(target);
        return async (...args: unknown[]) => {
          if (this.#allowed === 0) await new Promise<void>((go) => (this.#waiting = go));
          this.#allowed -= 1;
          return work.apply(target, args);
        };
      },
    });
  }

  /** Lets so many steps happen, and waits until they have. */
  async allow(steps: number): Promise<void> {
    this.#allowed += steps;
    const go = this.#waiting;
    this.#waiting = null;
    go?.();
    while (this.#waiting === null) await nextTurn();
  }
}

/** Files, of which each read can be interrupted. */
class InterruptedFiles extends FolderFiles {
  reads = 0;

  constructor(
    folder: string,
    private readonly before: (read: number) => Promise<void>,
  ) {
    super(folder);
  }

  override async bytes(path: string, most: number) {
    await this.before(this.reads++);
    return super.bytes(path, most);
  }

  override async hold(path: string) {
    await this.before(this.reads++);
    return super.hold(path);
  }

  override async names(below: string) {
    await this.before(this.reads++);
    return super.names(below);
  }

  override async *paths() {
    for await (const path of super.paths()) {
      await this.before(this.reads++);
      yield path;
    }
  }
}

/** A writer that appends, signs and seals for ever; now and then another takes the folder over, with another key. */
async function writeForEver(path: string, gate: Gate): Promise<void> {
  let signer = newKey();
  for (let [n, writers] = [0, 1]; ; writers++) {
    const writer = await ArchiveWriter.open({
      disk: gate.of(await openDisk(path)),
      operatorId: 'casino',
      signer,
      process: { host: 'h', pid: writers, place: 'here', isRunning: () => false },
      clock: new VirtualClock(Date.parse('2026-11-24T12:00:00.000Z')),
      random: createSeededRandom(writers),
      report: () => undefined,
    });
    for (let seals = 0; seals < 3; seals++) {
      for (let batch = 0; batch < 2; batch++, n += 2) {
        const page = [n, n + 1].map((one) => JSON.parse(eventLine(one)) as ArchivableEvent);
        await writer.append(page);
        await writer.check();
        writer.acknowledged(page);
        if (batch === 0 || seals < 2) await writer.checkpoint();
      }
      if (seals < 2) await writer.seal();
    }
    const next = newKey();
    await writer.rotateKey(next);
    signer = next;
  }
}

/** A folder that was sealed twice, and the gate of what writes to it. */
async function begun(): Promise<{ readonly path: string; readonly gate: Gate }> {
  const path = join(temporary(), 'archive');
  mkdirSync(path);
  const gate = new Gate();
  void writeForEver(path, gate);
  await gate.allow(60);
  return { path, gate };
}

test.each(firstOf([8, 34, 1, 2, 3, 5, 13, 21, 55], 2))(
  'a folder has no fault while it is written, though %i steps of the writer come between two reads',
  async (steps) => {
    for (const times of firstOf([1, 4], 1)) {
      let scene = await begun();
      for (let read = 0; read < READS; read++) {
        if (read % 8 === 7) scene = await begun();
        const files = new InterruptedFiles(scene.path, async (now) => {
          if (now >= read && now < read + times) await scene.gate.allow(steps);
        });
        const { faults } = await verifyFiles(files, {});
        expect({ times, read, faults }).toEqual({ times, read, faults: [] });
      }
    }
  },
);
