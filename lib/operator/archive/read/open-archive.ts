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
  splitCheckpoints,
} from '../format';
import { LogFormatError, longestNote, parseCheckpoint, signersOf } from '../tlog';
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

/**
 * The size at which the log was signed last, by the end of `checkpoints`; 0 without any. Ask before the events are read:
 * if there are fewer of them, some were lost. @throws ArchiveUnreadableError
 */
export async function signedSize(
  files: FolderFiles,
  { identity: { origin }, keys }: OpenedArchive,
): Promise<number> {
  try {
    const text = (await files.end(names.checkpointsName, 4 * longestNote))?.toString() ?? '';
    // Behind an empty line is a signature, or the next checkpoint.
    const start = text.startsWith(`${origin}\n`) ? 0 : text.indexOf(`\n\n${origin}\n`) + 2;
    let most = 0;
    for (const { note } of start === 1 ? [] : splitCheckpoints(text.slice(start))) {
      const checkpoint = parseCheckpoint(note);
      if (checkpoint.size > most && signersOf(checkpoint, keys).length > 0) most = checkpoint.size;
    }
    return most;
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    throw new ArchiveUnreadableError(`${names.checkpointsName}: ${error.message}`, {
      cause: error,
    });
  }
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
