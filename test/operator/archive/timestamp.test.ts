import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { names } from '../../../lib/operator/archive/format';
import {
  proveEvents,
  verifyArchive,
  writeProofFolder,
} from '../../../lib/operator/archive/reading';
import { imprintOf, nonceOf, timestampQuery } from '../../../lib/operator/archive/timestamp/query';
import { readTimestampReply } from '../../../lib/operator/archive/timestamp/reply';
import { ArchiveWriter } from '../../../lib/operator/archive/writer/log-writer';
import { BuiltFolder } from './folder';
import { temporaryFolders } from './temporary';
import { timestampReply } from './timestamp';
import { MemoryDisk } from './writer/memory-disk';
import { eventOf, optionsOf } from './writer/scene';

const temporary = temporaryFolders();
const note = 'casino.example/op\n1\nAAAA\n\n— x\n';

describe('the reply of a time authority', () => {
  test('says what was asked', () => {
    const { imprint, nonce } = readTimestampReply(timestampReply(note));
    expect([imprint, nonce?.toString('hex')]).toEqual([imprintOf(note), '4000000000000001']);
  });

  test.each([
    ['it is no time stamp', { content: '2a864886f70d0109100105' }],
    ['the time stamp is not of a SHA-256', { algorithm: '608648016503040202' }],
    ['the time stamp is not signed', { signer: '' }],
  ])('is refused: %s', (why, parts) => {
    expect(() => readTimestampReply(timestampReply(note, parts))).toThrow(why);
  });

  test('is read to its last byte, or refused as no reply, wherever it is cut or changed', () => {
    const whole = timestampReply(note);
    for (let at = 0; at < whole.length; at++) {
      const cut = () => readTimestampReply(whole.subarray(0, at));
      expect(cut).toThrow(expect.objectContaining({ code: 'LOGFORMAT' }));
      for (const other of [0x00, 0x1f, 0x80, 0x84, 0xff]) {
        const changed = Buffer.from(whole);
        changed[at] = other;
        let code: unknown = 'LOGFORMAT';
        try {
          readTimestampReply(changed);
        } catch (error) {
          code = (error as { code?: unknown }).code;
        }
        expect([at, other, code]).toEqual([at, other, 'LOGFORMAT']);
      }
    }
    const longer = Buffer.concat([whole, Buffer.of(0)]);
    expect(() => readTimestampReply(longer)).toThrow();
  });
});

test('a query is the one that openssl makes, but for its nonce', () => {
  // By `openssl ts -query -digest 00... -sha256 -cert`, but for the nonce.
  const made = `30430201013031300d0609608648016503040201050004 20${'00'.repeat(32)} 020841a2b3c4d5e6f708 0101ff`;
  const nonce = nonceOf(Buffer.from('c1a2b3c4d5e6f708', 'hex'));
  const query = timestampQuery(Buffer.alloc(32), nonce);
  expect(query.toString('hex')).toBe(made.replaceAll(' ', ''));
});

test('a writer keeps the earliest reply about a size, and takes what a crash left for nothing', async () => {
  for (let left = 0; left < 12; left++) {
    const disk = new MemoryDisk();
    const writer = await ArchiveWriter.open(optionsOf(disk));
    await writer.append([eventOf(0)]);
    await writer.checkpoint();
    disk.left = left;
    const kept = await writer.keepTimestamp(1, Buffer.from('first')).then(
      () => true,
      () => false,
    );
    disk.folder.failPower({ names: 0, bytes: 0, hasZeros: false });
    const later = await ArchiveWriter.open(optionsOf(new MemoryDisk(disk.folder)));
    await later.keepTimestamp(1, Buffer.from('second'));
    const found = disk.folder.file(names.timestampName(1)).toString();
    expect([left, ['first', 'second'].includes(found)]).toEqual([left, true]);
    if (kept) expect(found).toBe('first');
  }
});

const built = () => new BuiltFolder(join(temporary(), 'archive'), { segments: [20, 20] });

describe('an archive with time stamps', () => {
  test('is whole if each is for its checkpoint of that size', async () => {
    const folder = built();
    folder.write(names.timestampName(40), timestampReply(folder.checkpoint()));
    expect((await verifyArchive(folder.path)).faults).toEqual([]);
  });

  test('has a fault where one is for another checkpoint, another size, or is none', async () => {
    const folder = built();
    const [own, other] = [folder.checkpoint(), built().checkpoint()];
    const wrong = 'the archive has no checkpoint that it was made for';
    for (const [size, content, what] of [
      [40, timestampReply(other), wrong],
      [39, timestampReply(own), wrong],
      [40, 'garbage', 'it is no reply of a time authority'],
      [40, Buffer.alloc(70_000), 'the file is longer than 65536 bytes'],
    ] as const) {
      const file = names.timestampName(size);
      folder.write(names.timestampName(39), timestampReply(own));
      folder.write(names.timestampName(40), timestampReply(own));
      folder.write(file, content);
      expect((await verifyArchive(folder.path)).faults).toContainEqual({ file, line: null, what });
    }
  });

  test('gives the newest one that is right, and what it stamps, to an auditor', async () => {
    const folder = built();
    const proofs = await proveEvents(folder.path, { gameRound: 'round-7' });
    const stamped = folder.checkpoint();
    folder.write(names.timestampName(40), timestampReply(stamped));
    folder.write(names.timestampName(41), 'garbage');
    const to = join(temporary(), 'proof');
    await writeProofFolder(proofs, { archive: folder.path, to });
    const read = (name: string) => readFileSync(join(to, name));
    expect(read('40.tsr')).toEqual(timestampReply(stamped));
    expect(read('40.checkpoint').toString()).toBe(stamped);
    expect(read('README.txt').toString()).toContain('-in 40.tsr -data 40.checkpoint');
  });
});
