import { describe, expect, test } from '@jest/globals';

import { ArchiveFolder } from '../../../lib/cli/archive/folder';
import { readEventLine } from '../../../lib/cli/archive/line';
import { readChecksums, readName, sealedName } from '../../../lib/cli/archive/names';
import { verifyArchive } from '../../../lib/cli/archive/verify';
import { allLines, eventAt } from './events';
import { MemoryDisk } from './memory-disk';

const start = Date.parse('2026-11-22T15:10:00.000Z');
const hour = 3_600_000;
const reports: string[] = [];

function open(disk: MemoryDisk, operatorId = 'op'): Promise<ArchiveFolder> {
  return ArchiveFolder.open(disk, operatorId, (_, __, message) => void reports.push(message));
}

/** Ten events of 15 h, sealed, and one of 16 h. */
async function archived(): Promise<MemoryDisk> {
  const disk = new MemoryDisk();
  const folder = await open(disk);
  const events = Array.from({ length: 10 }, (_, at) => eventAt(`r-${at}`, start + at));
  await folder.append([...events, eventAt('next', start + hour)], start + hour);
  expect(await folder.sealDue(start + hour, true)).toEqual([
    { file: '2026-11-22T15.jsonl.gz', events: 10 },
  ]);
  return disk;
}

describe('an hour', () => {
  test('is sealed five minutes after its end, and not before', async () => {
    const disk = new MemoryDisk();
    const folder = await open(disk);
    await folder.append([eventAt('r', start)], start);
    const end = Date.parse('2026-11-22T16:05:00.000Z');
    expect(await folder.sealDue(end - 1, true)).toEqual([]);
    expect(await folder.sealDue(end, true)).toHaveLength(1);
    expect(folder.openHours).toEqual([]);
  });

  test('waits, while older events are still read, until none came to it for five minutes', async () => {
    const folder = await open(new MemoryDisk());
    const now = start + 24 * hour;
    await folder.append([eventAt('r', start)], now);
    expect(await folder.sealDue(now + 299_999, false)).toEqual([]);
    expect(await folder.sealDue(now + 300_000, false)).toHaveLength(1);
  });

  test('has a second file for events that come when it is sealed, without those that come again', async () => {
    const disk = await archived();
    const folder = await open(disk);
    await folder.append([eventAt('r-3', start + 3), eventAt('late', start)], start + hour);
    expect(await folder.sealDue(start + 2 * hour, true)).toEqual([
      { file: '2026-11-22T15.2.jsonl.gz', events: 1 },
      { file: '2026-11-22T16.jsonl.gz', events: 1 },
    ]);
    expect(await allLines(disk)).toHaveLength(12);
    expect((await verifyArchive(disk)).faults).toEqual([]);
  });

  test('keeps both rounds of a gameRound that was used again after its retention', async () => {
    const disk = new MemoryDisk();
    const folder = await open(disk);
    await folder.append([eventAt('r', start), eventAt('r', start + 5)], start);
    expect(await folder.sealDue(start + 2 * hour, true)).toMatchObject([{ events: 2 }]);
  });
});

describe('a folder', () => {
  test('of another operator is refused', async () => {
    await expect(open(await archived(), 'other')).rejects.toThrow('another operator');
  });

  test('with a sealed file that has no checksum is refused', async () => {
    const disk = await archived();
    await disk.write('2026-11-22T14.jsonl.gz', ['?']);
    await expect(open(disk)).rejects.toThrow('2026-11-22T14.jsonl.gz has no line in SHA256SUMS');
  });

  test('whose open file is damaged is refused with the lines, and not cut', async () => {
    const disk = await archived();
    const folder = await open(disk);
    await folder.append([eventAt('more', start + hour)], start);
    const length = await disk.size('2026-11-22T16.open');
    disk.damage('2026-11-22T16.open', 20, 0);
    const why = '2026-11-22T16.open is damaged between line 1 and line 2';
    await expect(open(disk)).rejects.toThrow(why);
    expect(await disk.size('2026-11-22T16.open')).toBe(length);
    expect((await verifyArchive(disk)).faults).toEqual([why]);
  });

  test('keeps its checksums as sha256sum reads them', async () => {
    const disk = await archived();
    const text = (await disk.read('SHA256SUMS')) ?? '';
    expect(text).toMatch(/^[0-9a-f]{64} {2}2026-11-22T15\.jsonl\.gz\n$/);
    expect(() => readChecksums(text.slice(0, -1))).toThrow('SHA256SUMS line 1 is damaged');
    expect(() => readChecksums(`${text}x\n`)).toThrow('SHA256SUMS line 2 is damaged');
  });
});

