import { type Cluster, Redis } from 'ioredis';

import type { RedisServer } from './server';

/** Runs `work` on a connection of its own that never reconnects; rejects if the server cannot be reached. */
export async function withRedis<T>(
  { clientOptions }: Pick<RedisServer, 'clientOptions'>,
  work: (client: Redis) => Promise<T>,
): Promise<T> {
  const client = new Redis({ ...clientOptions, lazyConnect: true, retryStrategy: null });
  client.on('error', () => undefined); // the rejected promise says the same
  try {
    await client.connect();
    return await work(client);
  } finally {
    closeClient(client);
  }
}

/** Closes a client at once. Unlike a bare `disconnect`, it leaves no timer behind when the connection is gone already. */
export function closeClient(client: Redis | Cluster): void {
  if (client.status === 'end') return;
  const stream = 'stream' in client ? client.stream : undefined;
  client.disconnect();
  // ioredis waits up to two seconds for 'close', even if it has fired: emit it again, and the timer goes.
  if (stream?.destroyed) stream.emit('close');
}
