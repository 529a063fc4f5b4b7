import { realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { longestIdentity, names, parseIdentity } from '../../operator/archive/format';
import { FolderFiles } from '../../operator/archive/read/files';
import { readNotes } from '../../operator/archive/read/heads';
import { sessionNumbers } from '../../operator/archive/read/session';
import { ArchiveUnreadableError } from '../../operator/archive/read/unreadable';
import { LogFormatError, parseCheckpoint } from '../../operator/archive/tlog';
import { isFormat1 } from '../../operator/archive/writer/identity';
import { CommandFailure } from '../terminal/failure';

/** What a folder is used for. */
type Use = 'an archive' | 'an anchor' | 'the state of a witness';

const uses: readonly Use[] = ['an archive', 'an anchor', 'the state of a witness'];

/**
 * A log has a folder for itself: another one within it would be strange files to `verify`, and would be copied, restored
 * and deleted with it.
 * @throws CommandFailure if the path leads into a folder that is used so.
 */
export async function refuseWithin(
  flag: string,
  path: string,
  refused: readonly Use[] = uses,
): Promise<void> {
  const place = realPlace(path);
  for (let folder = dirname(place); ; folder = dirname(folder)) {
    const use = await useOf(new FolderFiles(folder));
    if (use !== null && refused.includes(use)) {
      throw new CommandFailure(
        `--${flag} is within ${folder}, which is ${use}: name a folder outside of it.`,
      );
    }
    if (dirname(folder) === folder) return;
  }
}

/** Whether one of two paths leads to a folder within the other. */
export function areNested(one: string, other: string): boolean {
  const [place, second] = [realPlace(one), realPlace(other)].map((path) => join(path, sep));
  return place?.startsWith(second ?? '') === true || second?.startsWith(place ?? '') === true;
}

/** Where a path leads, also one that does not exist yet: what exists of it without links. */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const parent = dirname(path);
    if (parent === path) throw error;
    return join(realPlace(parent), basename(path));
  }
}

async function useOf(files: FolderFiles): Promise<Use | null> {
  if (await has(() => isArchive(files))) return 'an archive';
  if (await has(() => hasCheckpoint(files))) return 'an anchor';
  const isState = await has(async () => (await sessionNumbers(files)).length > 0);
  return isState ? 'the state of a witness' : null;
}

/** False for what cannot be read: it is no file that a log has. */
async function has(look: () => Promise<boolean>): Promise<boolean> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof LogFormatError || error instanceof ArchiveUnreadableError) return false;
    throw error;
  }
}

async function isArchive(files: FolderFiles): Promise<boolean> {
  const text = await files.text(names.identityName, longestIdentity);
  return text !== null && (isFormat1(text) || parseIdentity(text) !== null);
}

async function hasCheckpoint(files: FolderFiles): Promise<boolean> {
  for await (const { note } of (await readNotes(files, names.checkpointsName)) ?? []) {
    return parseCheckpoint(note) !== null;
  }
  return false;
}
