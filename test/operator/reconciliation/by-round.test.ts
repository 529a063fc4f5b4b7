import { describe, expect, test } from '@jest/globals';

import { verdictOf } from '../../../lib/operator/reconciliation/counting/result';
import { daysBetween } from '../../../lib/platform/time/zone-days';
import {
  dayIn,
  eventLines,
  eventOf,
  exportMap,
  exportOf,
  randomHistory,
  type RgsRound,
  strand,
} from './histories';
import { eventsOf, middle, plant } from './plants';
import { compareRounds } from './runs';

const day = 86_400_000;
const period = ['2026-10-22', '2026-10-28'] as const;
const days = new Set(daysBetween(...period));
const span = [Date.parse('2026-10-19T00:00:00Z'), Date.parse('2026-10-31T00:00:00Z')] as const;
const frame = [span[0] - day, span[1] + 4 * day];
const malta = { zone: 'Europe/Malta', by: 'end' } as const;

describe('rounds against an export', () => {
  test('a clean export is equal, whichever zone and time its period follows', async () => {
    for (const counting of [
      malta,
      { zone: 'America/New_York', by: 'start' },
      { zone: 'UTC', by: 'end' },
    ] as const) {
      const history = randomHistory(1, 1_000, span);
      const result = await compareRounds(
        eventLines(history, frame),
        exportOf(history, counting, days),
        period,
      );
      expect(result.differences).toEqual([]);
      expect(verdictOf(result)).toBe('equal');
      expect(result.fit).toMatchObject({ differing: 0, counting });
    }
  });

  test('each of 40 planted disagreements of every kind is named so, and nothing else is', async () => {
    const history = randomHistory(2, 2_000, span);
    const planted = plant(history);
    const result = await compareRounds(
      eventLines(history, frame),
      exportOf(history, malta, days),
      period,
    );
    const named = result.differences.flatMap(({ rounds }) =>
      rounds.map(({ round, kind }) => [round, kind]),
    );
    expect(new Set(named)).toEqual(new Set(planted.map(([{ round }, kind]) => [round, kind])));
    expect(named).toHaveLength(planted.length);
    expect(planted).toHaveLength(40);
    expect(result.noted).toEqual([]);
    expect(result.fit.counting).toMatchObject(malta);
  });

  test('a round that is there under another game is named with both, and a game by its title is not', async () => {
    const history = randomHistory(3, 500, span);
    const rounds = middle(history);
    const [code, otherCode] = [...new Set(rounds.map(({ game }) => game))] as [string, string];
    const [wrong, strange] = rounds.filter(({ game }) => game === code) as [RgsRound, RgsRound];
    const lines = eventLines(history, frame);
    for (const one of history.rounds.values()) if (one.game === otherCode) one.game = 'A Title';
    expect(
      (await compareRounds(lines, exportOf(history, malta, days), period)).differences,
    ).toEqual([]);
    [wrong.game, strange.game] = [otherCode, 'no game of ours'];
    const result = await compareRounds(lines, exportOf(history, malta, days), period);
    expect(verdictOf(result)).toBe('different');
    const named = result.differences.flatMap(({ game, games, bet, rounds: of }) =>
      of.map(({ round, kind, reason }) => [round, game, games, bet, kind, reason]),
    );
    expect(new Set(named)).toEqual(
      new Set(
        [wrong, strange].map((one) => [
          one.round,
          code,
          1,
          BigInt(one.bet) * 100n,
          'another game',
          `${code} here, ${one.game} there`,
        ]),
      ),
    );
  });

  test('a repair that the RGS paid as well is named with its people', async () => {
    const history = randomHistory(3, 500, span);
    const victim = middle(history).find((one) => one.win === 0) as RgsRound;
    strand(victim, eventsOf(history, victim), 777);
    victim.win = 777;
    const result = await compareRounds(
      eventLines(history, frame),
      exportOf(history, malta, days),
      period,
    );
    expect(result.differences[0]?.rounds[0]?.reason).toBe(`repair fix-${victim.round} by kim, lou`);
  });

  test('a repair of a round that never began is named with its people, and is not unknown to the wallet', async () => {
    const history = randomHistory(3, 500, span);
    const [paid, other] = middle(history).filter((one) => one.win === 0) as [RgsRound, RgsRound];
    for (const victim of [paid, other]) {
      const events = eventsOf(history, victim);
      for (const { transactions } of events.splice(0)) {
        const [debit] = transactions;
        if (debit?.type !== 'debit') continue;
        events.push(eventOf(victim, victim.start, 'none', [{ ...debit, outcome: 'NOFUNDS' }]));
      }
      strand(victim, events, 777);
    }
    paid.win = 777;
    other.win = 778;
    const text = exportOf(history, malta, days);
    const result = await compareRounds(eventLines(history, frame), text, period);
    const named = result.differences.flatMap(({ day: of, rounds }) =>
      rounds.map(({ round, kind, reason }) => [of, round, kind, reason]),
    );
    const expected = [
      [paid, 'repaired here and paid there'],
      [other, 'bet differs'],
    ] as const;
    expect(new Set(named)).toEqual(
      new Set(
        expected.map(([one, kind]) => [
          dayIn('Europe/Malta', one.end),
          one.round,
          kind,
          `the round never began here; repair fix-${one.round} by kim, lou`,
        ]),
      ),
    );
    expect(result.noted).toEqual([]);
  });

  test('a round that only the other time of it puts into the period is a note', async () => {
    const history = randomHistory(4, 3_000, span);
    const late = [...history.rounds.values()].find(
      (one) =>
        one.state === 'DONE' &&
        dayIn('Europe/Malta', one.start) === '2026-10-28' &&
        dayIn('Europe/Malta', one.end) === '2026-10-29',
    ) as RgsRound;
    const text = exportOf(history, malta, days, [late]);
    const result = await compareRounds(eventLines(history, frame), text, period, {
      zones: ['Europe/Malta'],
    });
    expect(result.noted.map(({ round, kind }) => [round, kind])).toEqual([
      [late.round, 'straddles midnight'],
    ]);
    expect(verdictOf(result)).toBe('equal');
  });

  test('a round that is open there is a note while it is young, and a difference after --open-hours', async () => {
    const history = randomHistory(5, 500, span);
    const victim = middle(history)[0] as RgsRound;
    victim.state = 'RUNNING';
    const [lines, text] = [eventLines(history, frame), exportOf(history, malta, days)];
    const young = await compareRounds(lines, text, period, { openHours: 1_000 });
    expect(young.noted).toMatchObject([{ round: victim.round, kind: 'state differs' }]);
    expect(verdictOf(young)).toBe('equal');
    const old = await compareRounds(lines, text, period, { openHours: 1 });
    expect(old.differences.flatMap(({ rounds }) => rounds)).toMatchObject([
      { round: victim.round, kind: 'state differs' },
    ]);
  });

  describe('where the events end in the middle of the last day', () => {
    const history = randomHistory(7, 1_000, span);
    const { time: _time, ...noTime } = exportMap;
    const way = { zones: ['Europe/Malta'], by: 'end', openHours: 0 } as const;

    test.each([
      ['with the time of each row', exportMap],
      ['without times', noTime],
    ])('a row that may be of that day is no difference, %s', async (_name, map) => {
      const lines = cut(eventLines(history, frame));
      const options = { ...way, map };
      const text = exportOf(history, malta, days);
      const result = await compareRounds(lines, text, period, options);
      expect(result.differences).toEqual([]);
      expect(verdictOf(result)).toBe('incomplete');
      expect(result.incomplete.map((one) => one.day)).toEqual(['2026-10-28']);
      expect(result.noted.map(({ kind, reason }) => `${kind}: ${reason}`)).toContain(
        'unknown to the wallet: the events may not cover its day',
      );
    });

    test('a difference of another day is one', async () => {
      const planted = structuredClone(history);
      const victim = middle(planted).find(({ end }) => end < Date.parse('2026-10-25')) as RgsRound;
      planted.events.delete(victim.round);
      const text = exportOf(planted, malta, days);
      const result = await compareRounds(cut(eventLines(planted, frame)), text, period, way);
      expect(verdictOf(result)).toBe('different');
      expect(result.differences.flatMap(({ rounds }) => rounds)).toMatchObject([
        { round: victim.round, kind: 'unknown to the wallet' },
      ]);
    });
  });

  test('two rows of one round are a difference: the second is unknown to the wallet', async () => {
    const history = randomHistory(6, 500, span);
    const victim = middle(history)[0] as RgsRound;
    const text = exportOf(history, malta, days);
    const row = text.split('\n').find((line) => line.startsWith(`${victim.round},`));
    const result = await compareRounds(eventLines(history, frame), `${text}\n${row}`, period);
    expect(result.differences.flatMap(({ rounds }) => rounds)).toMatchObject([
      { round: victim.round, kind: 'unknown to the wallet' },
    ]);
  });
});

function cut(lines: readonly string[]): string[] {
  return lines.filter((line) => (JSON.parse(line) as { at: string }).at < '2026-10-28T10');
}
