import { describe, expect, test } from '@jest/globals';

import { verdictOf } from '../../../lib/operator/reconciliation/counting/result';
import { daysBetween } from '../../../lib/platform/time/zone-days';
import {
  eventLines,
  type History,
  type RgsRound,
  dayIn,
  randomHistory,
  statisticsOf,
  voidHere,
  strand,
} from './histories';
import { plant } from './plants';
import { compareDays } from './runs';

const day = 86_400_000;
/** Over the end of summer time in Europe, on 2026-10-25. */
const period = ['2026-10-22', '2026-10-28'] as const;
const span = [Date.parse('2026-10-19T00:00:00Z'), Date.parse('2026-10-31T00:00:00Z')] as const;
const frame = [span[0] - day, span[1] + 4 * day];

function historyOf(seed: number, count = 2_500): History {
  return randomHistory(seed, count, span);
}

describe('days against getStats', () => {
  test.each([
    ['UTC', 'start'],
    ['Europe/Malta', 'end'],
    ['America/New_York', 'end'],
    ['Asia/Kathmandu', 'start'],
  ] as const)('%s by %s is found by trying, and nothing differs', async (zone, by) => {
    const history = historyOf(1);
    const source = statisticsOf(history, { zone, by });
    const result = await compareDays(eventLines(history, frame), source, period);
    expect(result.fit.counting).toEqual({ zone, by, voids: 'restated', freePlays: 'counted' });
    expect(result.differences).toEqual([]);
    expect(verdictOf(result)).toBe('equal');
    expect(result.days).toEqual(daysBetween(...period));
  });

  test('an RGS that leaves free plays out of its games is found by trying', async () => {
    const history = historyOf(2);
    const source = statisticsOf(history, { zone: 'UTC', by: 'end', leavesFreeOut: true });
    const result = await compareDays(eventLines(history, frame), source, period);
    expect(result.fit.counting.freePlays).toBe('left out');
    expect(verdictOf(result)).toBe('equal');
  });

  test('each of 40 planted disagreements of every kind is in a cell that differs, and no other cell differs', async () => {
    const history = historyOf(3);
    const planted = plant(history);
    const source = statisticsOf(history, { zone: 'Europe/Malta', by: 'end' });
    const result = await compareDays(eventLines(history, frame), source, period);
    expect(result.fit.counting).toMatchObject({ zone: 'Europe/Malta', by: 'end' });
    const cells = result.differences.map((one) => `${one.day} ${one.game} ${one.currency}`);
    const disputed = planted.flatMap(([{ end, game, currency }, kind]) => {
      const cell = `${dayIn('Europe/Malta', end)} ${game}`;
      const currencies = kind === 'another currency' ? [currency, 'NOK'] : [currency];
      return currencies.map((one) => `${cell} ${one}`);
    });
    expect(planted).toHaveLength(40);
    expect(cells.toSorted()).toEqual([...new Set(disputed)].toSorted());
    expect(verdictOf(result)).toBe('different');
  });

  test('with --players the player of a difference is asked for, and his round is named', async () => {
    const history = historyOf(4);
    const victim = roundsIn(history)[7] as RgsRound;
    victim.win += 1;
    const source = statisticsOf(history, { zone: 'Europe/Malta', by: 'end' });
    const choices = { players: 500, zones: ['Europe/Malta'], by: 'end' } as const;
    const result = await compareDays(eventLines(history, frame), source, period, choices);
    const named = result.differences[0]?.rounds.map(({ round, player }) => [round, player]);
    expect(named).toContainEqual([victim.round, victim.player]);
    expect(new Set(named?.map(([, player]) => player)).size).toBe(1);
  });

  test('a void that only the wallet has is the first round of its cell', async () => {
    const history = historyOf(5);
    const victim = roundsIn(history).find(({ bet }) => bet > 0) as RgsRound;
    voidHere(victim, history.events.get(victim.round) ?? [], victim.end + 1_000);
    const source = statisticsOf(history, { zone: 'UTC', by: 'start' });
    const result = await compareDays(eventLines(history, frame), source, period);
    expect(result.differences[0]?.rounds[0]).toMatchObject({
      round: victim.round,
      reason: 'voided here',
    });
  });

  test('a repair of a win that the RGS counts is named first, with its people', async () => {
    const history = historyOf(6);
    const victim = roundsIn(history).find(
      (one) => isPlain(history, one) && one.win === 0,
    ) as RgsRound;
    strand(victim, history.events.get(victim.round) ?? [], 777);
    victim.win = 777;
    const source = statisticsOf(history, { zone: 'UTC', by: 'end' });
    const result = await compareDays(eventLines(history, frame), source, period);
    expect(result.differences[0]?.rounds[0]).toMatchObject({
      round: victim.round,
      reason: `repaired here: fix-${victim.round} by kim, lou`,
    });
  });

  test('a round that each side counts on another day is a note, if it closes both cells', async () => {
    const history = historyOf(7);
    const victim = roundsIn(history).find(
      (one) =>
        isPlain(history, one) &&
        one.bet > 0 &&
        dayIn('UTC', one.start) > '2026-10-22' &&
        dayIn('UTC', one.start) < dayIn('UTC', one.end) &&
        dayIn('UTC', one.end) < '2026-10-28',
    ) as RgsRound;
    victim.end = victim.start;
    const source = statisticsOf(history, { zone: 'UTC', by: 'end' });
    const result = await compareDays(eventLines(history, frame), source, period);
    expect(result.noted.map(({ round, kind }) => [round, kind])).toEqual([
      [victim.round, 'straddles midnight'],
    ]);
    expect(verdictOf(result)).toBe('equal');
  });

  test('a difference of no more units than are tolerated is listed, and is no difference', async () => {
    const history = historyOf(8);
    (roundsIn(history)[3] as RgsRound).win += 1;
    const source = statisticsOf(history, { zone: 'UTC', by: 'end' });
    const lines = eventLines(history, frame);
    const tolerated = await compareDays(lines, source, period, { tolerate: 100n });
    expect(tolerated.differences).toMatchObject([{ isTolerated: true, win: -100n }]);
    expect(verdictOf(tolerated)).toBe('equal');
    expect(verdictOf(await compareDays(lines, source, period, { tolerate: 99n }))).toBe(
      'different',
    );
  });

  test("a currency of one side alone is said as one: the two cells are each other's opposite", async () => {
    const history = historyOf(9);
    const victim = roundsIn(history).find(({ currency }) => currency === 'EUR') as RgsRound;
    victim.currency = 'SEK';
    const source = statisticsOf(history, { zone: 'UTC', by: 'end' });
    const result = await compareDays(eventLines(history, frame), source, period);
    expect(result.differences.map(({ currency, notes }) => [currency, notes])).toEqual([
      ['EUR', ['another currency: the opposite of the difference in SEK']],
      ['SEK', ['another currency: the opposite of the difference in EUR']],
    ]);
  });

  test('at most ten rounds of a cell are listed, and how many others fit as well', async () => {
    const history = historyOf(10, 600);
    for (const [id, round] of history.rounds) {
      if (history.events.get(id)?.length !== 2 || round.win > 0 || round.isFree) continue;
      const [debit] = history.events.get(id)?.[0]?.transactions ?? [];
      if (debit === undefined) continue;
      round.bet = 500;
      history.events.get(id)?.[0]?.transactions.splice(0, 9, { ...debit, amount: '5.00' });
    }
    const victim = roundsIn(history).find(({ bet, win }) => bet === 500 && win === 0) as RgsRound;
    history.rounds.delete(victim.round);
    const source = statisticsOf(history, { zone: 'UTC', by: 'end' }, false);
    const result = await compareDays(eventLines(history, frame), source, period, {
      zones: ['UTC'],
      by: 'end',
    });
    expect(result.differences[0]?.rounds).toHaveLength(10);
    expect(result.differences[0]?.more).toBeGreaterThan(0);
  });
});

/** The rounds that count in the middle of the period in every zone, by either time, and were not voided. */
function roundsIn(history: History): RgsRound[] {
  return [...history.rounds.values()].filter(
    ({ start, end, state }) => isInside(start) && isInside(end) && state === 'DONE',
  );
}

function isPlain(history: History, { round, isFree }: RgsRound): boolean {
  return !isFree && history.events.get(round)?.length === 2;
}

/** Changes rounds of the RGS; returns the cells that then differ, each with one change. */
function isInside(at: number): boolean {
  return at > Date.parse('2026-10-23T20:00Z') && at < Date.parse('2026-10-27T00:00Z');
}
