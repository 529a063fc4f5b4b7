import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type { StatisticsQuery } from '../../lib/protocol/operator-api/served-messages';
import type { Owner, Round, RoundDebit } from '../../lib/rgs/rounds/round';
import { Statistics, type StatisticsCounting } from '../../lib/rgs/statistics';

const noon = Date.parse('2026-03-01T12:00:00Z');
const day = 86_400_000;
const everything: StatisticsQuery = {
  groupBy: [],
  dateFrom: null,
  dateToIncluding: null,
  currency: null,
  gameCode: null,
  playerId: null,
  showTotals: false,
};

interface Play {
  readonly id?: string;
  readonly owner?: Partial<Owner>;
  readonly at?: number;
  readonly bet?: bigint;
  readonly discount?: bigint;
  readonly win?: bigint;
  readonly debit?: RoundDebit['state'];
  readonly credit?: 'due' | 'paid' | 'refused';
  /** Null while it is open. */
  readonly endedAt?: number | null;
  readonly voidedAt?: number;
}

function roundOf(play: Play): Round {
  const { id = 'r', at = noon, bet = 100n, discount = 0n, win = 0n } = play;
  const { debit = 'accepted', credit = 'paid', endedAt = at, voidedAt } = play;
  const currency = play.owner?.currency ?? 'EUR';
  const due = { hash: id, at, reason: '', currency } as const;
  return {
    owner: {
      gameProviderId: 'studio-1',
      operatorId: 'casino',
      playerId: 'ann',
      gameCode: 'bells',
      mode: 'REAL',
      currency: 'EUR',
      currencyMultiplier: '1',
      ...play.owner,
    },
    gameRound: id,
    isNamed: true,
    state: endedAt === null ? 'open' : 'closed',
    endsAtOnce: false,
    startedAt: at,
    lastCallAt: endedAt ?? at,
    voids: voidedAt === undefined ? [] : [{ hash: id, at: voidedAt }],
    debits: [
      {
        due: {
          ...due,
          type: 'debit',
          isFirstDebit: true,
          amount: bet,
          discount: discount === 0n ? null : { amount: discount, campaignId: 'c' },
          serial: null,
        },
        key: null,
        content: '',
        stake: bet,
        state: voidedAt === undefined ? debit : 'voided',
        refusal: null,
      },
    ],
    credits: [
      { due: { ...due, type: 'credit', amount: win }, key: null, content: '', state: credit },
    ],
    entries: [],
    awaiting: [],
    counters: [],
    queue: [],
    undelivered: [],
    needsPerson: false,
  };
}

function played(...plays: readonly Play[]): Statistics {
  return counted({}, ...plays);
}

function counted(counting: Partial<StatisticsCounting>, ...plays: readonly Play[]): Statistics {
  const statistics = new Statistics(counting);
  for (const play of plays) statistics.follow(null, roundOf(play));
  return statistics;
}

function rowsOf(statistics: Statistics, query: Partial<StatisticsQuery> = {}) {
  return statistics.answer('casino', { ...everything, ...query }, new Map([['SEK', '0.095']]));
}

