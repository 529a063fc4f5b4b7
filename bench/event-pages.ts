import { startTotals } from '../lib/operator/reconciliation/totals';
import { systemClock } from '../lib/platform';
import { createRedisStore } from '../lib/operator/stores/redis';
import { commitCall } from '../lib/operator/stores/redis/codec/commit';
import { bucketCount, Keys } from '../lib/operator/stores/redis/codec/keys';
import { scripts } from '../lib/operator/stores/redis/commands/scripts';
import { end, give, openingOf, real, take } from '../lib/proof/contracts/changes';
import { type FullStore, type Totals, totalsConsumer } from '../lib/operator/wallet';
import { closeClient } from '../test/servers/redis/client';
import { startRedis } from '../test/servers/redis/server';
import { Redis } from 'ioredis';
import { openInStore } from './contestants/kit-accounts';
import { until } from '../test/servers/until';
import { patience } from '../test/support/patience';
import { operatorId, retentionMs } from './terms';

/** Enough for all buckets. */
const players = Array.from({ length: 4 * bucketCount }, (_, at) => `player-${at}`);
/** Events that wait before the first page, 64 a bucket. */
const waiting = 64 * bucketCount;
const pages = 20;
/** Another consumer reads these first: one that runs for long does not read by code that is not compiled yet. */
const warmupPages = 50;
const warmup = 'warmup';
const commitsInWrite = 256;
const rarely = { everyMs: 50 };
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
export function measurePages(): Promise<readonly PageCost[]> {
  return withEvents([consumer, warmup], async (store, client) => {
    const costs: PageCost[] = [];
    const before = async () => ({ ...(await workOf(client)), here: process.cpuUsage() });
    let read = 0;
    for await (const page of store.events.read({ consumer: warmup, operatorId, atMost: 1_000 })) {
      await page.done();
      if (++read === warmupPages) break;
    }
    let start = await before();
    for await (const page of store.events.read({ consumer, operatorId, atMost: 1_000 })) {
      if (page.events.length !== 1_000 || !(await page.done()))
        throw new Error('no page of 1,000 events');
      const { user, system } = process.cpuUsage(start.here);
      const { ms, calls } = await workOf(client);
      costs.push({
        redis: ms - start.ms,
        here: (user + system) / 1_000,
        scripts: calls - start.calls,
      });
      if (costs.length === pages) break;
      start = await before();
    }
    return costs;
  });
}

/** What the totals cost an event, and the bytes of memory of what they keep of a round. */
export interface TotalsCost extends Pick<PageCost, 'redis' | 'here'> {
  readonly bytes: number;
}

/** What the totals cost an event of those that wait, in microseconds of processor time: they read, count and acknowledge it. */
export function measureTotals(): Promise<TotalsCost> {
  return withEvents([totalsConsumer], async (store, client) => {
    const { totals: ofStore, ...others } = store;
    let counted = 0;
    // Counted here: a server that is asked how many wait walks the streams.
    async function* batches(request: Parameters<Totals['batches']>[0]) {
      for await (const batch of ofStore.batches(request)) {
        yield batch;
        counted += batch.events.length;
      }
    }
    const measured = { ...others, totals: { ...ofStore, batches } };
    const totals = startTotals({ store: measured, operatorIds: [operatorId] });
    try {
      await until('a third is counted', () => counted > waiting / 3, rarely);
      const [first, start, { ms }] = [counted, process.cpuUsage(), await workOf(client)];
      await until('two thirds are counted', () => counted > (2 * waiting) / 3, rarely);
      const { user, system } = process.cpuUsage(start);
      const events = counted - first;
      const redis = (((await workOf(client)).ms - ms) * 1_000) / events;
      await totals.stop();
      const kept = await client.keys('rgs:{*:totals}:k*');
      const sizes = kept.map((key) => client.call('MEMORY', 'USAGE', key, 'SAMPLES', 0));
      const bytes = (await Promise.all(sizes)).reduce((sum: number, one) => sum + Number(one), 0);
      return { redis, here: (user + system) / events, bytes: bytes / counted };
    } finally {
      await totals.stop();
    }
  });
}

async function withEvents<T>(
  events: readonly string[],
  measure: (store: FullStore, client: Redis) => Promise<T>,
): Promise<T> {
  const server = await startRedis({ config: { 'auto-aof-rewrite-percentage': 0 } });
  const client = new Redis(server.url);
  const options = { init: true, url: server.url, events, ...patience };
  const store = createRedisStore(options);
  try {
    await openInStore(createRedisStore(options), players);
    await store.ready();
    await commitAll(client);
    return await measure(store, client);
  } finally {
    await store.close();
    closeClient(client);
    await server.stop();
  }
}

async function commitAll(client: Redis): Promise<void> {
  const sha = String(await client.script('LOAD', scripts.commit.source));
  // A commit is written in the millisecond in which its records were decided.
  const at = systemClock.now();
  for (let n = 0; n < waiting; ) {
    const pipeline = client.pipeline();
    for (const last = n + commitsInWrite; n < last; n++) {
      const round = { operatorId, playerId: players[n % players.length] ?? '', gameRound: `r${n}` };
      const parts = [take(`d${n}`, 50_000n), give(`c${n}`, real(50_000n)), end(`e${n}`)];
      const change = openingOf(parts, { state: 'closed', credited: 1, ended: 1 });
      const records = change.records.map((one) => ({ ...one, record: { ...one.record, at } }));
      const call = commitCall(keys, round, { ...change, records }, retentionMs, {
        eventKind: 'event',
        at,
      });
      pipeline.call('EVALSHA', sha, ...scripts.commit.sent(call));
    }
    for (const [error, reply] of (await pipeline.exec()) ?? []) {
      if (!Array.isArray(reply)) throw error ?? new Error(`a commit was answered ${String(reply)}`);
    }
  }
}

/** Processor time of the server's thread of commands, in milliseconds, and how many scripts it was given. */
async function workOf(client: Redis): Promise<{ readonly ms: number; readonly calls: number }> {
  const cpu = String(await client.call('INFO', 'cpu'));
  const seconds = [...cpu.matchAll(/used_cpu_(?:user|sys)_main_thread:([\d.]+)/g)];
  if (seconds.length !== 2) throw new Error('Redis does not say its processor time');
  const stats = String(await client.call('INFO', 'commandstats'));
  const given = [...stats.matchAll(/cmdstat_evalsha(?:_ro)?:calls=(\d+)/g)];
  return {
    ms: seconds.reduce((sum, [, one]) => sum + Number(one) * 1_000, 0),
    calls: given.reduce((sum, [, one]) => sum + Number(one), 0),
  };
}
