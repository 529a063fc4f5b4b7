import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { describe, expect, test } from '@jest/globals';

import { keysText, names, parseRecord, recordText } from '../../../lib/operator/archive/format';
import {
  type ArchiveVerification,
  verifyArchive,
  type VerifyOptions,
} from '../../../lib/operator/archive/reading';
import { rangeOf, leafHash } from '../../../lib/operator/archive/tlog';
import { BuiltFolder, eventLine, newKey, type Plan } from './folder';
import { temporaryFolders } from './temporary';

const temporary = temporaryFolders();
const ownSentence =
  'whole by its own signatures; no anchor was compared: this proves nothing against who holds folder and key';

/** Three segments of ten events, and eight that are not sealed. */
function built(plan: Partial<Plan> = {}): BuiltFolder {
  return new BuiltFolder(join(temporary(), 'archive'), {
    segments: [10, 10, 10],
    batches: [5, 3],
    ...plan,
  });
}

/** The faults as texts. */
async function faultsOf(folder: BuiltFolder, options?: VerifyOptions): Promise<string[]> {
  return textsOf((await verifyArchive(folder.path, options)).faults);
}

function textsOf(findings: ArchiveVerification['faults']): string[] {
  return findings.map(({ file, line, what }) => `${file} ${line ?? '-'}: ${what}`);
}

function linesOf(folder: BuiltFolder, segment: number): string[] {
  const bytes = readFileSync(join(folder.path, folder.files[segment] ?? ''));
  return gunzipSync(bytes).toString().trimEnd().split('\n');
}

/** Replaces a segment's file. */
function put(folder: BuiltFolder, segment: number, lines: readonly string[]): Buffer {
  const bytes = gzipSync(lines.map((line) => `${line}\n`).join(''));
  folder.write(folder.files[segment] ?? '', bytes);
  return bytes;
}

/** Ten events of one key, then ten of another. */
function turned(how: 'rotated' | 'replaced') {
  const next = newKey();
  const folder = built({ segments: [10], batches: [] });
  folder.turnTo(next, how);
  folder.addSegment(10, [next]);
  return { folder, next };
}

const account = (real: string) => [{ currency: 'EUR', real, bonus: null }];
const movement = (real: string) => [{ hash: 'h', currency: 'EUR', real, bonus: '0' }];
/** Events of one player. */
const ofOnePlayer = (...members: object[]) => ({
  segments: [members.length],
  batches: [],
  event: (n: number) => eventLine(5 * n, members[n]),
});

