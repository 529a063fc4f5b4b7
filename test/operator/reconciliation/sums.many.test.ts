import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { cellKey, QuarterSums } from '../../../lib/operator/reconciliation/counting/cells';
import { eachRound } from '../../../lib/operator/reconciliation/rounds/parts';
import { ZoneDays } from '../../../lib/platform/time/zone-days';
import { runs } from '../../support/runs';
import { dayIn, eventLines, randomHistory } from './histories';
import { logOf } from './runs';

type Line = {
  type: string;
  at: string;
  gameRound: string;
  gameCode: string;
  state: string;
  transactions: { type: string; outcome: string; amount?: string; currency?: string }[];
};

/** Ten-thousandths of a decimal text. */
function units(text = '0'): bigint {
  const [whole = '', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(4, '0'));
}

/** Sums of the lines, by adding up: what a round that is not voided took and gave, on the day of its first or last line. */
function byAdding(
  lines: readonly string[],
  zone: string,
  by: 'start' | 'end',
): Map<string, string> {
  const events = [...new Set(lines)].map((line) => JSON.parse(line) as Line);
  const played = events.filter(({ type }) => type === 'round');
  const sums = new Map<string, [number, bigint, bigint]>();
  for (const id of new Set(played.map(({ gameRound }) => gameRound))) {
    const own = played.filter(({ gameRound }) => gameRound === id);
    if (own.some(({ state }) => state === 'voided')) continue;
    const at = by === 'start' ? own[0]?.at : own.find(({ state }) => state !== 'open')?.at;
    const moved = own
      .flatMap(({ transactions }) => transactions)
      .filter(({ outcome }) => outcome === 'accepted');
    const total = (kind: string): bigint =>
      moved
        .filter(({ type }) => type === kind)
        .reduce((sum, { amount }) => sum + units(amount), 0n);
    const currency = moved[0]?.currency ?? '';
    const key = cellKey(dayIn(zone, Date.parse(at ?? '')), own[0]?.gameCode ?? '', currency);
    const [games, bet, win] = sums.get(key) ?? [0, 0n, 0n];
    sums.set(key, [games + 1, bet + total('debit'), win + total('credit')]);
  }
  return new Map([...sums].map(([key, [games, bet, win]]) => [key, `${games} ${bet} ${win}`]));
}

test('the sums of the cells are what adding up the lines gives, also if lines are there twice', async () => {
  const span = [Date.parse('2026-10-23T00:00:00Z'), Date.parse('2026-10-27T00:00:00Z')] as const;
  const zones = ['UTC', 'Europe/Malta', 'Asia/Kathmandu', 'America/New_York'];
  const by = fc.constantFrom('start' as const, 'end' as const);
  const property = fc.asyncProperty(
    fc.nat(),
    fc.nat(60),
    fc.constantFrom(...zones),
    by,
    fc.nat(20),
    async (seed, count, zone, attribution, again) => {
      const once = eventLines(randomHistory(seed, count, span), []);
      const lines = [...once, ...once.slice(0, again)];
      const log = await logOf(lines);
      const sums = new QuarterSums();
      for (const round of eachRound(log.spool)) sums.add(round);
      const days = new Set(
        Array.from({ length: 20 }, (_, at) => dayIn('UTC', span[0] + (at - 3) * 86_400_000)),
      );
      const counting = { zone, by: attribution, voids: 'restated', freePlays: 'counted' } as const;
      const cells = sums.cells(counting, new ZoneDays(zone), days, true);
      const texts = [...cells].map(
        ([key, { games, bet, win }]) => [key, `${games} ${bet} ${win}`] as const,
      );
      const nonzero = new Map(texts.filter(([, text]) => text !== '0 0 0'));
      expect(nonzero).toEqual(byAdding(lines, zone, attribution));
    },
  );
  await fc.assert(property, { numRuns: runs(400) });
});
