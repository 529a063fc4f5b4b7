import { names, parseRecord, type SegmentRecord } from '../format';
import { type Checkpoint, Frontier, LogFormatError, parseCheckpoint } from '../tlog';
import type { ArchiveDisk } from './disk';
import { ArchiveRefusedError } from './refused';

/**
 * The records of all segments in order, one in memory at a time: a log gets thousands a year.
 * @param log Grows with them: after the last one it is the log that is sealed.
 * @throws ArchiveRefusedError if one is missing or damaged.
 */
export async function* sealedRecords(
  disk: ArchiveDisk,
  log = new Frontier(),
): AsyncGenerator<SegmentRecord> {
  for (const from of await recordStarts(disk)) {
    const name = names.recordName(from);
    if (from !== log.size) throw damaged(name, `no record begins at ${log.size}`);
    const { record, checkpoint } = await readRecord(disk, from);
    for (const subtree of record.range) log.add(subtree);
    const { size, root } = checkpoint;
    if (size !== log.size || !root.equals(log.root())) {
      throw damaged(name, 'its checkpoint is not that of its range');
    }
    yield record;
  }
}

/** The root of the log at the end of a segment, by its record; null where none ends. @throws ArchiveRefusedError */
export async function sealedRoot(disk: ArchiveDisk, size: number): Promise<Buffer | null> {
  if (size === 0) return new Frontier().root();
  const from = (await recordStarts(disk)).findLast((start) => start < size);
  if (from === undefined) return null;
  const { checkpoint } = await readRecord(disk, from);
  return checkpoint.size === size ? checkpoint.root : null;
}

/** The indexes at which records begin, in order. */
async function recordStarts(disk: ArchiveDisk): Promise<number[]> {
  const starts = (await disk.list(names.segmentsFolder)).flatMap((name) => {
    const known = names.readName(`${names.segmentsFolder}/${name}`);
    return known?.kind === 'record' ? [known.from] : [];
  });
  return starts.toSorted((one, other) => one - other);
}

async function readRecord(
  disk: ArchiveDisk,
  from: number,
): Promise<{ readonly record: SegmentRecord; readonly checkpoint: Checkpoint }> {
  const name = names.recordName(from);
  const text = (await disk.read(name)) ?? '';
  try {
    const record: SegmentRecord = parseRecord(text);
    if (record.from !== from) throw damaged(name, 'it is of another segment');
    return { record, checkpoint: parseCheckpoint(record.checkpoint) };
  } catch (error) {
    if (error instanceof LogFormatError) throw damaged(name, error.message);
    throw error;
  }
}

/** Nothing is written into a folder that is damaged: its next checkpoint would be of another log. */
export function damaged(file: string, why: string): ArchiveRefusedError {
  return new ArchiveRefusedError(
    `${file} is damaged: ${why}. Run archive verify, and restore the folder from its copy.`,
  );
}
