import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';

import { closeClient, withRedis } from './client';
import type { RedisServer } from './server';

/** What reached a server. */
export interface CommandsSeen {
  /** The scripts that clients had run. */
  readonly trips: readonly string[];
  /** The commands that scripts called, in lower case, with their arguments. */
  readonly inner: readonly (readonly string[])[];
}

/** What reaches Redis during the work. */
export async function commandsSeen(
  server: RedisServer,
  work: () => Promise<unknown>,
): Promise<CommandsSeen> {
  const trips: string[] = [];
  const inner: string[][] = [];
  const opener = new Redis(server.clientOptions);
  const monitor = await opener.monitor();
  closeClient(opener);
  const marker = randomUUID();
  const ended = new Promise<void>((resolve) => {
    monitor.on('monitor', (_: string, [command = '', ...args]: string[], source: string) => {
      if (args.includes(marker)) resolve();
      else if (source === 'lua') inner.push([command.toLowerCase(), ...args]);
      else if (command === 'evalsha') trips.push(command);
    });
  });
  try {
    await work();
    await withRedis(server, (admin) => admin.echo(marker));
    await ended;
  } finally {
    closeClient(monitor);
  }
  return { trips, inner };
}
