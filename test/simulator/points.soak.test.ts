import { afterAll, expect, test } from '@jest/globals';
import { migrations } from '../../lib/operator/stores/postgres/schema/migrations';
import { type StoreName, walkPoints } from '.';
import { modelOf } from '../servers/in-process/postgres/host';
import { openRedisModel as openHost } from '../servers/in-process/redis/host';

const sql = modelOf(migrations);
afterAll(sql.close);

/** Of the pairs, one of so many is played here; `npm run simulate:points` plays all. */
test.each<[StoreName, number]>([
  ['memory', 10],
  ['ledger', 100],
  ['lua', 200],
])(
  'over %s the scenarios hold with every fault at every point, and with one of %d pairs',
  async (store, pairsOf) => {
    const { failures, scenarios, singles, pairs } = await walkPoints({ store, pairsOf, openHost });
    process.stdout.write(
      `points, ${store}: ${scenarios} scenarios, ${singles} single, ${pairs} pairs\n`,
    );
    expect(failures).toEqual([]);
    expect(scenarios).toBeGreaterThanOrEqual(25);
  },
);

test('over the SQL of PostgreSQL the scenarios hold with one of 12 single faults, and with one of 600 pairs behind those', async () => {
  const walked = await walkPoints({
    store: 'sql',
    singlesOf: 12,
    pairsOf: 600,
    openHost: sql.open,
  });
  const { failures, scenarios, singles, pairs } = walked;
  process.stdout.write(`points, sql: ${scenarios} scenarios, ${singles} single, ${pairs} pairs\n`);
  expect(failures).toEqual([]);
  expect(scenarios).toBeGreaterThanOrEqual(25);
  expect(singles).toBeGreaterThan(300);
  expect(pairs).toBeGreaterThan(10);
});
