import { expect } from '@jest/globals';
import { hash } from 'node:crypto';

import { quarterOf, ZoneDays } from '../../../../lib/platform/time/zone-days';
import { readTotals } from '../../../../lib/operator/reconciliation/totals/sums';
import {
  type FullStore,
  StoreUnavailableError,
  type Totals,
  type TotalsName,
  type WalletEvent,
} from '../../../../lib/operator/wallet';
import { systemClock } from '../../../../lib/platform';
import { seededRandom } from '../../../platform/seeded-random';
import { testSeed } from '../../../support/seed';
import { cellsOf, textOf, trueRounds } from './brute-force';
import { operatorId, type SpanClock } from './random-play';

/** The clocks change in Malta and New York within the days after it. */
export const begin = Date.parse('2026-10-24T20:00:00Z');
const zones = ['UTC', 'Asia/Kathmandu', 'America/New_York'];

/** The quarters in which anything may have happened. */
export function spanOf(clock: SpanClock): readonly [number, number] {
  const ends = [begin, systemClock.now(), clock.now()];
  return [quarterOf(Math.min(...ends)) - 96, quarterOf(Math.max(...ends)) + 96];
}

/** Random numbers of one task: what the others draw meanwhile does not change them, so a seed plays the same again. */
export function ownRandom(task: string): () => number {
  return seededRandom(testSeed ^ Number.parseInt(hash('sha256', task, 'hex').slice(0, 8), 16));
}

/** Totals of a process that is killed at times: before it counts a page, or before it knows that it has. */
export function killedAtTimes(totals: Totals, random: () => number): Totals {
  return {
    ...totals,
    async *batches(request) {
      for await (const batch of totals.batches({
        ...request,
        atMost: 1 + Math.floor(random() * 60),
      })) {
        yield {
          events: batch.events,
          async add(change) {
            if (random() < 0.1) throw new StoreUnavailableError('killed');
            const isAdded = await batch.add(change);
            if (random() < 0.1) throw new StoreUnavailableError('killed');
            return isAdded;
          },
        };
      }
    },
  };
}

/** Reads all events, whatever happens to the server. */
export async function auditOf(
  store: FullStore,
  signal: AbortSignal,
  seen: WalletEvent[],
): Promise<void> {
  const seenIds = new Set<string>();
  while (!signal.aborted) {
    try {
      await readOn();
    } catch (error) {
      expect(error).toMatchObject({ code: 'STOREUNAVAILABLE' });
    }
  }
  async function readOn(): Promise<void> {
    for await (const batch of store.events.read({
      consumer: 'audit',
      operatorId,
      atMost: 500,
      signal,
    })) {
      const fresh = batch.events.filter(({ id }) => !seenIds.has(id));
      for (const { id } of fresh) seenIds.add(id);
      seen.push(...fresh);
      await batch.done();
    }
  }
}

/** Whether nothing waits for any consumer. */
export async function isCounted(store: FullStore): Promise<boolean> {
  return (await store.events.lag(operatorId)).every(({ waiting }) => waiting === 0);
}

/** Sums over all rows, by currency. */
async function sumsOf(
  store: FullStore,
  by: string,
  [from, to]: readonly [number, number],
): Promise<Map<string, Map<TotalsName, bigint>>> {
  const sums = new Map<string, Map<TotalsName, bigint>>();
  for (const row of (await store.totals.read(operatorId, from, to)).rows) {
    if (row.by !== by) continue;
    const named = sums.get(row.currency) ?? new Map<TotalsName, bigint>();
    sums.set(row.currency, named);
    for (const [name, units] of Object.entries(row.sums) as [TotalsName, bigint][]) {
      named.set(name, (named.get(name) ?? 0n) + units);
    }
  }
  return sums;
}

async function balances(store: FullStore): Promise<Map<string, bigint>> {
  const sums = new Map<string, bigint>();
  for await (const { currency, balance } of store.players.books()) {
    sums.set(currency, (sums.get(currency) ?? 0n) + balance.real + balance.bonus);
  }
  return sums;
}

/** The totals of all time are what the accounts hold. */
export async function checkBooks(store: FullStore, span: readonly [number, number]): Promise<void> {
  const [own, start] = [await sumsOf(store, 'own', span), await sumsOf(store, 'start', span)];
  const held = await balances(store);
  expect(held.size).toBeGreaterThan(0);
  for (const [currency, balance] of held) {
    const cash = (name: TotalsName): bigint => own.get(currency)?.get(name) ?? 0n;
    const played = (name: TotalsName): bigint => start.get(currency)?.get(name) ?? 0n;
    const moved = cash('cashIn') - cash('cashOut') + cash('corrected') + cash('repaired');
    expect([currency, moved - played('bet') + played('win')]).toEqual([currency, balance]);
    for (const name of ['Games', 'FreePlays', 'Bet', 'Win'] as const) {
      expect(played(`back${name}`)).toBe(played(`voided${name}`));
    }
  }
}

/**
 * The totals of each day are what the rounds say.
 * @param isRestatedAlone Pointers do not say when a round ended, nor all of what a void took: then days are compared by the start
 *   of a round, with its voids restated.
 */
export async function checkDays(
  store: FullStore,
  clock: SpanClock,
  events: readonly WalletEvent[],
  isRestatedAlone: boolean,
): Promise<void> {
  const rounds = await trueRounds(store, events);
  expect(rounds.length).toBeGreaterThan(20);
  expect(rounds.some(({ taken }) => taken.length > 0)).toBe(true);
  for (const name of zones) {
    const zone = new ZoneDays(name);
    const to = new Date(Math.max(clock.now(), Date.now()) + 86_400_000).toISOString().slice(0, 10);
    const from = new Date(Math.min(begin, Date.now()) - 86_400_000).toISOString().slice(0, 10);
    const now = clock.now();
    const question = { operatorId, from, to, zones: [zone], now, factor: 1n };
    const { sums, coverage } = await readTotals(store, question);
    const all = (['restated', 'dated'] as const).flatMap((voids) => [
      { zone: name, by: 'start', voids } as const,
      { zone: name, by: 'end', voids } as const,
    ]);
    const ways = isRestatedAlone ? all.slice(0, 1) : all;
    for (const way of ways) {
      const counting = { ...way, freePlays: 'counted' } as const;
      const cells = sums.cells(counting, zone, new Set(coverage.days), true);
      const ours = [...cells].map(([key, one]) => [key, [one.games, one.bet, one.win]] as const);
      expect([way, textOf(ours)]).toEqual([way, cellsOf(rounds, way)]);
    }
  }
}
