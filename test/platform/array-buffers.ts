import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const maxCollections = 20;

/**
 * Bytes of buffers that are held, once garbage is collected: what is garbage is let go by and by, so it
 * is looked at again until it is as few as expected, or it is clear that it stays.
 */
export async function heldBuffers(expected: number): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let at = 0; ; at++) {
    collect();
    await new Promise(setImmediate);
    const { arrayBuffers } = process.memoryUsage();
    if (arrayBuffers <= expected || at === maxCollections) return arrayBuffers;
  }
}