describe('an archive that is whole', () => {
  test('without an anchor the sentence says that this proves little', async () => {
    const result = await verifyArchive(built().path);
    expect(result).toMatchObject({ segments: 3, segmentsRead: 3, events: 38, unsealedEvents: 8 });
    expect([result.faults, result.notes, result.sentence]).toEqual([[], [], ownSentence]);
    expect(result.signedEvents).toBe(30);
  });

  test('with an anchor the sentence names it, the greatest size that was compared, and the time of its last event', async () => {
    const anchor = temporary();
    const folder = built({ anchors: [anchor] });
    const { sentence } = await verifyArchive(folder.path, {
      anchors: [anchor],
      keys: [folder.key.vkey],
    });
    expect(sentence).toBe(
      `whole: 38 events, as anchored at ${anchor} up to 30 (2026-11-24T10:00Z)`,
    );
    folder.checkpoint();
    const later = await verifyArchive(folder.path, { anchors: [anchor] });
    expect(later.anchored).toEqual({ anchors: [anchor], size: 38, at: '2026-11-24T10:00:37.000Z' });
  });

  test('an anchor within a segment is compared while its lines are read', async () => {
    const anchor = temporary();
    const folder = built({ segments: [10], batches: [4], anchors: [anchor] });
    folder.checkpoint();
    const inner = readFileSync(join(anchor, 'checkpoints'));
    const other = temporary();
    const again = new BuiltFolder(join(other, 'archive'), { segments: [10, 10], key: folder.key });
    writeFileSync(join(other, 'checkpoints'), inner);
    const { anchored, faults } = await verifyArchive(again.path, { anchors: [other] });
    expect([anchored?.size, faults]).toEqual([14, []]);
  });

  test('an archive without a segment, and one without a session, are whole', async () => {
    expect(await faultsOf(built({ segments: [] }))).toEqual([]);
    expect(await faultsOf(built({ batches: [] }))).toEqual([]);
  });

  test('a torn end of the session is a note, and does not count', async () => {
    const folder = built();
    const session = join(folder.path, names.sessionName(7));
    writeFileSync(session, `${readFileSync(session, 'utf8')}${eventLine(38)}\n{"type":"rou`);
    const { faults, notes, events } = await verifyArchive(folder.path);
    expect([faults, events]).toEqual([[], 38]);
    expect(textsOf(notes)).toEqual(['sessions/0000000007.jsonl 12: a torn end: it does not count']);
  });

  test('a session that was not made whole does not count, and the one before it does', async () => {
    const folder = built();
    folder.write(names.sessionName(8), `${eventLine(30)}\n`);
    const { faults, unsealedEvents } = await verifyArchive(folder.path);
    expect([faults, unsealedEvents]).toEqual([[], 8]);
  });

  test('what a sealing left that did not end, or came too late, is a note if the log has its index, else a fault', async () => {
    const folder = built();
    const left = '2026-11-24/000000000030-deadbeef.jsonl.gz';
    const lines = folder.lines.slice(30, 35);
    folder.write(left, gzipSync(lines.map((line) => `${line}\n`).join('')));
    folder.write(`${left}.tmp`, 'x');
    const { faults, notes } = await verifyArchive(folder.path);
    expect(faults).toEqual([]);
    expect(textsOf(notes).toSorted()).toEqual([
      `${left} -: a sealing that did not end, or came too late, left it: it does not count`,
      `${left}.tmp -: a file that was not finished: it does not count`,
    ]);
    const beyond = '2026-11-24/000000000039-deadbeef.jsonl.gz';
    folder.write(beyond, gzipSync(`${eventLine(99)}\n`));
    expect(await faultsOf(folder)).toEqual([`${beyond} -: no record lists this file`]);
  });

  test('what is beside a segment may be lost: a note says so', async () => {
    const folder = built();
    const [file = ''] = folder.files;
    rmSync(join(folder.path, names.findName(file)));
    rmSync(join(folder.path, names.leavesName(file)));
    const { faults, notes } = await verifyArchive(folder.path);
    expect([faults.length, notes.length]).toEqual([0, 1]);
  });
});