describe('verifying', () => {
  test('counts what is whole', async () => {
    const found = await verifyArchive(await archived());
    expect(found).toEqual({ files: 1, events: 10, openEvents: 1, faults: [] });
  });

  test('names the file and the line of each damaged byte', async () => {
    const length = await (await archived()).size('2026-11-22T15.jsonl.gz');
    for (let at = 0; at < length; at += 7) {
      const disk = await archived();
      disk.damage('2026-11-22T15.jsonl.gz', at, 0xa5);
      const { faults } = await verifyArchive(disk);
      expect(faults).toEqual([
        expect.stringMatching(/^2026-11-22T15\.jsonl\.gz (?:line \d+: |is not)/),
      ]);
    }
  });

  test('names what is missing, what has no checksum, and what does not belong there', async () => {
    const disk = await archived();
    const other = new MemoryDisk();
    const folder = await open(other, 'op');
    await folder.append([eventAt('r-1', start + 1, 'evil')], start);
    await folder.sealDue(start + 2 * hour, true);
    await disk.write('2026-11-22T13.jsonl.gz', other.chunks('2026-11-22T15.jsonl.gz'));
    const sum = (await disk.read('SHA256SUMS'))?.slice(0, 64) ?? '';
    await disk.write('SHA256SUMS', [`${sum}  2026-11-22T12.jsonl.gz\n`]);
    expect((await verifyArchive(disk)).faults).toEqual([
      '2026-11-22T12.jsonl.gz is missing',
      expect.stringMatching(/^2026-11-22T13\.jsonl\.gz line 1: it is an event of another/),
      '2026-11-22T15.jsonl.gz has no line in SHA256SUMS',
    ]);
  });

  test('names an event that comes a second time', async () => {
    const disk = await archived();
    const names = ['2026-11-22T15.jsonl.gz', '2026-11-22T15.2.jsonl.gz'];
    await disk.write('2026-11-22T15.2.jsonl.gz', disk.chunks('2026-11-22T15.jsonl.gz'));
    const sum = (await disk.read('SHA256SUMS'))?.slice(0, 64) ?? '';
    await disk.write(
      'SHA256SUMS',
      names.map((name) => `${sum}  ${name}\n`),
    );
    expect((await verifyArchive(disk)).faults).toEqual([
      '2026-11-22T15.2.jsonl.gz line 1: the event op/p/r-0/1 comes a second time',
    ]);
  });

  test('refuses a folder that is no archive', async () => {
    await expect(verifyArchive(new MemoryDisk())).rejects.toThrow('The folder is no archive');
  });
});

test('a line that is no event is none, whatever it holds', () => {
  for (const line of ['', 'null', '[]', '7', '{}', '{"type":"round","id":1}', '{"type":"round"']) {
    expect(readEventLine(line)).toBeNull();
  }
  const event = eventAt('r', start);
  expect(readEventLine(JSON.stringify({ ...event, at: '2026-11-22T15' }))).toBeNull();
  expect(readEventLine(JSON.stringify(event))).toMatchObject({ hour: '2026-11-22T15' });
});

test('only names of the archive are its files', () => {
  for (const name of [
    'x.gz',
    '2026-11-22T15',
    '2026-11-22T15.0.jsonl.gz',
    '../2026-11-22T15.open',
  ]) {
    expect(readName(name)).toBeNull();
  }
  for (const part of [1, 2, 10]) {
    expect(readName(sealedName('2026-11-22T15', part))).toMatchObject({ kind: 'sealed', part });
  }
});
