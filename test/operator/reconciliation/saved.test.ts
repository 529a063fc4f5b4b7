import { describe, expect, test } from '@jest/globals';

import type {
  Difference,
  DifferenceKind,
  NamedRound,
} from '../../../lib/operator/reconciliation/counting/difference';
import type { Reconciliation } from '../../../lib/operator/reconciliation/counting/result';
import type { UnmatchedVoid } from '../../../lib/operator/reconciliation/rounds/unmatched-voids';
import { addTo, cellKey, type Cells } from '../../../lib/operator/reconciliation/counting/cells';
import { ZoneDays } from '../../../lib/platform/time/zone-days';
import { readSavedDay, type SavedDay } from '../../../lib/operator/reconciliation/saved/day';
import {
  daysOfResult,
  uncheckedDays,
} from '../../../lib/operator/reconciliation/saved/days-of-result';

const period = { from: '2026-10-24', to: '2026-10-26', decimals: 2 };
const days = ['2026-10-24', '2026-10-25', '2026-10-26'];
const counting = {
  zone: 'Europe/Malta',
  by: 'end',
  voids: 'restated',
  freePlays: 'counted',
} as const;
const fit = { counting, zone: new ZoneDays('Europe/Malta'), differing: 0, next: null, ties: [] };

/** A cell of each day, currency and game. */
function cellsOf(games: readonly string[]): Cells {
  const cells: Cells = new Map();
  const sums = { games: 2, bet: 3000n, win: 125n };
  for (const day of days) {
    for (const currency of ['EUR', 'SEK']) {
      for (const game of games) addTo(cells, cellKey(day, game, currency), sums);
    }
  }
  return cells;
}

const equal: Reconciliation = {
  days,
  incomplete: [],
  fit,
  isFitted: false,
  compared: 6,
  cells: { ours: cellsOf(['bells']), theirs: cellsOf(['bells']) },
  differences: [],
  left: 0,
  noted: [],
  unmatched: [],
  faults: [],
  faulty: 0,
  notes: [],
};

function named(round: string, kind: DifferenceKind | 'candidate'): NamedRound {
  const ours = { currency: 'EUR', bet: 1000n, win: 250n, state: 'closed' };
  return { round, player: 'ann', kind, reason: null, ours, theirs: null };
}

function cell(more: Partial<Difference>): Difference {
  const names = { day: '2026-10-25', game: 'bells', currency: 'EUR' };
  const sums = { games: 1, bet: 1000n, win: -250n };
  return { ...names, ...sums, rounds: [], more: 0, notes: [], isTolerated: false, ...more };
}

function voidAt(text: string): UnmatchedVoid {
  return { round: `of ${text}`, player: 'ann', hash: 'd', at: Date.parse(text) };
}

function saved(result: Partial<Reconciliation>): SavedDay[] {
  const found = daysOfResult({ ...equal, ...result }, period);
  expect([...found.keys()]).toEqual(days);
  // What is written is what is read.
  return [...found.values()].map((day) => {
    const read = readSavedDay(JSON.stringify(day));
    expect(read).toEqual(day);
    return day;
  });
}

function words(result: Partial<Reconciliation>): string[] {
  return saved(result).map(({ word }) => word);
}

const noSums = { games: 0, bet: '0', win: '0' };

