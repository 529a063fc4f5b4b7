import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import {
  type NumberedRound,
  type ReadRounds,
  type WalkLimits,
  walkRounds,
} from '../../../lib/operator/stores/lists/rounds-walk';
import type { CheckedRoundsQuery } from '../../../lib/operator/stores/lists/rounds-query';
import type { RoundSummary } from '../../../lib/operator/wallet';
import { runs } from '../../support/runs';

const all: CheckedRoundsQuery = {
  cursor: null,
  limit: 50,
  from: null,
  to: null,
  game: null,
  state: null,
  min: null,
};

const minute = 60_000;
const start = 1_700_000_000_000;

/** A round of a list; a deleted one keeps its place, as in Redis. */
interface Listed extends NumberedRound {
  readonly isDeleted: boolean;
}

/** A player's rounds as a store lists them. */
class List {
  readonly rounds: Listed[] = [];
  /** Rounds that were read, and how often. */
  read = 0;
  reads = 0;

  add(at: number, { isDeleted = false, game = 'bells', won = 0n, gap = 1 } = {}): void {
    const number = Number(this.rounds.at(-1)?.number ?? 0) + gap;
    const summary = {
      gameRound: `round ${number}`,
      state: 'closed',
      gameCode: game,
      openedAt: at,
      credits: { real: won, bonus: 0n },
    } as RoundSummary;
    this.rounds.push({ number: String(number), version: 1, summary, isDeleted });
  }

  readonly before: ReadRounds = async (before, atMost) => {
    const older = this.rounds.filter((one) => before === null || +one.number < +before);
    const part = older.toReversed().slice(0, atMost);
    this.read += part.length;
    this.reads += 1;
    const rounds = part.filter(({ isDeleted }) => !isDeleted);
    return { rounds, last: part.at(-1)?.number ?? null, isEnd: part.length < atMost };
  };
}

/** The rounds of all pages; `between` runs before each next one. */
async function walk(
  list: List,
  query: CheckedRoundsQuery,
  limits: WalkLimits,
  between: () => void = () => {},
): Promise<{ names: string[]; pages: number[] }> {
  const [names, pages]: [string[], number[]] = [[], []];
  for (let place: string | null = null; ; ) {
    const page = await walkRounds(list.before, query, place, limits);
    names.push(...page.rounds.map(({ gameRound }) => gameRound));
    pages.push(page.rounds.length);
    if (page.next === null) return { names, pages };
    if (page.next === place) throw new Error('the walk stands still');
    place = page.next;
    between();
  }
}

describe('a walk over the rounds of a player', () => {
  test('that has read its most answers what it found, and continues with `next` to the end', async () => {
    const list = new List();
    for (let at = 0; at < 100; at++)
      list.add(start + at, { game: at % 40 === 0 ? 'rare' : 'bells' });
    const limits = { atOnce: 4, atMost: 12 };
    const { names, pages } = await walk(list, { ...all, game: 'rare' }, limits);
    expect(names).toEqual(['round 81', 'round 41', 'round 1']);
    expect(pages).toEqual([0, 1, 0, 0, 1, 0, 0, 0, 1]);
    expect(list.read).toBe(100);
  });

  test('reads no more of one request than its most, also where rounds are deleted', async () => {
    for (const game of ['bells', null]) {
      const list = new List();
      for (let at = 0; at < 500; at++) list.add(start + at, { isDeleted: true });
      const page = await walkRounds(list.before, { ...all, game, limit: 9 }, null, {
        atOnce: 10,
        atMost: 50,
      });
      expect(page.rounds).toEqual([]);
      expect(page.next).not.toBeNull();
      expect(list.read).toBeLessThanOrEqual(50);
    }
  });

  test('finds the time it begins at in a few small reads, and ends where it has passed `from`', async () => {
    const list = new List();
    for (let at = 0; at < 10_000; at++) list.add(start + at * minute, { gap: 1000 });
    const [from, to] = [start + 3000 * minute, start + 3005 * minute];
    const page = await walkRounds(list.before, { ...all, from, to }, null, {
      atOnce: 200,
      atMost: 2000,
    });
    expect(page.rounds.map(({ openedAt }) => (openedAt - start) / minute)).toEqual([
      3004, 3003, 3002, 3001, 3000,
    ]);
    expect(page.next).toBeNull();
    expect(list.reads).toBeLessThan(30);
    expect(list.read).toBeLessThan(200);
  });

  test('loses nothing and repeats nothing, whatever is deleted, added meanwhile, or a few minutes out of order', () => {
    const round = fc.record({
      after: fc.integer({ min: 0, max: 40 }),
      skew: fc.integer({ min: -4, max: 4 }),
      isDeleted: fc.boolean(),
      game: fc.constantFrom('bells', 'rare', 'rarer'),
      won: fc.bigInt({ min: 0n, max: 4n }),
      gap: fc.constantFrom(1, 1, 2, 700),
    });
    const moment = fc.option(fc.integer({ min: -30, max: 900 }));
    const world = fc.record({
      rounds: fc.array(round, { maxLength: 60 }),
      from: moment,
      to: moment,
      game: fc.constantFrom(null, 'rare'),
      min: fc.constantFrom(null, 3n),
      limit: fc.integer({ min: 1, max: 9 }),
      atOnce: fc.integer({ min: 1, max: 6 }),
      times: fc.integer({ min: 1, max: 4 }),
    });
    const play = async (one: typeof world extends fc.Arbitrary<infer T> ? T : never) => {
      const list = new List();
      let at = start;
      for (const { after, skew, ...how } of one.rounds) {
        at += after * minute;
        list.add(at + skew * minute, how);
      }
      const timeOf = (minutes: number | null) =>
        minutes === null ? null : start + minutes * minute;
      const { game, min, limit } = one;
      const query = { ...all, from: timeOf(one.from), to: timeOf(one.to), game, min, limit };
      const isWanted = ({ isDeleted, summary: { openedAt, gameCode, credits } }: Listed) =>
        !isDeleted &&
        openedAt >= (query.from ?? 0) &&
        openedAt < (query.to ?? Number.POSITIVE_INFINITY) &&
        (game === null || gameCode === game) &&
        credits.real >= (min ?? 0n);
      const wanted = list.rounds
        .filter(isWanted)
        .map(({ summary }) => summary.gameRound)
        .toReversed();
      const limits = { atOnce: one.atOnce, atMost: one.atOnce * one.times };
      const { names, pages } = await walk(list, query, limits, () =>
        list.add(at, { game: 'rare', won: 4n }),
      );
      expect(names).toEqual(wanted);
      expect(Math.max(...pages)).toBeLessThanOrEqual(limit);
    };
    return fc.assert(fc.asyncProperty(world, play), { numRuns: runs(4000) });
  });
});
