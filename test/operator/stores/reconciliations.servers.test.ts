import { describe, expect, test } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type {
  KeptReconciliation,
  Reconciliations,
  WalletStore,
} from '../../../lib/operator/wallet';
import { createMemoryLedger } from '../../../lib/proof';
import { startPostgres } from '../../servers/postgres/server';
import { startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../support/each-test';

const cleanup = cleanupAfterEach();
const postgres = serverOfFile(startPostgres);
const redis = serverOfFile(startRedis);
let opened = 0;

type Open = () => WalletStore & { readonly reconciliations: Reconciliations };

/** Opens the same data as often as it is called; a memory store and what is over it are the data. */
async function dataOf(name: string): Promise<Open> {
  if (name === 'Redis') {
    const namespace = `kept-${(opened += 1)}`;
    const options = { ...patience, url: redis().url, namespace, init: true } as const;
    return () => createRedisStore(options);
  }
  if (name === 'PostgreSQL') {
    const url = await postgres().createDatabase();
    return () => createPostgresStore({ ...patience, url, init: true });
  }
  const journal = createMemoryStore();
  if (name === 'memory') return () => journal;
  const store = createLedgerStore({ journal, ledger: createMemoryLedger() });
  return () => store;
}

async function ready(open: Open): Promise<Reconciliations> {
  const store = cleanup.after(open());
  await store.ready();
  return store.reconciliations;
}

const at = Date.parse('2026-11-24T03:00:00Z');
const entry = {
  operatorId: 'acme',
  day: '2026-11-23',
  source: 'statistics',
  at,
  text: '{}',
} as const;
const all = { days: 400 };

/** A day that would be deleted at once, one ahead, two that are none; and so on. */
const wrongEntries = [
  { day: '2025-10-19' },
  { day: '2026-11-26' },
  { day: '2026-02-30' },
  { day: '2026-11-23T00:00:00Z' },
  { source: 'x' },
  { text: '{' },
  { text: JSON.stringify('ä'.repeat(32_768)) },
  { text: undefined },
  { at: Number.NaN },
  { operatorId: '#' },
];

function named(entries: readonly KeptReconciliation[]): string[] {
  return entries.map(({ day, source, text }) => `${day} ${source} ${text}`);
}

describe.each(['memory', 'Redis', 'PostgreSQL', 'ledger'])('%s', (name) => {
  test('an entry is kept as it is, by operator, for every process', async () => {
    const open = await dataOf(name);
    const first = await ready(open);
    const text = JSON.stringify({ round: `'"\\ \u0000 😀 ${'x'.repeat(65_000)}` });
    await first.save({ ...entry, text });
    await first.save({ ...entry, operatorId: 'a:{b} c', text: '"other"' });
    const second = await ready(open);
    const { operatorId, ...kept } = entry;
    expect(await second.list(operatorId, all)).toEqual([{ ...kept, text }]);
    expect(named(await second.list('a:{b} c', all))).toEqual(['2026-11-23 statistics "other"']);
    expect(await second.list('nobody', all)).toEqual([]);
  });

  test('a later entry of a day replaces that of the same source alone', async () => {
    const kept = await ready(await dataOf(name));
    await kept.save(entry);
    await kept.save({ ...entry, source: 'export', text: '1' });
    await kept.save({ ...entry, at: at + 1, text: '2' });
    expect(await kept.list('acme', all)).toEqual([
      { day: entry.day, source: 'export', at, text: '1' },
      { day: entry.day, source: 'statistics', at: at + 1, text: '2' },
    ]);
  });

  test('the newest days are listed, the newest first, whatever day was saved last', async () => {
    const kept = await ready(await dataOf(name));
    for (const day of ['2026-11-21', '2026-11-23', '2026-10-30', '2026-11-22']) {
      await kept.save({ ...entry, day, text: '1' });
    }
    await kept.save({ ...entry, day: '2026-11-22', source: 'export', text: '2' });
    const newest = ['2026-11-23 statistics 1', '2026-11-22 export 2', '2026-11-22 statistics 1'];
    expect(named(await kept.list('acme', { days: 2 }))).toEqual(newest);
    expect(named(await kept.list('acme', { days: 1 }))).toEqual(newest.slice(0, 1));
    const others = ['2026-11-21 statistics 1', '2026-10-30 statistics 1'];
    expect(named(await kept.list('acme', { days: 31 }))).toEqual([...newest, ...others]);
  });

  test('a save deletes days of more than 400 days before it, of its operator alone', async () => {
    const kept = await ready(await dataOf(name));
    const before = { ...entry, at: Date.parse('2025-10-21T03:00:00Z'), text: '1' };
    for (const day of ['2025-10-19', '2025-10-20', '2025-10-21']) {
      await kept.save({ ...before, day });
      await kept.save({ ...before, day, operatorId: 'other' });
    }
    await kept.save({ ...entry, text: '2' });
    expect(named(await kept.list('acme', all))).toEqual([
      '2026-11-23 statistics 2',
      '2025-10-21 statistics 1',
      '2025-10-20 statistics 1',
    ]);
    expect(await kept.list('other', all)).toHaveLength(3);
  });

  test('what is no entry, or no number of days, is refused by its name, and nothing is kept', async () => {
    const kept = await ready(await dataOf(name));
    for (const wrong of wrongEntries) {
      const save = kept.save({ ...entry, ...wrong } as typeof entry);
      const [member = ''] = Object.keys(wrong);
      await expect(save).rejects.toThrow(new RegExp(`^${member} must be `));
    }
    for (const days of [0, 401, 1.5, '7']) {
      await expect(kept.list('acme', { days: days as number })).rejects.toThrow(TypeError);
    }
    expect(await kept.list('acme', all)).toEqual([]);
  });
});
