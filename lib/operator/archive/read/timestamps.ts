import { names } from '../format';
import { imprintOf } from '../timestamp/query';
import { longestReply, readTimestampReply } from '../timestamp/reply';
import { LogFormatError } from '../tlog';
import type { FolderFiles } from './files';
import { readNotes } from './heads';

/** The reply of a time authority that the folder has; or what is wrong with the file. */
export type KeptTimestamp = { readonly size: number; readonly file: string } & (
  | { readonly content: Buffer; readonly imprint: Buffer }
  | { readonly fault: string }
);

/** The replies of time authorities, in order of size. @throws ArchiveUnreadableError */
export async function* keptTimestamps(files: FolderFiles): AsyncGenerator<KeptTimestamp> {
  for (const size of await timestampSizes(files)) {
    const file = names.timestampName(size);
    try {
      const content = await files.bytes(file, longestReply);
      if (content !== null) yield { size, file, content, ...readTimestampReply(content) };
    } catch (error) {
      if (!(error instanceof LogFormatError)) throw error;
      yield { size, file, fault: error.message };
    }
  }
}

async function timestampSizes(files: FolderFiles): Promise<number[]> {
  const found = await files.names(names.timestampsFolder);
  return found
    .flatMap(({ name }) => {
      const known = names.readName(`${names.timestampsFolder}/${name}`);
      return known?.kind === 'timestamp' ? [known.size] : [];
    })
    .toSorted((one, other) => one - other);
}

/**
 * The checkpoints with one of these imprints, by imprint in hexadecimal. Read the replies first: a checkpoint is written
 * down before it is stamped. @throws LogFormatError if the file is damaged; ArchiveUnreadableError.
 */
export async function stampedNotes(
  files: FolderFiles,
  imprints: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (imprints.size === 0) return found;
  for await (const { note } of (await readNotes(files, names.checkpointsName)) ?? []) {
    const imprint = imprintOf(note).toString('hex');
    if (imprints.has(imprint)) found.set(imprint, note);
  }
  return found;
}
