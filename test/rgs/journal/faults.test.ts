import { EventEmitter, once } from 'node:events';

import { describe, expect, test } from '@jest/globals';

import type { Journal, JournalError } from '../../../lib/rgs/journal/port';
import { CrashingDisk, type Operation } from './crashing-disk';
import { event, eventsOf, numbersOn, openOn, PATH } from './rig';

/** A journal with the events 1 and 2, on a disk that works so far. */
async function started(): Promise<{ disk: CrashingDisk; journal: Journal }> {
  const disk = new CrashingDisk();
  const journal = await openOn(disk);
  await journal.append([event(1)]);
  await journal.append([event(2)]);
  return { disk, journal };
}

/** The disk fails the first such operation, and works again right after. */
function failOnce(disk: CrashingDisk, isMeant: (operation: Operation) => boolean): void {
  let hasFailed = false;
  disk.fault = (operation) => {
    if (hasFailed || !isMeant(operation)) return 'none';
    hasFailed = true;
    return 'fail';
  };
}

/** Whether it concerns the new file of a compaction. */
const isOfNew = ({ file }: Pick<Operation, 'file'>): boolean => file.endsWith('.compacting');

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: JournalError) => error.code,
  );
}

describe('B4: an append whose write or sync fails is the last', () => {
  test.each(['write', 'sync'] as const)(
    'after a failed %s every append rejects, though the disk works again',
    async (name) => {
      const { disk, journal } = await started();
      failOnce(disk, (operation) => operation.name === name);
      const group = [3, 4].map((number) => codeOf(journal.append([event(number)])));
      expect(await Promise.all(group)).toEqual(['WRITE_FAILED', 'WRITE_FAILED']);
      expect(await codeOf(journal.append([event(5)]))).toBe('WRITE_FAILED');
      expect(await codeOf(journal.append([]))).toBe('WRITE_FAILED');
      expect(await codeOf(journal.compact([event(9)]))).toBe('WRITE_FAILED');
      await journal.close();
      expect(await numbersOn(disk)).toEqual([1, 2]);
    },
  );

  test('a failed sync is never tried again, and what it may have written is cut off', async () => {
    const { disk, journal } = await started();
    failOnce(disk, ({ name }) => name === 'sync');
    const before = disk.countOf('sync');
    await Promise.allSettled([journal.append([event(3)]), journal.append([event(4)])]);
    await codeOf(journal.append([event(5)]));
    await journal.close();
    expect(disk.countOf('sync')).toBe(before + 1);
    expect(disk.contentOf(PATH).toString().trimEnd().split('\n')).toHaveLength(2);
  });

  test('appends that wait while a write fails reject with it', async () => {
    const { disk, journal } = await started();
    failOnce(disk, ({ name }) => name === 'sync');
    const first = codeOf(journal.append([event(3)]));
    const second: Promise<string>[] = [];
    const { fault } = disk;
    disk.fault = (operation) => {
      if (operation.name === 'write') second.push(codeOf(journal.append([event(4)])));
      return fault(operation);
    };
    expect(await first).toBe('WRITE_FAILED');
    expect(await Promise.all(second)).toEqual(['WRITE_FAILED']);
    await journal.close();
    expect(await numbersOn(disk)).toEqual([1, 2]);
  });

  test('a disk that is full after any byte leaves a file that can be read', async () => {
    const { journal: example, disk: ofExample } = await started();
    await example.append([event(3)]);
    await example.close();
    const { bytes: length } = ofExample.operations.findLast(({ name }) => name === 'write') ?? {};
    for (let failAfter = 0; failAfter <= (length ?? 0); failAfter++) {
      for (const canTruncate of [true, false]) {
        const { disk, journal } = await started();
        disk.errorCode = 'ENOSPC';
        disk.fault = ({ name }) => {
          if (name === 'write') return { failAfter };
          return name === 'truncate' && !canTruncate ? 'fail' : 'none';
        };
        expect(await codeOf(journal.append([event(3)]))).toBe('WRITE_FAILED');
        await journal.close();
        disk.fault = () => 'none';
        // Without its line feed a whole line is whole: whether a rejected append is kept is unknown.
        const isKept = !canTruncate && failAfter >= (length ?? 0) - 1;
        expect(await numbersOn(disk)).toEqual(isKept ? [1, 2, 3] : [1, 2]);
      }
    }
  });

  test('a write that takes fewer bytes than given continues with the rest', async () => {
    const { disk, journal } = await started();
    disk.fault = ({ name, bytes }) => (name === 'write' ? { shortBy: bytes - 7 } : 'none');
    await Promise.all([journal.append([event(3)]), journal.append([event(4)])]);
    await journal.compact([event(0)]);
    await journal.append([event(5)]);
    await journal.close();
    expect(await numbersOn(disk)).toEqual([0, 5]);
  });
});