describe('the days of a result', () => {
  test('without differences each is equal, in every currency, and ended when its zone says', () => {
    const [first, second] = saved({});
    expect(first).toEqual({
      word: 'equal',
      reason: null,
      counting: 'Europe/Malta, by end, voids restated',
      endedAt: '2026-10-24T22:00:00.000Z',
      cells: ['EUR', 'SEK'].map((currency) => {
        const [none, stated] = [noSums, { games: 2, bet: '30', win: '1.25' }];
        const byGame = [{ game: 'bells', ...none, stated }];
        return { currency, word: 'equal', ...none, stated, byGame };
      }),
      kinds: {},
      rounds: [],
      leftOut: 0,
      currenciesLeftOut: 0,
    });
    // The clocks change on the second.
    expect(second?.endedAt).toBe('2026-10-25T23:00:00.000Z');
  });

  test('the day of a difference differs, with sums by currency and the kinds of its rounds', () => {
    const differences = [
      cell({ rounds: [named('a', 'win differs'), named('b', 'unknown to the RGS')] }),
      cell({ game: 'gems', bet: 1n, win: 0n, rounds: [named('c', 'candidate')], more: 4 }),
      cell({ game: 'gold', rounds: [] }),
    ];
    const [first, day, last] = saved({ differences });
    expect([first?.word, day?.word, last?.word]).toEqual(['equal', 'differs', 'equal']);
    expect(day).toMatchObject({
      cells: [
        { currency: 'EUR', word: 'differs', games: 3, bet: '20.01', win: '-5' },
        { currency: 'SEK', word: 'equal' },
      ],
      kinds: { 'win differs': 1, 'unknown to the RGS': 1, 'sums differ': 2 },
      leftOut: 4,
    });
    expect(day?.rounds.map(({ round, kind }) => [round, kind])).toEqual([
      ['a', 'win differs'],
      ['b', 'unknown to the RGS'],
      ['c', 'candidate'],
    ]);
    expect(day?.rounds[0]?.ours).toEqual({
      currency: 'EUR',
      bet: '10',
      win: '2.5',
      state: 'closed',
    });
  });

  test('what the RGS stated is kept by currency and by game, and rounds across midnight are no difference', () => {
    const ours = cellsOf(['bells', 'gems', 'gold']);
    const theirs = cellsOf(['bells', 'gold']);
    // Bells: a round that the RGS counts on another day. Gems: a game that the RGS does not have.
    addTo(ours, cellKey('2026-10-25', 'bells', 'EUR'), { games: 1, bet: 500n, win: 0n });
    addTo(theirs, cellKey('2026-10-25', 'gold', 'EUR'), { games: 1, bet: 7000n, win: 0n });
    addTo(ours, cellKey('2026-10-25', 'gold', 'EUR'), { games: 1, bet: 7000n, win: 0n });
    const gems = cell({ game: 'gems', games: 2, bet: 3000n, win: 125n });
    const [first, day] = saved({ cells: { ours, theirs }, differences: [gems] });
    const midnight = { games: 1, bet: '5', win: '0' };
    const more = { games: 2, bet: '30', win: '1.25' };
    expect(day?.cells[0]).toEqual({
      currency: 'EUR',
      word: 'differs',
      ...more,
      stated: { games: 5, bet: '130', win: '2.5' },
      midnight,
      byGame: [
        { game: 'gems', ...more, stated: noSums },
        { game: 'gold', ...noSums, stated: { games: 3, bet: '100', win: '1.25' } },
        { game: 'bells', ...noSums, stated: more, midnight },
      ],
    });
    expect(first?.cells[0]?.midnight).toEqual(more);
    const [one] = saved({ cells: { ours: cellsOf(['']), theirs: cellsOf(['']) } });
    expect(one?.cells[0]).toEqual({ currency: 'EUR', word: 'equal', ...noSums, stated: more });
  });

  test('of more than fifty games of a currency, and of those that do not fit, the others are counted', () => {
    const games = Array.from({ length: 53 }, (_, at) => `game ${at}`);
    const [day] = saved({ cells: { ours: cellsOf(games), theirs: cellsOf(games) } });
    const [euro] = day?.cells ?? [];
    expect([euro?.byGame?.length, euro?.gamesLeftOut, euro?.stated?.games]).toEqual([50, 3, 106]);
    // Games go first where the day does not fit: the last currency's before the others'.
    const long = games.slice(0, 25).map((game) => `${'ä'.repeat(800)}${game}`);
    const cells = { ours: cellsOf(long), theirs: cellsOf(long) };
    const rounds = [named('a', 'win differs')];
    const [, cut] = saved({ cells, differences: [cell({ game: long[0] ?? '', rounds })] });
    expect([cut?.rounds.length, cut?.cells.map(({ gamesLeftOut }) => gamesLeftOut)]).toEqual([
      1,
      [undefined, 25],
    ]);
  });

  test('what is tolerated is told, is no difference, and comes after what is not', () => {
    const tolerated = cell({ isTolerated: true, rounds: [named('a', 'win differs')] });
    const [, day] = saved({ differences: [tolerated] });
    expect([day?.word, day?.kinds, day?.cells[0]?.word]).toEqual(['equal', {}, 'tolerated']);
    const wrong = cell({ game: 'gems', rounds: [named('b', 'bet differs')] });
    const [, both] = saved({ differences: [tolerated, wrong] });
    expect(both?.rounds.map(({ round }) => round)).toEqual(['b', 'a']);
  });

  test('a day that is not complete is never equal, and says why', () => {
    const incomplete = [{ day: '2026-10-26', reason: 'the events end too early' }];
    const [, , last] = saved({ days: days.slice(0, 2), incomplete });
    expect(last).toMatchObject({
      word: 'incomplete',
      reason: 'the events end too early',
      counting: null,
      endedAt: null,
    });
    expect(words({ days: days.slice(0, 2) })).toEqual(['equal', 'equal', 'unknown']);
  });

  test.each<[string, Partial<Reconciliation>, object]>([
    ['a round that names no day', { differences: [cell({ day: null })] }, { 'sums differ': 1 }],
    [
      'a round of a day that was not asked for',
      { differences: [cell({ day: '2026-10-27' })] },
      { 'sums differ': 1 },
    ],
    [
      'a row that cannot be read',
      { faults: ['row 7: no amount'], faulty: 12 },
      { 'row not read': 12 },
    ],
    ['a round beyond the list', { left: 3 }, { 'not listed': 3 }],
  ])('%s leaves no day equal, and counts once, on the last day', (_, result, kinds) => {
    const all = saved(result);
    expect(all.map(({ word }) => word)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(all.map((day) => day.kinds)).toEqual([{}, {}, kinds]);
    expect(all[0]?.reason).not.toBeNull();
  });

  test('a day that differs says that rows of the export cannot be read: what differs may be theirs', () => {
    const differing = { differences: [cell({ day: days[0] ?? '' })] };
    expect(saved(differing)[0]).toMatchObject({ word: 'differs', reason: null });
    expect(saved({ ...differing, faults: ['row 7: no amount'], faulty: 1 })[0]).toMatchObject({
      word: 'differs',
      reason: 'rows of the export cannot be read',
    });
  });

  test('a failed own check leaves every day unknown, and counts', () => {
    const found = [...uncheckedDays(period, 12).values()];
    expect(found.map(({ word, kinds }) => [word, kinds])).toEqual([
      ['unknown', {}],
      ['unknown', {}],
      ['unknown', { 'own check': 12 }],
    ]);
    for (const day of found) expect(readSavedDay(JSON.stringify(day))).toEqual(day);
  });

  test('voids without a debit are kept with their day, those before it with the first one; of more than 100 the newest', () => {
    // In the zone the first day begins at 22:00 of the day before.
    const times = [
      '2026-10-23T12:00:00.000Z',
      '2026-10-24T21:59:59.999Z',
      '2026-10-24T22:00:00.000Z',
    ];
    const many = Array.from({ length: 103 }, (_, n) => `2026-10-26T10:00:00.${100 + n}Z`);
    const kept = saved({ unmatched: [...times, ...many].map(voidAt) });
    expect(kept.map(({ voids = [] }) => voids.map((one) => one.at))).toEqual([
      times.slice(0, 2),
      times.slice(2),
      many.slice(3),
    ]);
    expect(kept.map(({ voidsLeftOut }) => voidsLeftOut)).toEqual([undefined, undefined, 3]);
    expect(kept[1]?.voids).toEqual([
      { round: `of ${times[2]}`, player: 'ann', hash: 'd', at: times[2] },
    ]);
    expect(kept.map(({ word }) => word)).toEqual(['equal', 'equal', 'equal']);
  });

  test('of more than ten rounds the others are counted', () => {
    const rounds = Array.from({ length: 25 }, (_, at) => named(`r-${at}`, 'win differs'));
    const [, day] = saved({ differences: [cell({ rounds, more: 5 })] });
    expect([day?.rounds.length, day?.leftOut, day?.kinds]).toEqual([10, 20, { 'win differs': 25 }]);
  });

  test('rounds and currencies of any length are cut to 64 KB, and counted', () => {
    const long = '\u0001'.repeat(2_000);
    const rounds = Array.from({ length: 10 }, (_, at) => named(`${long}${at}`, 'win differs'));
    const differences = [
      cell({ rounds }),
      ...Array.from({ length: 300 }, (_, at) => cell({ currency: `${at} ${'ä'.repeat(300)}` })),
    ];
    const noon = Date.parse('2026-10-25T12:00:00Z');
    const unmatched = Array.from({ length: 100 }, (_, at) => {
      return { round: long, player: 'ann', hash: `h${at}`, at: noon + at };
    });
    const [, day] = saved({ differences, unmatched });
    if (day === undefined) throw new Error('no day');
    expect((day.voids?.length ?? 0) + (day.voidsLeftOut ?? 0)).toBe(100);
    expect(Buffer.byteLength(JSON.stringify(day))).toBeLessThanOrEqual(65_536);
    const cells = 302; // with the two that were compared, of which one differs
    expect([day.rounds.length + day.leftOut, day.cells.length + day.currenciesLeftOut]).toEqual([
      10,
      cells,
    ]);
    expect(day.kinds).toEqual({ 'win differs': 10, 'sums differ': 300 });
  });
});

describe('a day that was kept', () => {
  const [good] = saved({ differences: [cell({ rounds: [named('a', 'win differs')] })] });
  const [round] = [{ ...named('a', 'win differs'), currency: 'EUR', ours: null }];

  test('by a later version, with more members, is read', () => {
    expect(
      readSavedDay(JSON.stringify({ ...good, more: 1, kinds: { 'new kind': 2 } })),
    ).toMatchObject({ word: 'equal', kinds: { 'new kind': 2 } });
  });

  test.each<[string, unknown]>([
    ['no JSON', undefined],
    ['no object', null],
    ['a list', []],
    ['another word', { ...good, word: 'fine' }],
    ['no word', { ...good, word: undefined }],
    ['a time that is none', { ...good, endedAt: 'yesterday' }],
    ['an amount that is none', { ...good, cells: [{ ...good?.cells[0], bet: '1e9' }] }],
    ['a count below zero', { ...good, kinds: { 'win differs': -1 } }],
    ['a count that is a text', { ...good, kinds: { 'win differs': '1' } }],
    ['a round without a side', { ...good, rounds: [{ ...round, theirs: undefined }] }],
    [
      'a void without a hash',
      { ...good, voids: [{ round: 'r', player: 'ann', at: good?.endedAt }] },
    ],
    ['eleven rounds', { ...good, rounds: Array<unknown>(11).fill(round) }],
  ])('with %s is not read', (_, value) => {
    expect(readSavedDay(JSON.stringify(value) ?? '{')).toBeNull();
  });
});
