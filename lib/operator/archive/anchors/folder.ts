import { CheckpointFile } from '../writer/checkpoints';
import { type ArchiveDisk, codeOf, diskAt } from '../writer/disk';
import type { SignedHead } from '../writer/log-writer';
import { isConsistent } from '../tlog';
import { type Anchor, type AnchoredLog, ContradictedError, StorageRefusedError } from './anchor';

/** Codes of storage that takes nothing more: a file that is append-only, immutable or another user's, a mount that is read-only. */
const keptCodes = ['EPERM', 'EROFS', 'EACCES'];

/**
 * A folder, in which checkpoints are appended: another mount, or one that another user owns. It takes none of a log that does
 * not continue the longest that it has: of an older copy of the archive, or of one with fewer keys.
 */
export function folderAnchor(folder: string): Anchor {
  return anchorOn(diskAt(folder), folder);
}

/** The same on a disk, by this name. */
export function anchorOn(disk: ArchiveDisk, name: string): Anchor {
  return {
    name,
    anchor: async (head, log) => {
      try {
        await append(disk, head, log);
        return '';
      } catch (error) {
        if (!keptCodes.includes(codeOf(error))) throw error;
        throw new StorageRefusedError((error as Error).message, { cause: error });
      }
    },
  };
}

async function append(disk: ArchiveDisk, head: SignedHead, log: AnchoredLog): Promise<void> {
  const { size, note } = head;
  const file = await CheckpointFile.open(disk, log.origin, log.keys);
  const { latest, strange } = file;
  if (strange !== null && strange.size > (latest?.size ?? 0)) {
    throw new ContradictedError(
      `it has a checkpoint of ${strange.size} events which no key of this log has signed`,
    );
  }
  if (latest !== null) {
    const proof = latest.size < size ? await log.prove(latest.size, head) : [];
    if (!isConsistent(latest, head, proof)) {
      throw new ContradictedError(
        `it has a checkpoint of ${latest.size} events which this log of ${size} does not have`,
      );
    }
  }
  if (latest?.size !== size) await file.add(note);
}