describe('what is named', () => {
  test('a changed line is named with its number', async () => {
    const folder = built();
    const lines = linesOf(folder, 1);
    put(folder, 1, lines.with(6, eventLine(16, { state: 'forged' })));
    expect(await faultsOf(folder)).toEqual([
      '2026-11-24/000000000010-1f3a9c02.jsonl.gz 7: this line is not the one that was sealed',
    ]);
  });

  test('without the leaves the file is named, since only that is certain', async () => {
    const folder = built();
    rmSync(join(folder.path, names.leavesName(folder.files[1] ?? '')));
    put(folder, 1, linesOf(folder, 1).with(6, eventLine(99)));
    expect(await faultsOf(folder)).toEqual([
      '2026-11-24/000000000010-1f3a9c02.jsonl.gz -: its lines are not those that were sealed',
    ]);
  });

  test('after a fault the segments that follow are checked by their own', async () => {
    const folder = built();
    put(folder, 0, linesOf(folder, 0).with(0, eventLine(99)));
    put(folder, 2, linesOf(folder, 2).with(4, eventLine(99)));
    expect((await faultsOf(folder)).map((fault) => fault.split(':')[0])).toEqual([
      '2026-11-24/000000000000-1f3a9c02.jsonl.gz 1',
      '2026-11-24/000000000020-1f3a9c02.jsonl.gz 5',
    ]);
  });

  test('a log that was made anew with the stolen key is named by the anchor alone', async () => {
    const anchor = temporary();
    const key = newKey();
    built({ anchors: [anchor], key });
    const forged = built({ key, event: (n) => eventLine(n, n === 15 ? { state: 'forged' } : {}) });
    expect(await faultsOf(forged, { keys: [key.vkey] })).toEqual([]);
    expect(await faultsOf(forged, { keys: [key.vkey], anchors: [anchor] })).toEqual([
      `2026-11-24/000000000010-1f3a9c02.jsonl.gz -: the log of 20 events is not the one anchored in ${anchor}/checkpoints line 7`,
    ]);
  });

  test('a log that was cut is named by the anchor', async () => {
    const anchor = temporary();
    const key = newKey();
    built({ anchors: [anchor], key });
    const cut = built({ key, segments: [10, 10], batches: [] });
    expect(await faultsOf(cut, { anchors: [anchor] })).toEqual([
      `${anchor}/checkpoints -: the anchor has seen 30 events, the folder holds 20: the end of the log is gone`,
    ]);
  });

  test('an anchor may be that of several logs; one that has none of this log is a fault', async () => {
    const anchor = temporary();
    const folder = built({ anchors: [anchor] });
    const others = temporary();
    const text = readFileSync(join(anchor, 'checkpoints'), 'utf8');
    const other = text.replaceAll('casino.example/log', 'casino.example/other');
    writeFileSync(join(others, 'checkpoints'), other);
    expect(await faultsOf(folder, { anchors: [others] })).toEqual([
      `${others}/checkpoints -: it holds 3 checkpoints, and none of this log`,
    ]);
    writeFileSync(join(others, 'checkpoints'), other + text);
    expect(await faultsOf(folder, { anchors: [others] })).toEqual([]);
  });

  test('a filter that hides an event from find is named; a damaged one hides nothing', async () => {
    const folder = built();
    const [first = '', second = ''] = folder.files.map(names.findName);
    const filter = readFileSync(join(folder.path, first));
    folder.write(first, Buffer.from(filter).fill(0xff, 8));
    expect(await faultsOf(folder)).toEqual([]);
    folder.write(first, Buffer.from(filter).fill(0, 8));
    folder.write(second, filter.subarray(8));
    const { faults, notes } = await verifyArchive(folder.path);
    expect(textsOf(faults)).toEqual([
      `${first} -: it hides the events of the segment from find, line 1 first`,
    ]);
    expect(textsOf(notes)).toEqual([
      `${second} -: the filter is not that of the segment: find reads all of the segment`,
    ]);
  });

  test('late events are notes, with the file and the line', async () => {
    const late = { at: '2026-11-20T10:00:00.000Z' };
    const folder = built({ event: (n) => eventLine(n, n === 13 ? late : {}) });
    const { faults, notes } = await verifyArchive(folder.path);
    expect(faults).toEqual([]);
    expect(textsOf(notes)).toEqual([
      '2026-11-24/000000000010-1f3a9c02.jsonl.gz 4: a late event: its time is 2026-11-20T10:00:00.000Z',
    ]);
  });

  test('events that came twice are counted', async () => {
    const folder = built({ event: (n) => eventLine(n < 20 ? n : n - 10) });
    const { faults, repeatedEvents } = await verifyArchive(folder.path);
    expect([faults, repeatedEvents]).toEqual([[], 10]);
  });

  test('with times only segments that have such events are read, and the log is whole over the others', async () => {
    const folder = built();
    put(folder, 0, linesOf(folder, 0).with(0, eventLine(99)));
    const from = '2026-11-24T10:00:10Z';
    const result = await verifyArchive(folder.path, { from });
    expect([result.segmentsRead, result.segments, result.faults]).toEqual([2, 3, []]);
    const other = await verifyArchive(folder.path, { to: '2026-11-24T10:00:09Z' });
    expect([other.segmentsRead, other.faults.length]).toEqual([1, 1]);
    const none = await verifyArchive(folder.path, { from: '2027-01-01' });
    const part = 'whole as far as read, the lines of 0 of 3 segments';
    expect(none.sentence).toBe(ownSentence.replace('whole', `${part},`));
    await expect(verifyArchive(folder.path, { from: 'soon' })).rejects.toThrow('from: a time');
  });
});

