import {
  type ArchiveIdentity,
  type LogKey,
  longestIdentity,
  longestKeys,
  longestRecord,
  names,
  parseIdentity,
  parseKeys,
  parseRecord,
  type SegmentRecord,
} from '../format';
import { LogFormatError } from '../tlog';
import type { FolderFiles } from './files';
import { ArchiveUnreadableError } from './unreadable';

/** A folder with an archive. */
export interface OpenedArchive {
  readonly identity: ArchiveIdentity;
  readonly keys: readonly LogKey[];
}

/** Opens an archive to read it. @throws ArchiveUnreadableError if `archive.json` or `keys` is missing or damaged. */
export async function openArchive(files: FolderFiles): Promise<OpenedArchive> {
  const named = async <T>(name: string, most: number, parse: (text: string) => T): Promise<T> => {
    try {
      const text = await files.text(name, most);
      if (text !== null) return parse(text);
    } catch (error) {
      if (!(error instanceof LogFormatError)) throw error;
      throw new ArchiveUnreadableError(`${name}: ${error.message}`, { cause: error });
    }
    throw new ArchiveUnreadableError(`the folder is no archive: it has no ${name}`);
  };
  const identity = await named(names.identityName, longestIdentity, parseIdentity);
  return { identity, keys: await named(names.keysName, longestKeys, parseKeys) };
}

/** The indexes at which records begin, in order. @throws ArchiveUnreadableError */
export async function recordStarts(files: FolderFiles): Promise<number[]> {
  const starts: number[] = [];
  for (const { name } of await files.names(names.segmentsFolder)) {
    const known = names.readName(`${names.segmentsFolder}/${name}`);
    if (known?.kind === 'record') starts.push(known.from);
  }
  return starts.toSorted((one, other) => one - other);
}

/** The record of the segment that begins at this event, or null. @throws LogFormatError if it is damaged. */
export async function readRecord(files: FolderFiles, from: number): Promise<SegmentRecord | null> {
  const text = await files.text(names.recordName(from), longestRecord);
  if (text === null) return null;
  const record = parseRecord(text);
  if (record.from !== from) throw new LogFormatError('the record is of another segment');
  return record;
}

/** The same; null for one that is damaged too: verify names it. */
export async function recordIfWhole(
  files: FolderFiles,
  from: number,
): Promise<SegmentRecord | null> {
  try {
    return await readRecord(files, from);
  } catch (error) {
    if (error instanceof LogFormatError) return null;
    throw error;
  }
}
