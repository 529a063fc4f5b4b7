import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { createFileJournal } from '../../../lib/rgs/journal/file';
import { createMemoryJournal } from '../../../lib/rgs/journal/memory';
import { systemDisk } from '../../../lib/rgs/journal/disk';
import { CrashingDisk } from './crashing-disk';
import { event, eventsOf, openOn, PATH } from './rig';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-file-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('opening a file', () => {
  test('creates it for its owner alone, and leaves no lock behind', async () => {
    const path = join(folder, 'rgs.journal');
    const journal = await createFileJournal({ path });
    await journal.append([event(1)]);
    expect(readdirSync(folder)).toHaveLength(2);
    await journal.close();
    expect(readdirSync(folder)).toEqual(['rgs.journal']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('a snapshot replaces the file itself, also through a symbolic link, and keeps it private', async () => {
    mkdirSync(join(folder, 'disk'));
    const [file, link] = [join(folder, 'disk', 'rgs.journal'), join(folder, 'link')];
    writeFileSync(file, '');
    symlinkSync(file, link);
    const journal = await createFileJournal({ path: link });
    await expect(createFileJournal({ path: file })).rejects.toMatchObject({ code: 'LOCKED' });
    await journal.append([event(1)]);
    await journal.compact([event(0)]);
    await journal.close();
    expect(readdirSync(join(folder, 'disk'))).toEqual(['rgs.journal']);
    const again = await createFileJournal({ path: file });
    expect(await eventsOf(again)).toEqual([event(0)]);
    await again.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('whose folder does not exist is refused in one line', async () => {
    const path = join(folder, 'none', 'rgs.journal');
    await expect(createFileJournal({ path })).rejects.toMatchObject({
      code: 'CANNOT_OPEN',
      message: `Cannot open the journal ${path}: its folder does not exist; create it.`,
    });
  });

  test('that is a folder, or in a file, is refused in one line', async () => {
    await expect(createFileJournal({ path: folder })).rejects.toMatchObject({
      message: `Cannot open the journal ${folder}: it is a folder.`,
    });
    writeFileSync(join(folder, 'file'), '');
    const path = join(folder, 'file', 'rgs.journal');
    await expect(createFileJournal({ path })).rejects.toMatchObject({
      message: `Cannot open the journal ${path}: its folder is a file.`,
    });
  });

  test('that is a pipe or a device, which may have no end, is not opened', async () => {
    await expect(systemDisk.open('/dev/null', 'existing')).rejects.toMatchObject({
      code: 'NOT_REGULAR',
    });
  });

  test.each([
    ['EACCES', 'this user may not write to the file and its folder'],
    ['EROFS', 'the disk is read-only'],
    ['NOT_REGULAR', 'it is a pipe or a device'],
    ['ENOSPC', 'the disk is full'],
    ['EMFILE', 'the disk answered EMFILE'],
  ])('that answers %s is refused: %s', async (code, reason) => {
    const disk = new CrashingDisk();
    disk.errorCode = code;
    disk.fault = ({ name }) => (name === 'open' ? 'fail' : 'none');
    await expect(openOn(disk)).rejects.toMatchObject({
      code: 'CANNOT_OPEN',
      message: `Cannot open the journal ${PATH}: ${reason}.`,
    });
  });

  test.each([
    [{ path: '' }, 'path must be the path of a file'],
    [{ path: 'a\0b' }, 'path must be the path of a file'],
    [{ path: 7 as unknown as string }, 'path must be the path of a file'],
    [{ path: PATH, compactAboveBytes: -1 }, 'compactAboveBytes must be a whole number of bytes'],
    [{ path: PATH, compactAboveBytes: 1.5 }, 'compactAboveBytes must be a whole number of bytes'],
  ])('with %j is a TypeError', async (options, message) => {
    await expect(createFileJournal(options)).rejects.toThrow(new TypeError(message));
  });
});

describe('B4: needsCompaction', () => {
  const text = 'x'.repeat(1000);

  test('of a file is true above the limit, and then again once the file has doubled', async () => {
    const journal = await openOn(new CrashingDisk(), { compactAboveBytes: 5000 });
    const append = () => journal.append([{ type: 'noted', text }]);
    for (let count = 0; count < 4; count++) await append();
    expect(journal.needsCompaction()).toBe(false);
    await append();
    expect(journal.needsCompaction()).toBe(true);
    const compacting = journal.compact(Array.from({ length: 4 }, () => ({ type: 'noted', text })));
    expect(journal.needsCompaction()).toBe(false); // one is running
    await compacting;
    for (let count = 0; count < 3; count++) await append();
    expect(journal.needsCompaction()).toBe(false);
    for (let count = 0; count < 2; count++) await append();
    expect(journal.needsCompaction()).toBe(true);
    await journal.close();
  });

  test('of a file is not true again right after a compaction that failed', async () => {
    const disk = new CrashingDisk();
    const journal = await openOn(disk, { compactAboveBytes: 0 });
    await journal.append([{ type: 'noted', text }]);
    expect(journal.needsCompaction()).toBe(true);
    disk.fault = ({ file }) => (file.endsWith('.compacting') ? 'fail' : 'none');
    await expect(journal.compact([])).rejects.toThrow('EIO');
    expect(journal.needsCompaction()).toBe(false);
    disk.fault = () => 'none';
    await journal.append([{ type: 'noted', text }]);
    await journal.append([{ type: 'noted', text }]);
    expect(journal.needsCompaction()).toBe(true);
    await journal.close();
  });

  test('of a memory journal is true above 100,000 events', async () => {
    const journal = createMemoryJournal();
    await journal.append(Array.from({ length: 100_000 }, (_, at) => event(at)));
    expect(journal.needsCompaction()).toBe(false);
    await journal.append([event(-1)]);
    expect(journal.needsCompaction()).toBe(true);
    await journal.compact([event(0)]);
    expect(journal.needsCompaction()).toBe(false);
  });
});
