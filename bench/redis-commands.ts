import { closeClient } from '../test/servers/redis/client';
import { Redis } from 'ioredis';

/** Counts the commands that a Redis is given, its own question left out. */
export class RedisCommands {
  private constructor(private readonly client: Redis) {}

  /** Connects; what that takes is over before the first count. */
  static async open(url: string): Promise<RedisCommands> {
    const client = new Redis(url, { lazyConnect: true, retryStrategy: null });
    client.on('error', () => undefined); // the rejected promise says the same
    await client.connect();
    return new RedisCommands(client);
  }

  /** Since the server was started; those within a script too. */
  async count(): Promise<number> {
    const stats = String(await this.client.call('INFO', 'commandstats'));
    return [...stats.matchAll(/cmdstat_([^:]+):calls=(\d+)/g)]
      .filter(([, name]) => name !== 'info')
      .reduce((sum, [, , calls]) => sum + Number(calls), 0);
  }

  close(): void {
    closeClient(this.client);
  }
}
