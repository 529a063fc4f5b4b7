import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { type ArchivableEvent, ArchiveWriter, openDisk } from '../../../lib/operator/archive';
import { findEvents, proveEvents, verifyArchive } from '../../../lib/operator/archive/reading';
import { hasCompression } from '../../../lib/operator/archive/writer/segment-file';
import { createSeededRandom } from '../../../lib/platform/random';
import { VirtualClock } from '../../support/virtual-clock';
import { eventLine, newKey } from './folder';
import { temporaryFolders } from './temporary';

const temporary = temporaryFolders();

/** Seals ten events so, and signs. */
async function sealed(compression: 'gzip' | 'zstd'): Promise<string> {
  const path = join(temporary(), 'archive');
  mkdirSync(path);
  const writer = await ArchiveWriter.open({
    disk: await openDisk(path),
    operatorId: 'casino',
    signer: newKey(),
    process: { host: 'h', pid: 1, place: 'here', isRunning: () => false },
    clock: new VirtualClock(Date.parse('2026-11-24T12:00:00.000Z')),
    random: createSeededRandom(1),
    report: () => undefined,
    compression,
  });
  const page = Array.from({ length: 10 }, (_, n) => JSON.parse(eventLine(n)) as ArchivableEvent);
  await writer.append(page);
  await writer.check();
  writer.acknowledged(page);
  try {
    await writer.seal();
    await writer.checkpoint();
  } finally {
    await writer.close();
  }
  return path;
}

// Node has zstd from 22.15 and 23.8 on; npm run test:node plays this there too.
test.each((['gzip', 'zstd'] as const).filter(hasCompression))(
  'a segment that is compressed by %s is whole, found in and proved, and one that was cut is a fault',
  async (compression) => {
    const path = await sealed(compression);
    const ending = { gzip: '.jsonl.gz', zstd: '.jsonl.zst' }[compression];
    const names = readdirSync(join(path, '2026-11-24')).filter((name) => name.endsWith(ending));
    expect(names).toHaveLength(1);
    const { faults, segments, events } = await verifyArchive(path);
    expect([faults, segments, events]).toEqual([[], 1, 10]);
    const lines: string[] = [];
    for await (const { text } of findEvents(path, { playerId: 'p1' })) lines.push(text);
    expect(lines).toEqual([eventLine(1), eventLine(6)]);
    expect((await proveEvents(path, { gameRound: 'round-3' })).events).toHaveLength(2);
    const file = join('2026-11-24', names[0] ?? '');
    const bytes = readFileSync(join(path, file));
    for (const damaged of [bytes.subarray(0, -9), Buffer.from(bytes).fill(1, 20, 40)]) {
      writeFileSync(join(path, file), damaged);
      const found = await verifyArchive(path);
      expect(found.faults.map((fault) => fault.file)).toContain(file);
    }
  },
);
