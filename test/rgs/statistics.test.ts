import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type { StatisticsQuery } from '../../lib/protocol/operator-api/served-messages';
import type { Owner, Round, RoundDebit } from '../../lib/rgs/rounds/round';
import { Statistics } from '../../lib/rgs/statistics';

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
}

function roundOf(play: Play): Round {
  const { id = 'r', at = noon, bet = 100n, discount = 0n, win = 0n } = play;
  const { debit = 'accepted', credit = 'paid' } = play;
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
    state: 'closed',
    endsAtOnce: false,
    startedAt: at,
    lastCallAt: at,
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
        state: debit,
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
  const statistics = new Statistics();
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
