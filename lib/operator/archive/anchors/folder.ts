import { CheckpointFile } from '../writer/checkpoints';
import { diskAt } from '../writer/disk';
import { type Anchor, ContradictedError } from './anchor';

/** A folder, in which checkpoints are appended: another mount, or one that another user owns. */
export function folderAnchor(folder: string): Anchor {
  return {
    name: folder,
    anchor: async ({ size, root, note }, { origin, keys }) => {
      const file = await CheckpointFile.open(diskAt(folder), origin, keys);
      const { latest } = file;
      if (
        latest !== null &&
        (latest.size > size || (latest.size === size && !latest.root.equals(root)))
      ) {
        throw new ContradictedError(
          `it has a checkpoint of ${latest.size} events which this log of ${size} does not have`,
        );
      }
      if (latest?.size !== size) await file.add(note);
      return '';
    },
  };
}
