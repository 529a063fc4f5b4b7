import { readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { openDisk } from '../../../../lib/operator/archive/writer/disk';
import { ArchiveWriter } from '../../../../lib/operator/archive/writer/log-writer';
import { ArchiveRefusedError } from '../../../../lib/operator/archive/writer/refused';
import { VirtualClock } from '../../../support/virtual-clock';
import { temporaryFolders } from '../temporary';
import { MemoryDisk, MemoryFolder } from './memory-disk';
import { checkFolder, eventOf, optionsOf, Source } from './scene';

const temporary = temporaryFolders();

const fullDisk = (step: string): boolean => /^(?:create|append|fsync|makeFolder|link)/.test(step);

/** Writes with a disk on which the n-th of these steps fails; answers whether there was one. */
async function failAt(
  n: number,
  code: string,
  isStep: (step: string) => boolean,
): Promise<boolean> {
  const folder = new MemoryFolder();
  const source = new Source(8);
  const disk = new MemoryDisk(folder);
  let seen = 0;
  disk.before = (step) => {
    if (!isStep(step) || seen++ !== n) return;
    throw Object.assign(new Error(code), { code });
  };
  const life = async (its: MemoryDisk): Promise<void> => {
    const writer = await ArchiveWriter.open(optionsOf(its, { segmentEvents: 3 }));
    await source.archive(writer, 2);
  };
  const ended = await life(disk).catch((error: unknown) => error);
  if (ended === undefined) return false;
  expect(ended).toMatchObject({ code });
  checkFolder(folder, source);
  await life(new MemoryDisk(folder));
  const { lines } = checkFolder(folder, source);
  expect([source.cursor, lines.length]).toEqual([8, 8]);
  return true;
}

/** A folder of so many events in segments of three, the first ones from `first` on, signed at the end of each. */
async function signed(events: number, first: number): Promise<MemoryFolder> {
  const disk = new MemoryDisk();
  const writer = await ArchiveWriter.open(optionsOf(disk, { segmentEvents: 3 }));
  await writer.append([0, 1, 2].map((n) => eventOf(first + n)));
  await writer.sealIfDue();
  await writer.checkpoint();
  const source = Object.assign(new Source(events), { cursor: 3 });
  await source.archive(writer, 3);
  await writer.close();
  return disk.folder;
}

describe('the writer', () => {
  test('ends where the disk is full, at whichever write, and with room again each event is there once', async () => {
    let writes = 0;
    while (await failAt(writes, 'ENOSPC', fullDisk)) writes++;
    expect(writes).toBeGreaterThan(60);
  });

  test('leaves nothing of a half seal but what bears a temporary name', async () => {
    const disk = new MemoryDisk();
    disk.before = (step) => {
      if (step.startsWith('create') && step.includes('.leaves'))
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    };
    const writer = await ArchiveWriter.open(optionsOf(disk, { segmentEvents: 3 }));
    await expect(new Source(8).archive(writer, 2)).rejects.toThrow('ENOSPC');
    expect([...disk.folder.names.keys()].filter((name) => /^\d{4}-/.test(name))).toEqual([]);
  });

  test('refuses a file system without hard links, and makes nothing there', async () => {
    const disk = new MemoryDisk();
    disk.hasLinks = false;
    const opening = ArchiveWriter.open(optionsOf(disk));
    await expect(opening).rejects.toThrow(ArchiveRefusedError);
    expect([...disk.folder.names.keys()]).toEqual([]);
  });

  test('refuses a session after which no number is left', async () => {
    const disk = new MemoryDisk();
    await ArchiveWriter.open(optionsOf(disk));
    await disk.create('sessions/9999999999.jsonl', []);
    disk.folder.inode('sessions/9999999999.jsonl').changedAt = 0;
    const again = ArchiveWriter.open(optionsOf(new MemoryDisk(disk.folder)));
    await expect(again).rejects.toThrow('sessions/9999999999.jsonl is damaged');
  });

  test('puts checksums right of any length: they grow with every segment, for years', async () => {
    const folder = temporary();
    const life = async (): Promise<void> => {
      const disk = await openDisk(folder);
      const writer = await ArchiveWriter.open({ ...optionsOf(new MemoryDisk()), disk });
      if (writer.size === 0) await writer.append([eventOf(0)]);
      if (writer.openEvents > 0) await writer.seal();
      await writer.close();
    };
    await life();
    const path = join(folder, 'SHA256SUMS');
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(/^[0-9a-f]{64} {2}2026-11-24\/\S+\n$/);
    truncateSync(path, 64 * 1024 * 1024 + 1);
    await life();
    expect(readFileSync(path, 'utf8')).toBe(text);
    rmSync(path);
    await life();
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('deletes no temporary file of another', async () => {
    const disk = new MemoryDisk();
    const open = () => ArchiveWriter.open(optionsOf(new MemoryDisk(disk.folder)));
    await open();
    const foreign = ['sessions/0000000002.jsonl.00ff.tmp', 'keys.aa.tmp', '2026-11-24/x.tmp'];
    disk.folder.folders.add('2026-11-24');
    for (const name of foreign) await disk.create(name, ['x']);
    const writer = await open();
    await new Source(8).archive(writer, 2);
    await writer.seal();
    expect([...disk.folder.names.keys()]).toEqual(expect.arrayContaining(foreign));
  });

  test('refuses a folder whose signed events are gone, or are other ones', async () => {
    for (const [how, why] of [
      [
        (text: string) => text.slice(0, text.indexOf('{"batch"')),
        'it was signed at 3 events, and has',
      ],
      [(text: string) => text.replaceAll('r%20', 'r%21'), 'are not those that were written'],
    ] as const) {
      const disk = new MemoryDisk();
      const writer = await ArchiveWriter.open(optionsOf(disk));
      await new Source(3).archive(writer, 3);
      const session = disk.folder.inode('sessions/0000000001.jsonl');
      session.bytes = Buffer.from(how(session.bytes.toString()));
      const again = ArchiveWriter.open(optionsOf(new MemoryDisk(disk.folder)));
      await expect(again).rejects.toThrow(why);
    }
  });

  test('refuses sealed segments that are other than those that were signed, at whichever of their ends', async () => {
    for (const size of [3, 6]) {
      const [folder, other] = [await signed(6, 0), await signed(size, 100)];
      folder.inode('checkpoints').bytes = other.file('checkpoints');
      const again = ArchiveWriter.open(optionsOf(new MemoryDisk(folder)));
      const why = `its first ${size} events are other than those that were signed`;
      await expect(again).rejects.toThrow(why);
    }
  });

  test.each([
    ['a changed event', /r%202/, 'r%203'],
    ['a changed event of the last page', /r%205/, 'r%206'],
    ['a batch line that is gone', /\{"batch":2,"size":4.*\n/, ''],
    ['a line that is none', /\{"type"/, 'x$&'],
  ])(
    'refuses a session that is damaged, each time, and deletes nothing: %s',
    async (_, from, to) => {
      const disk = new MemoryDisk();
      const writer = await ArchiveWriter.open(optionsOf(disk));
      await new Source(6).archive(writer, 2);
      const session = disk.folder.inode('sessions/0000000001.jsonl');
      session.bytes = Buffer.from(session.bytes.toString().replace(from, to));
      for (let time = 0; time < 2; time++) {
        const again = ArchiveWriter.open(optionsOf(new MemoryDisk(disk.folder)));
        await expect(again).rejects.toThrow('sessions/0000000001.jsonl is damaged');
        expect(disk.folder.file('sessions/0000000001.jsonl')).toBe(session.bytes);
      }
    },
  );
});

describe('the session of a process that may live', () => {
  const running = { host: 'other', pid: 7, place: 'elsewhere', isRunning: () => true };
  const own = { host: 'h', pid: 8, place: 'here', isRunning: () => true };

  test('is respected until it was not touched for a minute, and is touched each 5 seconds', async () => {
    const clock = new VirtualClock(Date.parse('2026-11-24T12:00:00.000Z'));
    const folder = new MemoryFolder();
    folder.now = clock.now;
    const first = new MemoryDisk(folder);
    const writer = await ArchiveWriter.open(optionsOf(first, { clock, process: running }));
    const take = () =>
      ArchiveWriter.open(optionsOf(new MemoryDisk(folder), { clock, process: own }));
    await clock.pass(300_000);
    await expect(take()).rejects.toThrow('Process 7 on other writes to this folder');
    first.before = () => new Promise(() => undefined); // it stands still
    await clock.pass(59_000);
    await expect(take()).rejects.toThrow('Process 7 on other');
    await clock.pass(7_000);
    await take();
    first.before = () => undefined;
    await expect(writer.check()).rejects.toThrow('Another process has taken the folder');
  });

  test('is taken at once where it ended in order, or its process is known to be gone', async () => {
    const clock = new VirtualClock(Date.parse('2026-11-24T12:00:00.000Z'));
    const folder = new MemoryFolder();
    folder.now = clock.now;
    const open = (process: typeof own) =>
      ArchiveWriter.open(optionsOf(new MemoryDisk(folder), { clock, process }));
    const first = await open(running);
    await first.close();
    await open(own);
    await expect(open({ ...own, pid: 9 })).rejects.toThrow('Process 8 on h');
    await open({ ...own, pid: 9, isRunning: () => false });
  });
});
