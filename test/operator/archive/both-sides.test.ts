import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { type ArchivableEvent, ArchiveWriter, openDisk } from '../../../lib/operator/archive';
import { proveEvents, verifyArchive } from '../../../lib/operator/archive/reading';
import { systemClock, systemRandom } from '../../../lib/platform';
import { batchLine, longestLine, mostInBatch, names } from '../../../lib/operator/archive/format';
import { batchesOf } from '../../../lib/operator/archive/writer/batches';
import type { NoteSigner } from '../../../lib/operator/archive/tlog';
import type { NewLine } from '../../../lib/operator/archive/writer/options';
import { temporaryFolders } from './temporary';
import { BuiltFolder, newKey, eventLine } from './folder';

const temporary = temporaryFolders();
const eventOf = (n: number) => JSON.parse(eventLine(n)) as ArchivableEvent;

let pids = 0;
async function openWriter(path: string, signer: NoteSigner, warned: string[] = []) {
  return ArchiveWriter.open({
    disk: await openDisk(path),
    operatorId: 'casino',
    signer,
    process: { host: 'h', pid: ++pids, place: 'here', isRunning: () => false },
    clock: systemClock,
    random: systemRandom,
    report: (level, _, message) => void (level === 'warn' && warned.push(message)),
    segmentEvents: 25,
  });
}

test('a folder of the writer is whole while it is written, after a takeover, and its events are proved', async () => {
  const path = join(temporary(), 'archive');
  mkdirSync(path);
  const signer = newKey();
  const open = () => openWriter(path, signer);
  const sentences = new Set<string>();
  const verify = async () => {
    const { faults, notes, sentence, events } = await verifyArchive(path, {
      keys: [signer.vkey],
      accounts: true,
    });
    expect([faults, notes]).toEqual([[], []]);
    sentences.add(sentence);
    return events;
  };
  let n = 0;
  for (let turn = 0; turn < 3; turn++) {
    const writer = await open();
    for (let page = 0; page < 4; page++) {
      await writer.append(Array.from({ length: 10 }, () => eventOf(n++)));
      await writer.check();
      await writer.sealIfDue();
      expect(await verify()).toBe(n);
      await writer.checkpoint();
      expect(await verify()).toBe(n);
    }
    if (turn === 1) await writer.close();
  }
  const proofs = await proveEvents(path, { gameRound: 'round-7' });
  expect(proofs.events.map(({ index }) => index)).toEqual([14, 15]);
  expect(sentences.size).toBe(1);
});

const tooLong = 'x'.repeat(longestLine + 1);
const batchOf = (count: number): string => {
  return `${batchLine({ batch: count, size: 6, root: Buffer.alloc(32) })}\n`;
};

test.each<[string, (text: string) => string, number | null]>([
  ['a line that is too long at its end', (text) => text + tooLong, 8],
  ['one with a line break, and a batch after it', (text) => `${text}${tooLong}\n${batchOf(0)}`, 8],
  ['one before it was made whole', (text) => `${tooLong}\n${text}`, 1],
  ['a batch whose events are other ones', (text) => text.replace('hash-3', 'hash-4'), null],
  ['events after a batch that has zeros', (text) => `${text}\0\n${batchOf(1)}{"a":1}\n`, 10],
])('a session is damaged for the writer and for verify alike: %s', async (_, change, line) => {
  const { path, key, session } = builtSession(change);
  await expect(openWriter(path, key)).rejects.toThrow(`${session} is damaged`);
  const { faults } = await verifyArchive(path, { keys: [key.vkey] });
  expect(faults[0]).toMatchObject({ file: session, line });
});

test.each([
  ['an event without its batch line', `${eventLine(4)}\n`],
  ['zeros in place of an event', `${eventLine(4)}\n\0\0\n${batchOf(2)}`],
  ['zeros within an event', `${eventLine(4).replace('hash', '\0\0\0\0')}\n${batchOf(1)}`],
  ['zeros that are longer than a line', `${eventLine(4)}\n${tooLong}\0\n${batchOf(2)}`],
])('the end of a session is torn for the writer and for verify alike: %s', async (_, end) => {
  const { path, key, session } = builtSession((text) => text + end);
  const what = 'a torn end: it does not count';
  const { events, faults, notes } = await verifyArchive(path, { keys: [key.vkey] });
  expect({ events, faults, notes }).toEqual({
    events: 4,
    faults: [],
    notes: [{ file: session, line: 8, what }],
  });
  const warned: string[] = [];
  expect((await openWriter(path, key, warned)).size).toBe(4);
  expect(warned).toEqual(['a torn end was left out']);
});

/** An archive of four events in a session, which has seven lines, and is changed so. */
function builtSession(change: (text: string) => string) {
  const { path, key } = new BuiltFolder(join(temporary(), 'archive'), {
    segments: [],
    batches: [2, 2],
  });
  const session = names.sessionName(7);
  writeFileSync(join(path, session), change(readFileSync(join(path, session), 'utf8')));
  utimesSync(join(path, session), 0, 0); // its writer has ended
  return { path, key, session };
}

const page = (count: number, line: string) => {
  return Array.from({ length: count }, (_, n) => ({ id: `id-${n}`, at: '', line }));
};

const sizes = (lines: NewLine[]) => batchesOf(lines).map(({ length }) => length);

test('a page is written in batches that every reader takes, and a line that none takes is refused', () => {
  const longest = 'x'.repeat(longestLine);
  expect(sizes(page(mostInBatch + 1, '{}'))).toEqual([mostInBatch, 1]);
  expect(sizes(page(6, longest))).toEqual([5, 1]);
  expect(() => batchesOf(page(1, `${longest}x`))).toThrow(
    'The event id-0 is longer than 16777216 bytes',
  );
});
