import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { type ArchivableEvent, ArchiveWriter, openDisk } from '../../../lib/operator/archive';
import { proveEvents, verifyArchive } from '../../../lib/operator/archive/reading';
import { systemClock, systemRandom } from '../../../lib/platform';
import { temporaryFolders } from './temporary';
import { newKey, eventLine } from './folder';

const temporary = temporaryFolders();
const eventOf = (n: number) => JSON.parse(eventLine(n)) as ArchivableEvent;

test('a folder of the writer is whole while it is written, after a takeover, and its events are proved', async () => {
  const path = join(temporary(), 'archive');
  mkdirSync(path);
  const signer = newKey();
  let pids = 0;
  const open = async () => {
    const disk = await openDisk(path);
    return ArchiveWriter.open({
      disk,
      operatorId: 'casino',
      signer,
      process: { host: 'h', pid: ++pids, place: 'here', isRunning: () => false },
      clock: systemClock,
      random: systemRandom,
      report: () => undefined,
      segmentEvents: 25,
    });
  };
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