describe('getStats (E24.3)', () => {
  test('a bet is the accepted debits less their discounts, a win what the wallet confirmed', () => {
    const { rows } = rowsOf(
      played({ bet: 100n, discount: 10n, win: 45n }, { win: 70n, credit: 'due' }),
    );
    expect(rows).toEqual([
      {
        DAY: '2026-03-01',
        currency: 'EUR',
        game: null,
        playerId: null,
        bet: 190n,
        win: 45n,
        betInEuro: 190n,
        winInEuro: 45n,
        games: 2,
        player: 1,
        RTP: '23.68',
      },
    ]);
  });

  test.each<[string, Play]>([
    ['declined', { debit: 'declined' }],
    ['cancelled', { debit: 'withdrawn' }],
    ['voided', { debit: 'voided', win: 10n }],
    ['not answered yet', { debit: 'due' }],
    ['played for fun', { owner: { mode: 'DEMO' } }],
  ])('a round that is %s does not count', (_, play) => {
    expect(rowsOf(played(play)).rows).toEqual([]);
  });

  test('a round that is voided later no longer counts, and one paid later does', () => {
    const statistics = new Statistics();
    const [due, paid, voided] = [
      roundOf({ win: 50n, credit: 'due' }),
      roundOf({ win: 50n, credit: 'paid' }),
      roundOf({ win: 50n, debit: 'voided' }),
    ];
    statistics.follow(null, due);
    statistics.follow(due, paid);
    expect(rowsOf(statistics).rows.map(({ win, games }) => [win, games])).toEqual([[50n, 1]]);
    statistics.follow(paid, voided);
    expect(rowsOf(statistics).rows).toEqual([]);
  });

  test('records are by UTC day of the start and by currency; groupBy adds game and player', () => {
    const statistics = played(
      { at: noon, owner: { playerId: 'ann' } },
      { at: noon + day, owner: { playerId: 'bob', gameCode: 'wheel' } },
      { at: noon, owner: { playerId: 'bob', currency: 'SEK' } },
    );
    const keys = (query: Partial<StatisticsQuery>) =>
      rowsOf(statistics, query).rows.map(({ DAY, currency, game, playerId, player }) =>
        [DAY, currency, game, playerId, player].join(' '),
      );
    expect(keys({})).toEqual(['2026-03-01 EUR   1', '2026-03-01 SEK   1', '2026-03-02 EUR   1']);
    expect(keys({ showTotals: true })).toEqual([' EUR   2', ' SEK   1']);
    expect(keys({ groupBy: ['game', 'player'] })).toEqual([
      '2026-03-01 EUR bells ann 1',
      '2026-03-01 SEK bells bob 1',
      '2026-03-02 EUR wheel bob 1',
    ]);
    expect(keys({ groupBy: ['game', 'player'], showTotals: true })).toEqual([
      ' EUR   2',
      ' SEK   1',
    ]);
  });

  test('filters are by day, both included, by currency, game and player', () => {
    const statistics = played(
      { at: noon },
      { at: noon + day, owner: { playerId: 'bob' } },
      { at: noon + 2 * day, owner: { gameCode: 'wheel', currency: 'SEK' } },
    );
    const count = (query: Partial<StatisticsQuery>): number =>
      rowsOf(statistics, query).rows.length;
    expect(count({ dateFrom: '2026-03-02', dateToIncluding: '2026-03-02' })).toBe(1);
    expect(count({ dateFrom: '2026-03-02' })).toBe(2);
    expect(count({ playerId: 'bob' })).toBe(1);
    expect(count({ gameCode: 'wheel' })).toBe(1);
    expect(count({ currency: 'SEK' })).toBe(1);
  });

  test('euros are exact to half a unit; a currency without a rate is 0, and named for a finding (E24.3)', () => {
    const { rows } = rowsOf(played({ bet: 10n, owner: { currency: 'SEK' } }));
    expect(rows[0]?.betInEuro).toBe(1n);
    const other = rowsOf(played({ owner: { currency: 'NOK' } }));
    expect([other.rows[0]?.betInEuro, other.withoutRate]).toEqual([0n, ['NOK']]);
  });

  test('another operator sees nothing of it', () => {
    expect(played({}).answer('other', everything, new Map()).rows).toEqual([]);
  });

  test('a snapshot gives the same statistics for any rounds', () => {
    const play = fc.record({
      owner: fc.record({
        playerId: fc.constantFrom('ann', 'bob'),
        gameCode: fc.constantFrom('bells', 'wheel'),
      }),
      at: fc.constantFrom(noon, noon + day),
      win: fc.bigInt({ min: 0n, max: 500n }),
    });
    fc.assert(
      fc.property(fc.array(play), (plays) => {
        const statistics = played(...plays);
        const restored = new Statistics();
        for (const event of statistics.snapshot()) restored.apply(event);
        const query = { groupBy: ['game', 'player'] } as const;
        expect(rowsOf(restored, query)).toEqual(rowsOf(statistics, query));
      }),
    );
  });
});

/** Day, games, bet and win of each record. */
function sumsOf(statistics: Statistics): string[] {
  return rowsOf(statistics).rows.map(
    ({ DAY, games, bet, win }) => `${DAY} ${games} game, ${bet} in, ${win} out`,
  );
}

