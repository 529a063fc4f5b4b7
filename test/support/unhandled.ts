import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs work, and gathers the rejections that nobody handles meanwhile: each would end the process. */
export async function unhandledIn(work: () => unknown): Promise<unknown[]> {
  const seen: unknown[] = [];
  const note = (reason: unknown): void => void seen.push(reason);
  process.on('unhandledRejection', note);
  try {
    await work();
    for (let turns = 0; turns < 3; turns++) await nextTurn();
  } finally {
    process.off('unhandledRejection', note);
  }
  return seen;
}
