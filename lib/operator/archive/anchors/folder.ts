import { CheckpointFile } from '../writer/checkpoints';
import { diskAt } from '../writer/disk';
import { isConsistent } from '../tlog';
import { type Anchor, ContradictedError } from './anchor';

/**
 * A folder, in which checkpoints are appended: another mount, or one that another user owns. It takes none of a log that does
 * not continue the longest that it has: of an older copy of the archive, or of one with fewer keys.
 */
export function folderAnchor(folder: string): Anchor {
  return {
    name: folder,
    anchor: async (head, log) => {
      const { size, note } = head;
      const file = await CheckpointFile.open(diskAt(folder), log.origin, log.keys);
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
      return '';
    },
  };
}
