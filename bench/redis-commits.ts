import type { Redis } from 'ioredis';

/** As many as leave the store in one write. */
const commitsInWrite = 16;

/** Sends commits as a store does, many in one write. @throws Error if one was not written */
export async function sendCommits(
  client: Redis,
  commits: readonly (readonly (string | number)[])[],
) {
  for (let at = 0; at < commits.length; at += commitsInWrite) {
    const pipeline = client.pipeline();
    for (const commit of commits.slice(at, at + commitsInWrite))
      pipeline.call('EVALSHA', ...commit);
    for (const [error, reply] of (await pipeline.exec()) ?? []) {
      if (!Array.isArray(reply)) throw error ?? new Error(`a commit was answered ${String(reply)}`);
    }
  }
}
