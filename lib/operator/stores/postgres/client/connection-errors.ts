import type { PostgresClient, PostgresPool } from './port';

const handled = new WeakSet<PostgresClient>();

/**
 * Handles the errors of every connection from the moment the pool gives it out: the pool removes its own listener
 * there, and the promise of `connect` resolves some steps later. Without it a server that ends in between would end
 * this process too.
 * @returns a function that stops this for connections given out later.
 */
export function handleErrors(pool: PostgresPool): () => void {
  pool.on('acquire', handleErrorsOf);
  return () => void pool.off('acquire', handleErrorsOf);
}

/** The same for one connection: a pool that is not pg's own may not announce them. */
export function handleErrorsOf(client: PostgresClient): void {
  if (handled.has(client)) return;
  handled.add(client);
  client.on('error', leaveToStatement);
}

/** The statement in flight rejects anyway, and the error must not end the process. */
function leaveToStatement(): void {}
