import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { until } from './until';

/**
 * Runs `work` while this process alone holds the lock file. A lock whose owner is dead is taken over.
 * Waits up to `timeoutMs` for another process's work.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  timeoutMs = 180_000,
): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  await until(`the lock ${path}`, () => tryLock(path), { timeoutMs, everyMs: 100 });
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function tryLock(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const owner = Number(await readFile(path, 'utf8'));
    // An empty file is a lock whose owner has yet to write its id.
    if (owner > 0 && !isAlive(owner)) await rm(path, { force: true });
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
