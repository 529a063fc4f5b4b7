import { names, parseRecord, type SegmentRecord } from '../format';
import { Frontier, LogFormatError, parseCheckpoint } from '../tlog';
import type { ArchiveDisk } from './disk';
import { ArchiveRefusedError } from './refused';

/** What is sealed: the records in order, and the log at their end. */
export interface Sealed {
  readonly records: readonly SegmentRecord[];
  readonly log: Frontier;
}

/** Reads the records of all segments. @throws ArchiveRefusedError if one is missing or damaged. */
export async function readSealed(disk: ArchiveDisk): Promise<Sealed> {
  const starts = (await disk.list(names.segmentsFolder)).flatMap((name) => {
    const known = names.readName(`${names.segmentsFolder}/${name}`);
    return known?.kind === 'record' ? [known.from] : [];
  });
  const log = new Frontier();
  const records: SegmentRecord[] = [];
  for (const from of starts.toSorted((one, other) => one - other)) {
    const name = names.recordName(from);
    if (from !== log.size) throw damaged(name, `no record begins at ${log.size}`);
    const { record, checkpoint } = parsed(name, (await disk.read(name)) ?? '');
    if (record.from !== from) throw damaged(name, 'it is of another segment');
    for (const subtree of record.range) log.add(subtree);
    const { size, root } = checkpoint;
    if (size !== log.size || !root.equals(log.root())) {
      throw damaged(name, 'its checkpoint is not that of its range');
    }
    records.push(record);
  }
  return { records, log };
}

function parsed(name: string, text: string) {
  try {
    const record: SegmentRecord = parseRecord(text);
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