describe('B4: a compaction that fails', () => {
  test.each(['open', 'write', 'sync'] as const)(
    'before its %s is done leaves the journal as it was, and another one succeeds',
    async (name) => {
      const { disk, journal } = await started();
      failOnce(disk, (operation) => isOfNew(operation) && operation.name === name);
      const compacting = codeOf(journal.compact([event(0)]));
      await journal.append([event(3)]);
      expect(await compacting).toBe('EIO');
      await journal.append([event(4)]);
      expect(disk.paths().filter((path) => path.endsWith('.compacting'))).toEqual([]);
      await journal.compact([event(0), event(4)]);
      await journal.append([event(5)]);
      await journal.close();
      expect(await numbersOn(disk)).toEqual([0, 4, 5]);
    },
  );

  test('and cannot be tidied up does not hinder the next one, nor the next start', async () => {
    const { disk, journal } = await started();
    disk.fault = (operation) => {
      const { name } = operation;
      return isOfNew(operation) &&
        (name === 'write' || (name === 'remove' && disk.countOf('write') > 2))
        ? 'fail'
        : 'none';
    };
    expect(await codeOf(journal.compact([event(0)]))).toBe('EIO');
    expect(disk.paths().some((path) => path.endsWith('.compacting'))).toBe(true);
    disk.fault = () => 'none';
    await journal.compact([event(0)]);
    await journal.close();
    disk.put(`${PATH}.compacting`, 'what a crash left');
    expect(await numbersOn(disk)).toEqual([0]);
    expect(disk.paths()).toEqual([PATH]);
  });

  test.each(['rename', 'syncFolder'] as const)(
    'in its %s ends the journal: which file a restart finds is unknown',
    async (name) => {
      const { disk, journal } = await started();
      failOnce(disk, (operation) => operation.name === name);
      const compacting = codeOf(journal.compact([event(1), event(2)]));
      await journal.append([event(3)]);
      expect(await compacting).toBe('WRITE_FAILED');
      expect(await codeOf(journal.append([event(4)]))).toBe('WRITE_FAILED');
      await journal.close();
      expect(await numbersOn(disk)).toEqual([1, 2, 3]);
    },
  );
});

describe('B4: a compaction and a slow disk', () => {
  test('an append that was called before the snapshot, and is written after it, is not kept twice', async () => {
    const { disk, journal } = await started();
    const gate = new EventEmitter();
    disk.hold = ({ name, file }) =>
      name === 'sync' && !isOfNew({ file }) ? once(gate, 'open') : null;
    const calls = [journal.append([event(3)])];
    await disk.until(({ name }) => name === 'sync');
    calls.push(journal.append([event(4)]));
    calls.push(journal.compact([event(104)]));
    calls.push(journal.append([event(5)]));
    await disk.until((operation) => isOfNew(operation) && operation.name === 'sync');
    disk.hold = () => null;
    gate.emit('open');
    await Promise.all(calls);
    await journal.close();
    expect(await numbersOn(disk)).toEqual([104, 5]);
  });

  test('appends do not wait for the snapshot to be written', async () => {
    const { disk, journal } = await started();
    const gate = new EventEmitter();
    disk.hold = ({ file }) => (isOfNew({ file }) ? once(gate, 'open') : null);
    const compacting = journal.compact([event(102)]);
    await journal.append([event(3)]);
    await journal.append([event(4)]);
    disk.hold = () => null;
    gate.emit('open');
    await compacting;
    await journal.close();
    expect(await numbersOn(disk)).toEqual([102, 3, 4]);
  });
});

describe('B4: group commit', () => {
  test('appends that are called together share a sync, and those that wait share the next', async () => {
    const { disk, journal } = await started();
    const before = disk.countOf('sync');
    const numbers = Array.from({ length: 100 }, (_, at) => at + 3);
    await Promise.all(numbers.map((number) => journal.append([event(number)])));
    expect(disk.countOf('sync') - before).toBeLessThanOrEqual(2);
    await journal.close();
    expect(await numbersOn(disk)).toEqual([1, 2, ...numbers]);
  });

  test('an append resolves after its sync, and each of them has one', async () => {
    const { disk, journal } = await started();
    const before = disk.countOf('sync');
    for (let number = 3; number < 8; number++) {
      await journal.append([event(number)]);
      expect(disk.operations.at(-1)).toMatchObject({ name: 'sync' });
    }
    expect(disk.countOf('sync')).toBe(before + 5);
    await journal.close();
  });
});

describe('reading', () => {
  test('events are replayed while nothing was appended since the start', async () => {
    const { journal } = await started();
    await expect(eventsOf(journal)).rejects.toThrow(TypeError);
    await journal.close();
  });

  test('lines are read piece by piece, wherever a read ends', async () => {
    const { disk, journal } = await started();
    await journal.append([{ type: 'noted', number: 3, text: 'ü'.repeat(400_000) }]);
    await journal.close();
    expect(await numbersOn(disk)).toEqual([1, 2, 3]);
    const longest = Math.max(...disk.operations.map(({ bytes }) => bytes));
    expect(longest).toBeGreaterThan(800_000);
  });
});
