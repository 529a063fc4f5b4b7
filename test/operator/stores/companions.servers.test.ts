import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore, type RedisStoreOptions } from '../../../lib/operator/stores/redis';
import { Keys } from '../../../lib/operator/stores/redis/codec/keys';
import type { FullStore } from '../../../lib/operator/wallet';
import { Cleanup } from '../../servers/cleanup';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { closeClient } from '../../servers/redis/client';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { LeapingClock } from '../../support/leaping-clock';
import { patience } from '../../support/patience';
import { until } from '../../servers/until';

type Options = Pick<
  RedisStoreOptions,
  'retentionMs' | 'events' | 'acceptMixed' | 'serves' | 'logger' | 'clock'
>;
type Store = FullStore;

const DAY_MS = 24 * 3600 * 1000;
const cleanup = new Cleanup();
let redis: RedisServer;
let postgres: PostgresServer;
let places = 0;

beforeAll(async () => {
  redis = cleanup.after(await startRedis());
  postgres = cleanup.after(await startPostgres());
});

afterAll(() => cleanup.run());

/** Opens stores of one new place, as one process each. */
type Place = (options?: Options) => Store;

const stores: Readonly<Record<string, () => Promise<Place>>> = {
  Redis: async () => {
    const namespace = `place-${places++}`;
    const at = { ...patience, url: redis.url, namespace, init: true };
    return (options) => opened(createRedisStore({ ...at, ...options }));
  },
  PostgreSQL: async () => {
    const at = { ...patience, url: await postgres.createDatabase(), migrate: true, init: true };
    return (options) => opened(createPostgresStore({ ...at, ...options }));
  },
};

function opened(store: Store): Store {
  return cleanup.after(store);
}

/** A logger that keeps the texts of warnings and errors. */
function keptLog() {
  const texts: string[] = [];
  const keep = (fields: object, text: string): void => {
    texts.push(`${text} ${JSON.stringify(fields)}`);
  };
  return { texts, logger: { info: () => undefined, warn: keep, error: keep } };
}

test('a process that ends while it starts leaves no note in Redis', async () => {
  const client = cleanup.after(new Redis(redis.url), closeClient);
  const namespace = `place-${places++}`;
  const at = { ...patience, namespace, init: true };
  const store = opened(createRedisStore({ ...at, client }));
  const send = client.call.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const closing: Promise<void>[] = [];
  client.call = (...args: unknown[]) => {
    const isNote = args.some((arg) => String(arg).startsWith('serving '));
    if (isNote && closing.length === 0) {
      closing.push(Promise.resolve().then(() => store.close()));
    }
    return send(...args);
  };
  await store.ready().catch(() => {}); // it may still become ready, or not
  await Promise.all(closing);
  const names = await client.hkeys(new Keys(namespace).settings());
  expect(closing).not.toEqual([]);
  expect(names.filter((name) => name.startsWith('serving '))).toEqual([]);
});

describe.each(['Redis', 'PostgreSQL'])('processes over one store in %s', (name) => {
  async function place(): Promise<Place> {
    return (stores[name] as () => Promise<Place>)();
  }

  test('must keep closed rounds for the same time: one that starts beside another is refused (D10.1)', async () => {
    const open = await place();
    const first = open();
    await first.ready();
    const other = open({ retentionMs: 7 * DAY_MS });
    await expect(other.ready()).rejects.toMatchObject({
      code: 'STOREUNSAFE',
      message: expect.stringMatching(
        /has retentionMs 2592000000, this one 604800000: .*--accept-mixed/,
      ),
    });
    await expect(other.ready()).rejects.toMatchObject({ code: 'STOREUNSAFE' });
    await open().ready();
    await first.ready();
  });

  test('may differ with acceptMixed, which says so; and the next one is refused beside either', async () => {
    const open = await place();
    await open().ready();
    const { texts, logger } = keptLog();
    await open({ retentionMs: 7 * DAY_MS, acceptMixed: true, logger }).ready();
    expect(texts.filter((text) => text.includes('closed rounds'))).toEqual([
      expect.stringContaining('for different times {"retentionMs":604800000,"others":[2592000000]'),
    ]);
    await expect(open().ready()).rejects.toThrow('has retentionMs 604800000');
  });

  test('are looked at when one starts, and no more: one that runs goes on, and says so once', async () => {
    const open = await place();
    const clock = new LeapingClock();
    const { texts, logger } = keptLog();
    const first = open({ logger, clock });
    await first.ready();
    await open({ retentionMs: 7 * DAY_MS, acceptMixed: true }).ready();
    clock.leap(30_000);
    await until('the line', () => texts.find((text) => text.includes('for different times')));
    await first.ready();
  });

  test('that ended, or do not serve, count no more', async () => {
    const open = await place();
    const first = open();
    await first.ready();
    const report = open({ retentionMs: 7 * DAY_MS, serves: false });
    await report.ready();
    await first.close();
    await open({ retentionMs: 7 * DAY_MS }).ready();
  });

  test('must all write events where consumers are declared: one without names is refused when it starts', async () => {
    const open = await place();
    const { texts, logger } = keptLog();
    const early = open({ logger });
    await early.ready();
    await open({ events: ['bridge'] }).ready();
    await expect(open().ready()).rejects.toMatchObject({
      code: 'STOREUNSAFE',
      message: expect.stringMatching(/declared \(bridge\).*--events NAME.*--accept-mixed/),
    });
    await early.ready();
    await open({ acceptMixed: true, logger }).ready();
    await open({ serves: false, logger }).ready();
    const written = texts.filter((text) => text.includes('write no event'));
    expect(written).toHaveLength(3);
  });
});
