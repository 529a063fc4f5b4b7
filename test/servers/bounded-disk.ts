import { execFile } from 'node:child_process';
import { chmod, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

import { temporaryFolder } from './reaper';

const run = promisify(execFile);
/** Far more than a test writes; only what is written takes memory. */
const ROOM = '4g';

/** A file system of its own, which can be made full: writes then fail with ENOSPC, as on a full disk. */
export interface BoundedDisk {
  readonly folder: string;
  /** Leaves no room beyond what is written already. */
  fill(): Promise<void>;
  /** Makes room again. */
  free(): Promise<void>;
  /** Takes it away, with all that is on it. */
  remove(): Promise<void>;
}

/** Mounts a file system in memory. Needs root, and Linux: rejects with one line that says so. */
export async function mountDisk(): Promise<BoundedDisk> {
  const folder = await temporaryFolder('disk');
  await chmod(dirname(folder), 0o711); // a server of another account has to reach it
  const mount = async (...options: string[]): Promise<void> => {
    await run('mount', ['-t', 'tmpfs', '-o', options.join(','), 'tmpfs', folder]);
  };
  try {
    await mount(`size=${ROOM}`, 'mode=0711');
  } catch (error) {
    await rm(folder, { recursive: true });
    throw new Error('a disk that can be full needs root, to mount a file system in memory', {
      cause: error,
    });
  }
  return {
    folder,
    async fill() {
      // What is written meanwhile makes the size too small, which is refused.
      for (let attempt = 1; ; attempt += 1) {
        const { blocks, bfree } = await statfs(folder);
        try {
          await mount('remount', `nr_blocks=${blocks - bfree}`);
          return;
        } catch (error) {
          if (attempt === 100) throw error;
        }
      }
    },
    free: () => mount('remount', `size=${ROOM}`),
    async remove() {
      await run('umount', ['-l', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