describe('keys', () => {
  test('a key that the one before signed for is trusted as that one is', async () => {
    const { folder, next } = turned('rotated');
    for (const keys of [[], [folder.key.vkey], [next.vkey], [folder.key.vkey, next.vkey]]) {
      expect(await faultsOf(folder, { keys })).toEqual([]);
    }
  });

  test('a key that the one before did not sign for is a fault until the auditor names it', async () => {
    const { folder, next } = turned('replaced');
    const fault = 'keys 2: from size 10 on the key is one that the former did not sign for';
    expect(await faultsOf(folder)).toEqual([fault]);
    expect(await faultsOf(folder, { keys: [folder.key.vkey] })).toEqual([fault]);
    expect(await faultsOf(folder, { keys: [next.vkey] })).toEqual([]);
  });

  test('a former key signs nothing after its last size', async () => {
    const { folder, next } = turned('rotated');
    folder.addSegment(10, [folder.key]);
    expect(await faultsOf(folder, { keys: [next.vkey] })).toEqual([
      'checkpoints 20: the checkpoint is not signed by the key of size 30',
      'segments/000000000020.json -: the checkpoint is not signed by the key of size 30',
    ]);
  });

  test('a given key that has signed nothing of the log makes no other key trusted', async () => {
    const folder = built();
    const { vkey } = newKey();
    const keys = [
      { vkey: folder.key.vkey, signsFrom: 0, signedOver: null },
      { vkey, signsFrom: 1_000_000, signedOver: null },
    ];
    folder.write(names.keysName, keysText(keys));
    expect(await faultsOf(folder, { keys: [vkey] })).toEqual([
      `keys -: the log is not signed by the given key ${vkey}`,
      'keys 2: from size 1,000,000 on the key is one that the former did not sign for',
    ]);
  });

  test('a key that is not one of the log is a fault, and a text that is no key is wrong use', async () => {
    const { vkey } = newKey();
    expect(await faultsOf(built(), { keys: [vkey] })).toEqual([
      `keys -: the log is not signed by the given key ${vkey}`,
    ]);
    await expect(verifyArchive(built().path, { keys: ['key'] })).rejects.toThrow(TypeError);
  });
});

describe('accounts (O12)', () => {
  test('a balance that does not follow from the event before is named with both lines', async () => {
    const folder = built(
      ofOnePlayer(
        { accounts: account('100'), movements: [] },
        { accounts: account('98.5'), movements: movement('-1.5') },
        { accounts: account('200'), movements: movement('1.5') },
        { accounts: account('201'), movements: movement('1') },
      ),
    );
    expect(await faultsOf(folder)).toEqual([]);
    const file = '2026-11-24/000000000000-1f3a9c02.jsonl.gz';
    expect(await faultsOf(folder, { accounts: true })).toEqual([
      `${file} 3: the balance of its player jumps: it does not follow from ${file} line 2`,
    ]);
  });

  test('a pointer and an event without accounts are no jump, and a pointer to nothing is noted', async () => {
    const folder = built(
      ofOnePlayer(
        { accounts: account('100'), movements: [] },
        { accounts: null, movements: movement('-1') },
        { accounts: account('99'), movements: [] },
        { accounts: null, movements: [], round: null },
        { accounts: account('5'), movements: [] },
      ),
    );
    const { faults, notes } = await verifyArchive(folder.path, { accounts: true });
    expect(faults).toEqual([]);
    expect(textsOf(notes)).toEqual([
      `${folder.files[0]} 4: it points to a round that the store had deleted: what it moved is not in the archive`,
    ]);
  });
});

