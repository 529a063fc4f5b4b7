import { statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

const inMemory = '/dev/shm';
const gibibyte = 2 ** 30;

/**
 * The folder under which test servers keep their data: memory where there is plenty, for a commit waits for
 * the disk, and tests make hundreds of thousands. A server that is killed loses nothing there, as on a disk;
 * what a machine loses when the power fails no test could show. TEST_DATA names another folder.
 */
export function choosePlace(): string {
  const { TEST_DATA = '' } = process.env;
  if (TEST_DATA !== '') return TEST_DATA;
  return hasPlenty() ? inMemory : tmpdir();
}

function hasPlenty(): boolean {
  if (freemem() < 8 * gibibyte) return false;
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= 4 * gibibyte;
  } catch {
    return false; // not every system has it
  }
}
