import { createRedisStore } from '../lib/operator/stores/redis';
import { commitCall } from '../lib/operator/stores/redis/codec/commit';
import { bucketCount, Keys } from '../lib/operator/stores/redis/codec/keys';
import { scripts } from '../lib/operator/stores/redis/commands/scripts';
import { give, openingOf, real, take } from '../lib/proof/contracts/changes';
import { closeClient } from '../test/servers/redis/client';
import { startRedis } from '../test/servers/redis/server';
import { Redis } from 'ioredis';
import { openInStore } from './contestants/kit-accounts';
import { patience } from '../test/support/patience';
import { operatorId, retentionMs } from './terms';

/** Enough for all buckets. */
const players = Array.from({ length: 4 * bucketCount }, (_, at) => `player-${at}`);
/** Events that wait before the first page, 64 a bucket. */
const waiting = 64 * bucketCount;
const pages = 20;
const warmupPages = 4;
const commitsInWrite = 256;
const consumer = 'archive';
const keys = new Keys('rgs');

/** What a page of 1,000 events costs, in milliseconds of processor time. */
export interface PageCost {
  readonly redis: number;
  readonly here: number;
  /** Scripts of a page, those that acknowledge it too. */
  readonly scripts: number;
}

/** Reads and acknowledges pages of 1,000 events of many that wait in all buckets; resolves to the cost of each page. */
export async function measurePages(): Promise<readonly PageCost[]> {
  const server = await startRedis({ config: { 'auto-aof-rewrite-percentage': 0 } });
  const client = new Redis(server.url);
  const options = { init: true, url: server.url, events: [consumer], ...patience };
  const store = createRedisStore(options);
  try {
    await openInStore(createRedisStore(options), players);
    await store.ready();
    await commitAll(client);
    const costs: PageCost[] = [];
    const before = async () => ({ ...(await scriptsOf(client)), here: process.cpuUsage() });
    let start = await before();
    for await (const page of store.events.read({
      consumer,
      operatorId,
      atMost: 1_000,
    })) {
      if (page.events.length !== 1_000 || !(await page.done()))
        throw new Error('no page of 1,000 events');
      const { user, system } = process.cpuUsage(start.here);
      const { usec, calls } = await scriptsOf(client);
      const redis = (usec - start.usec) / 1_000;
      costs.push({ redis, here: (user + system) / 1_000, scripts: calls - start.calls });
      if (costs.length === warmupPages + pages) break;
      start = await before();
    }
    return costs.slice(warmupPages);
  } finally {
    await store.close();
    closeClient(client);
    await server.stop();
  }
}

async function commitAll(client: Redis): Promise<void> {
  const sha = String(await client.script('LOAD', scripts.commit.source));
  for (let n = 0; n < waiting; ) {
    const pipeline = client.pipeline();
    for (const end = n + commitsInWrite; n < end; n++) {
      const round = { operatorId, playerId: players[n % players.length] ?? '', gameRound: `r${n}` };
      const parts = [take(`d${n}`, 50_000n), give(`c${n}`, real(50_000n))];
      const change = openingOf(parts, { credited: 1 });
      const call = commitCall(keys, round, change, retentionMs, { eventKind: 'event' });
      pipeline.call('EVALSHA', sha, ...scripts.commit.sent(call));
    }
    for (const [error, reply] of (await pipeline.exec()) ?? []) {
      if (!Array.isArray(reply)) throw error ?? new Error(`a commit was answered ${String(reply)}`);
    }
  }
}

/** Scripts that the server was given, and their time with all that they called, in microseconds. */
async function scriptsOf(
  client: Redis,
): Promise<{ readonly usec: number; readonly calls: number }> {
  const stats = String(await client.call('INFO', 'commandstats'));
  const found = [...stats.matchAll(/cmdstat_evalsha(?:_ro)?:calls=(\d+),usec=(\d+)/g)];
  const sum = (at: number): number => found.reduce((all, one) => all + Number(one[at]), 0);
  return { calls: sum(1), usec: sum(2) };
}