describe('a folder that was tampered with does no harm', () => {
  test('a gzip bomb and a line of 400 MB are named, in little memory', async () => {
    const folder = built();
    const bomb = gzipSync(Buffer.alloc(400_000_000), { level: 1 });
    const before = process.memoryUsage().rss;
    folder.write(folder.files[1] ?? '', bomb);
    expect(await faultsOf(folder)).toEqual([
      '2026-11-24/000000000010-1f3a9c02.jsonl.gz 1: the line is longer than any event',
    ]);
    folder.write(folder.files[1] ?? '', gzipSync('\n'.repeat(5_000_000)));
    expect((await faultsOf(folder)).length).toBe(1);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  test('links, pipes and strange files are named, and not followed', async () => {
    const folder = built();
    const [first = '', second = ''] = folder.files;
    rmSync(join(folder.path, first));
    symlinkSync('/dev/zero', join(folder.path, first));
    copyFileSync(join(folder.path, second), join(folder.path, '2026-11-24', 'copy.gz'));
    mkdirSync(join(folder.path, 'more'));
    folder.write('evil\u001b[2Jname', 'x');
    const named = (await faultsOf(folder)).map((fault) => fault.split(' ')[0] ?? '');
    const strange = [first, '2026-11-24/copy.gz', 'evil\u001b[2Jname', 'more'];
    expect(new Set(named)).toEqual(new Set(strange));
  });

  test('a session that is no file is named, and the segments are read all the same', async () => {
    const folder = built({ batches: [] });
    const [session, link] = [names.sessionName(7), names.sessionName(8)];
    rmSync(join(folder.path, session));
    mkdirSync(join(folder.path, session));
    symlinkSync('/dev/zero', join(folder.path, link));
    const { faults, events } = await verifyArchive(folder.path);
    const what = 'it is no file of an archive';
    expect(textsOf(faults).toSorted()).toEqual([`${session} -: ${what}`, `${link} -: ${what}`]);
    expect(events).toBe(30);
  });

  test('a record cannot name a file outside the folder', async () => {
    const folder = built();
    const name = names.recordName(10);
    const text = readFileSync(join(folder.path, name), 'utf8');
    folder.write(name, text.replace('2026-11-24/', '../../../../'));
    expect((await faultsOf(folder))[0]).toBe(`${name} -: file of the record is wrong`);
  });

  test('a record, keys and checkpoints of 10 MB are named', async () => {
    const folder = built();
    const long = Buffer.alloc(10_000_000, 'x');
    folder.write(names.recordName(10), long);
    folder.write(names.checkpointsName, long);
    const faults = await faultsOf(folder);
    expect(faults.some((fault) => fault.startsWith(names.recordName(10)))).toBe(true);
    expect(faults.some((fault) => fault.startsWith('checkpoints'))).toBe(true);
    folder.write(names.keysName, long);
    expect((await faultsOf(folder)).some((fault) => fault.startsWith('keys'))).toBe(true);
  });

  test('what SHA256SUMS holds besides checksums is named, and a torn end noted', async () => {
    const folder = built();
    const sums = join(folder.path, names.checksumsName);
    const lines = readFileSync(sums, 'utf8');
    writeFileSync(sums, `${lines}${lines.slice(0, 30)}`);
    const torn = await verifyArchive(folder.path);
    expect([torn.faults, textsOf(torn.notes)]).toEqual([
      [],
      ['SHA256SUMS 4: a torn end: it does not count'],
    ]);
    truncateSync(sums, 20_000_000_000);
    expect(await faultsOf(folder)).toEqual(['SHA256SUMS 4: it is too long for a checksum']);
    const [junk, find] = [`${'x'.repeat(200)}\n`, names.findName(folder.files[0] ?? '')];
    writeFileSync(sums, junk.repeat(2_000));
    folder.write(find, Buffer.alloc(300_000_000));
    const { faults, moreFaults, notes } = await verifyArchive(folder.path);
    expect([faults.length, moreFaults]).toEqual([1_000, 1_000]);
    expect(notes.map(({ file }) => file)).toEqual([find]);
  });

  test('the sum of a record that was changed with its file is told by the lines', async () => {
    const folder = built();
    const lines = linesOf(folder, 1).with(2, eventLine(99));
    const bytes = put(folder, 1, lines);
    const name = names.recordName(10);
    const record = parseRecord(readFileSync(join(folder.path, name), 'utf8'));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const range = rangeOf(
      10,
      lines.map((line) => leafHash(line)),
    );
    folder.write(name, recordText({ ...record, bytes: bytes.length, sha256, range }));
    rmSync(join(folder.path, names.checksumsName));
    expect(await faultsOf(folder)).toEqual([
      '2026-11-24/000000000010-1f3a9c02.jsonl.gz 3: this line is not the one that was sealed',
    ]);
  });

  test('a folder without an archive, and an anchor without checkpoints, cannot be read', async () => {
    const unreadable = { name: 'ArchiveUnreadableError', code: 'ARCHIVEUNREADABLE' };
    await expect(verifyArchive(temporary())).rejects.toMatchObject(unreadable);
    await expect(verifyArchive('/nowhere')).rejects.toMatchObject(unreadable);
    const anchors = [temporary()];
    await expect(verifyArchive(built().path, { anchors })).rejects.toMatchObject(unreadable);
  });
});
