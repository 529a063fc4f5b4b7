import { expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { Past, type PastReader } from '../../../lib/operator/stores/lists/past-money';
import type { NumberedRound } from '../../../lib/operator/stores/lists/rounds-walk';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createOwnTablesStore, createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { PastWindows } from '../../../lib/operator/wallet/limits/past';
import { systemClock } from '../../../lib/platform';
import { createMemoryLedger } from '../../../lib/proof';

const dayMs = 86_400_000;
const noon = Date.UTC(2026, 10, 25, 12);
const player = { operatorId: 'op', playerId: 'p' };
const past = { limitsFrom: 'history', retentionMs: 32 * dayMs } as const;

test('limitsFrom is refused by a store that has no rounds to read, and for a shorter retention than a month', () => {
  const wrong = { ...past, limitsFrom: 'rounds' } as unknown as typeof past;
  expect(() => createMemoryStore(wrong)).toThrow(/^limitsFrom must be 'history'/);
  for (const retentionMs of [31 * dayMs, undefined]) {
    const options = { limitsFrom: 'history', ...(retentionMs && { retentionMs }) } as const;
    expect(() => createMemoryStore(options)).toThrow(/needs retentionMs of at least 2764800000/);
    const stored = { pool: new Pool(), ...options };
    expect(() => createPostgresStore(stored)).toThrow(/needs retentionMs of at least 2764800000/);
  }
  const url = 'redis://127.0.0.1:1';
  expect(() => createRedisStore({ url, ...past })).toThrow(/needs the option history/);
  const own = { pool: new Pool(), ...past };
  expect(() => createOwnTablesStore(own)).toThrow(
    /limitsFrom is not available for your own tables/,
  );
  const over = { journal: createMemoryStore(past), ledger: createMemoryLedger() };
  expect(() => createLedgerStore(over)).toThrow(/limitsFrom is not available over a ledger/);
});

test('a window with more than 10,000 deposits is refused, and a shorter one is set', async () => {
  let now = noon - dayMs;
  const clock = { ...systemClock, now: () => now };
  const store = createMemoryStore({ ...past, clock });
  await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '0' } });
  const deposit = { ...player, currency: 'EUR', amount: { units: 1n } };
  for (let at = 0; at < 10_001; at += 1)
    await store.players.deposit({ ...deposit, reference: `r${at}` });
  now = noon;
  await store.players.deposit({ ...deposit, reference: 'today' });
  const order = { kind: 'deposit', currency: 'EUR', amount: { units: 50n } } as const;
  const week = await store.players.setLimit(player, { ...order, window: 'week' });
  expect(week).toEqual({ kind: 'refused', reason: 'historyTooLong' });
  expect(await store.players.setLimit(player, { ...order, window: 'day' })).toEqual({
    kind: 'done',
  });
  const found = await store.players.limits(player);
  expect(found).toMatchObject({
    limits: [{ window: 'day', used: 1n }],
    changes: [{ window: 'day' }],
  });
});

/** The windows of a limit of stakes a day. */
const wanted: PastWindows = {
  group: { kind: 'stake', currency: 'EUR', zone: 'UTC', counts: 'real', since: noon, counters: [] },
  windows: [{ place: 0, number: 20261125 }],
  from: noon - dayMs / 2,
};

/** Reads closed rounds of one unit each, so many of today before as many of a year ago. */
function readerOf(today: number, before: number): PastReader {
  const roundAt = (at: number): NumberedRound => {
    const openedAt = at < today ? noon : noon - 365 * dayMs;
    const times = { openedAt, lastAt: openedAt, stateSince: openedAt };
    const money = {
      currency: 'EUR',
      debits: { real: 1n, bonus: 0n },
      credits: { real: 0n, bonus: 0n },
    };
    const named = { ...player, gameRound: `r${at}`, gameCode: 'game', state: 'closed' } as const;
    const summary = { ...named, ...times, ...money };
    return { number: String(today + before - at), version: 1, summary };
  };
  return {
    async rounds(position, atMost) {
      const first = position === null ? 0 : today + before - Number(position) + 1;
      const count = Math.min(atMost, today + before - first);
      const rounds = Array.from({ length: count }, (_, index) => roundAt(first + index));
      return { rounds, last: rounds.at(-1)?.number ?? null, isEnd: count < atMost };
    },
    readRound: async () => null,
    readCash: async () => ({ kind: 'noPlayer' }),
    completeFrom: async () => 0,
  };
}

test('a limit counts 10,000 rounds of its window and is refused for one more, whatever lies before it', async () => {
  const read = await Past.read(readerOf(10_000, 80_000), wanted);
  if (typeof read === 'string') throw new Error(read);
  expect(read.seen.rounds).toHaveLength(10_000);
  expect([...read.moved()]).toHaveLength(10_000);
  expect(read.seen.newestRound).toBe('90000');
  expect(await Past.read(readerOf(10_001, 0), wanted)).toBe('historyTooLong');
  expect(await Past.read(readerOf(0, 100_001), wanted)).toBe('historyTooLong');
});
