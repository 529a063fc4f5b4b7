import type { PostgresClient, PostgresPool } from './port';

const heard = new WeakSet<PostgresClient>();

/**
 * Hears the errors of every connection that the pool gives out, from the moment it does: the pool stops to
 * listen there, and the promise of `connect` resolves some steps later. A server that ends in between would
 * end this process too.
 * @returns what ends it; connections that were given out stay heard.
 */
export function hearErrors(pool: PostgresPool): () => void {
  pool.on('acquire', hearErrorsOf);
  return () => void pool.off('acquire', hearErrorsOf);
}

/** The same for one connection: a pool that is not pg's own may not announce them. */
export function hearErrorsOf(client: PostgresClient): void {
  if (heard.has(client)) return;
  heard.add(client);
  client.on('error', leaveToStatement);
}

/** The statement in flight rejects anyway, and the error must not end the process. */
function leaveToStatement(): void {}
