import type { Clock } from '../../../platform';
import { findName, leavesName, recordName, segmentName, unfinishedName } from '../format/names';
import { type Compression, recordText, type SegmentRecord } from '../format';
import { addChecksum } from './checksums';
import type { ArchiveDisk } from './disk';
import type { GrowingLog } from './growing-log';
import { ArchiveRefusedError } from './refused';
import { writeSegment } from './segment-file';
import type { Session } from './session';

/** What sealing takes. */
export interface Sealing {
  readonly disk: ArchiveDisk;
  readonly clock: Pick<Clock, 'now'>;
  readonly session: Session;
  readonly log: GrowingLog;
  /** The signed checkpoint at the end of the segment. */
  readonly checkpoint: string;
  readonly token: string;
  readonly compression?: Compression;
}

/**
 * Seals the open segment: its file and what is beside it bear the token of this writer, and its record is linked where no
 * other is. Who loses has changed nothing of another's.
 * @throws ArchiveRefusedError if another process has taken the folder, or sealed here.
 */
export async function sealSegment(sealing: Sealing): Promise<SegmentRecord> {
  const { disk, clock, session, log, token, checkpoint, compression = 'gzip' } = sealing;
  const from = log.sealedSize;
  const count = log.size - from;
  const sealedAt = new Date(clock.now()).toISOString();
  const day = sealedAt.slice(0, 'yyyy-mm-dd'.length);
  const short = token.slice(0, 8);
  const file = segmentName({ day, from, token: short, compression });
  const { range, leaves } = log.segment();
  await disk.makeFolder(day);
  const made: string[] = [];
  const finish = async (name: string, write: (temporary: string) => Promise<void>) => {
    const temporary = unfinishedName(name);
    made.push(temporary);
    await write(temporary);
    await disk.rename(temporary, name);
    made.push(name);
  };
  try {
    const written = { bytes: 0, sha256: '', filter: Buffer.alloc(0) };
    await finish(file, async (name) => {
      const { filter, ...rest } = await writeSegment(disk, session.file, count, {
        name,
        compression,
      });
      Object.assign(written, rest, { filter: filter.encode() });
    });
    await finish(leavesName(file), (name) => disk.create(name, [leaves.encode()]));
    await finish(findName(file), (name) => disk.create(name, [written.filter]));
    await disk.sync(day);
    const { bytes, sha256 } = written;
    const { first, last } = log.times;
    const record: SegmentRecord = {
      file,
      from,
      count,
      bytes,
      sha256,
      first,
      last,
      sealedAt,
      session: session.number,
      range,
      checkpoint,
    };
    await session.check();
    await linkRecord(disk, record, token);
    await addChecksum(disk, record);
    return record;
  } catch (error) {
    await clean(disk, made, from, file);
    throw error;
  }
}

/** Deletes what this writer made, unless its record was linked. */
async function clean(
  disk: ArchiveDisk,
  made: readonly string[],
  from: number,
  file: string,
): Promise<void> {
  try {
    const record = await disk.read(recordName(from));
    if (record?.startsWith(`{"file":"${file}",`) === true) return;
    for (const name of made) await disk.remove(name);
  } catch {
    // The disk fails: what is left are names of this writer's token, which nobody reads.
  }
}

async function linkRecord(disk: ArchiveDisk, record: SegmentRecord, token: string): Promise<void> {
  const name = recordName(record.from);
  const temporary = unfinishedName(`${name}.${token}`);
  await disk.create(temporary, [recordText(record)]);
  try {
    if (!(await disk.link(temporary, name))) {
      throw new ArchiveRefusedError(
        `Another process has sealed the segment at ${record.from}: nothing was lost, start again.`,
      );
    }
    await disk.sync('segments');
  } finally {
    await disk.remove(temporary);
  }
}