describe('how getStats counts (E24.3)', () => {
  test('by end, a round counts on the day that it ended, and not before', () => {
    const statistics = new Statistics({ by: 'end' });
    const open = roundOf({ endedAt: null, win: 5n });
    statistics.follow(null, open);
    expect(sumsOf(statistics)).toEqual([]);
    statistics.follow(open, roundOf({ endedAt: noon + day, win: 5n }));
    expect(sumsOf(statistics)).toEqual(['2026-03-02 1 game, 100 in, 5 out']);
  });

  test.each([
    ['2026-03-28T22:59:59.999Z', '2026-03-28'],
    ['2026-03-28T23:00:00Z', '2026-03-29'],
    ['2026-03-29T21:59:59.999Z', '2026-03-29'],
    ['2026-03-29T22:00:00Z', '2026-03-30'],
    ['2026-10-24T21:59:59.999Z', '2026-10-24'],
    ['2026-10-24T22:00:00Z', '2026-10-25'],
    ['2026-10-25T22:59:59.999Z', '2026-10-25'],
    ['2026-10-25T23:00:00Z', '2026-10-26'],
  ])(
    'in Malta, where 29 March has 23 hours and 25 October has 25, a round of %s counts on %s, by start as by end',
    (time, DAY) => {
      const at = Date.parse(time);
      const zone = 'Europe/Malta';
      const is = [`${DAY} 1 game, 100 in, 0 out`];
      expect(sumsOf(counted({ zone }, { at }))).toEqual(is);
      expect(sumsOf(counted({ zone, by: 'end' }, { at: at - 2 * day, endedAt: at }))).toEqual(is);
    },
  );

  test.each<[Partial<StatisticsCounting>, string[]]>([
    [{}, []],
    [{ by: 'end' }, []],
    [
      { voids: 'dated' },
      ['2026-03-01 1 game, 100 in, 0 out', '2026-03-02 -1 game, -100 in, 0 out'],
    ],
    [{ by: 'end', voids: 'dated' }, []],
  ])('a round that is voided a day later leaves, counted %j, %j', (counting, left) => {
    const statistics = new Statistics(counting);
    const open = roundOf({ endedAt: null });
    const voided = roundOf({ endedAt: noon + day, voidedAt: noon + day });
    statistics.follow(null, open);
    statistics.follow(open, voided);
    expect(sumsOf(statistics)).toEqual(left);
    statistics.follow(voided, voided);
    expect(sumsOf(statistics)).toEqual(left);
  });

  test('dated, the void of an added bet takes that bet out of its own day, and the void of the first one what is left', () => {
    const statistics = new Statistics({ voids: 'dated' });
    const one = roundOf({});
    const [first] = one.debits as [RoundDebit];
    const added = { ...first, due: { ...first.due, hash: 'added', amount: 40n } };
    const two = { ...one, debits: [first, added] };
    const debits = [first, { ...added, state: 'voided' as const }];
    const less = { ...two, debits, voids: [{ hash: 'added', at: noon + day }] };
    const none = {
      ...less,
      debits: debits.map((debit) => ({ ...debit, state: 'voided' as const })),
      voids: [...less.voids, { hash: 'r', at: noon + 2 * day }],
    };
    statistics.follow(null, two);
    statistics.follow(two, less);
    const lessSums = ['2026-03-01 1 game, 140 in, 0 out', '2026-03-02 0 game, -40 in, 0 out'];
    expect(sumsOf(statistics)).toEqual(lessSums);
    statistics.follow(less, none);
    expect(sumsOf(statistics)).toEqual([...lessSums, '2026-03-03 -1 game, -100 in, 0 out']);
  });

  test('a day with more voided than played has its sums below zero, in euros and percent too', () => {
    const statistics = counted(
      { voids: 'dated' },
      { id: 'a', at: noon - day, bet: 15n, voidedAt: noon, owner: { currency: 'SEK' } },
      { id: 'b', bet: 5n, win: 1n, owner: { currency: 'SEK' } },
    );
    expect(rowsOf(statistics, { dateFrom: '2026-03-01' }).rows).toMatchObject([
      { games: 0, bet: -10n, win: 1n, betInEuro: -1n, winInEuro: 0n, RTP: '-10.00' },
    ]);
  });
});
