import { describe, expect, test } from '@jest/globals';

import type { MoneyPeriodView } from '../../../../lib/operator/operations/view/money/read';
import type { SavedDay } from '../../../../lib/operator/reconciliation/saved/day';
import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import type { FullStore, WalletStore } from '../../../../lib/operator/wallet';
import { VirtualClock } from '../../../support/virtual-clock';
import { withParts } from '../../../support/with-parts';
import { hostile, open, operatorId } from '../fixture';
import { type Counted, countedStore, openAccount, row, since } from './fixture';

const noon = '2026-11-24T12:00:00Z';

const rows = [
  row('2026-11-23T10:00:00Z', 'start', {
    games: 3n,
    freePlays: 1n,
    bet: 125_000n,
    win: 40_000n,
    voidedGames: 1n,
    voidedBet: 5_000n,
    voidedWin: 100n,
  }),
  row(
    '2026-11-23T20:15:00Z',
    'start',
    { games: 1n, bet: 10_000n, win: 90_000n },
    { game: 'cards' },
  ),
  row('2026-11-23T21:00:00Z', 'own', { repaired: 250n }),
  row('2026-11-23T08:00:00Z', 'own', { cashIn: 2_000_000n }, { game: '' }),
  row('2026-11-23T09:00:00Z', 'own', { cashOut: 500_000n, corrected: -70n }, { game: '' }),
  // The same rounds by their end are no figures of this page.
  row('2026-11-23T22:00:00Z', 'end', { games: 4n, bet: 135_000n, win: 130_000n }),
  row('2026-11-23T10:00:00Z', 'start', { games: 2n, bet: 30_000n }, { currency: 'SEK' }),
  row('2026-11-24T00:00:00Z', 'start', { games: 1n, bet: 1n }),
];

async function shown(
  { store, clock }: Counted,
  query = '',
  booksZone = 'UTC',
): Promise<{ page: string; view: MoneyPeriodView }> {
  const browser = open(store, { clock, booksZone });
  const page = await browser.get(`/money${query}`);
  expect(page.status).toBe(200);
  expect(page.text).not.toMatch(/NaN|undefined|\[object|style="/);
  const view = (await browser.get(`/money.json${query}`)).json() as MoneyPeriodView;
  return { page: page.text, view };
}

/** The text of a page, without its markup. */
function textOf(page: string): string {
  return page
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

function verdictOf(page: string): [tone: string, text: string] {
  const [, tone = '', text = ''] =
    /<div class="state (\w+)" role="status">(.*?)<\/div>/s.exec(page) ?? [];
  return [tone, textOf(text).trim()];
}

/** The cells of the rows of a table that begins after this text. */
function cellsAfter(page: string, start: string): string[][] {
  const [, body = ''] = /<tbody>(.*?)<\/table>/s.exec(page.slice(page.indexOf(start))) ?? [];
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, cells = '']) =>
    [...cells.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, text = '']) => textOf(text).trim()),
  );
}

describe('the money of a day', () => {
  test('is what its rounds took and gave by their start, and cash and repairs at their own time', async () => {
    const { view, page } = await shown(await countedStore(noon, rows), '?day=2026-11-23');
    expect(view).toMatchObject({
      totals: 'on',
      state: 'counted',
      zone: 'UTC',
      first: '2026-11-23',
      last: '2026-11-23',
      lacks: [],
      currencies: ['EUR', 'SEK'],
      currency: 'EUR',
      figures: {
        rounds: 4,
        freeRounds: 1,
        taken: '13.5',
        won: '13',
        repaired: '0.025',
        given: '13.025',
        kept: '0.475',
        returned: '96.5',
        cashIn: '200',
        cashOut: '50',
        cash: '150',
        corrected: '-0.007',
        added: '149.518',
        voided: { rounds: 1, taken: '0.5', won: '0.01' },
      },
    });
    expect(cellsAfter(page, 'id="statement"')).toEqual([
      ['Openings and deposits', '', '+200.00'],
      ['Withdrawals', '', '\u221250.00'],
      ['Corrections by people', '', '\u22120.007'],
      ['Taken by rounds', '', '\u221213.50'],
      ['Given by rounds', '', '+13.00'],
      ['Repairs by people', '', '+0.025'],
      ['Added to the accounts', '', '+149.518'],
    ]);
    expect(cellsAfter(page, 'id="games"')).toEqual([
      ['bells', '', '3', '12.50', '4.025', '32.2'],
      ['cards', '', '1', '1.00', '9.00', '900.0'],
      ['All games', '', '4', '13.50', '13.025', '96.5'],
    ]);
    expect(textOf(page)).toContain('Voids took 1 whole round out of these figures');
  });

  test('has the same values in the picture, in its table and in the JSON', async () => {
    const { view, page } = await shown(await countedStore(noon, rows), '?day=2026-11-23');
    const parts = view.figures?.parts ?? [];
    expect(parts).toHaveLength(24);
    const table = cellsAfter(page, 'class="data"');
    const said = [...page.matchAll(/<text x="100%" y="12">([^<]*)</g)].map(([, text]) => text);
    expect(table[10]).toEqual(['10', '12.50', '4.00', '8.50', '3']);
    expect(said[20]).toBe(
      '20 \u00a0taken 1.00 \u00a0given 9.00 \u00a0kept \u22128.00 \u00a0rounds 1',
    );
    for (const [at, { name, rounds }] of parts.entries()) {
      expect([table[at]?.[0], table[at]?.[4]]).toEqual([name, String(rounds)]);
    }
    expect(textOf(page)).toContain('In 2 hours of 24 more was given than taken.');
  });

  test('begins and ends with the day of the zone of the books', async () => {
    const counted = await countedStore(noon, rows);
    const { view } = await shown(counted, '?day=2026-11-24', 'Asia/Kathmandu');
    expect(view.figures).toMatchObject({ rounds: 2, taken: '1.0001', repaired: '0.025' });
    expect(view.figures?.parts[0]).toMatchObject({ name: '00', from: '2026-11-23T18:15:00.000Z' });
  });

  test('is that of yesterday unless another is asked for, in the currency with the most rounds', async () => {
    const { view } = await shown(await countedStore(noon, rows));
    expect([view.first, view.currency]).toEqual(['2026-11-23', 'EUR']);
    const first = await shown(await countedStore('2026-11-20T20:00:00Z', rows));
    expect(first.view.first).toBe('2026-11-20');
  });

  test('has a tab for each currency in which money moved, and adds up none of them', async () => {
    const { view, page } = await shown(
      await countedStore(noon, rows),
      '?day=2026-11-23&currency=SEK',
    );
    expect(view.figures).toMatchObject({ rounds: 2, taken: '3', cashIn: '0' });
    expect(page).toContain(
      `<a href="money?operator=${operatorId}&amp;day=2026-11-23&amp;span=day&amp;currency=EUR">EUR</a>`,
    );
    const none = await shown(await countedStore(noon, rows), '?day=2026-11-23&currency=USD');
    expect(none.view.figures).toMatchObject({ rounds: 0, added: '0' });
  });

  test('of a week or a month has a column for each day', async () => {
    const counted = await countedStore(noon, rows);
    const week = await shown(counted, '?day=2026-11-24&span=week');
    expect(week.view).toMatchObject({
      first: '2026-11-23',
      last: '2026-11-29',
      previous: '2026-11-22',
      next: null,
      lacks: ['running'],
    });
    expect(week.view.figures?.parts.map(({ name, rounds }) => [name, rounds])).toEqual([
      ['2026-11-23', 4],
      ['2026-11-24', 1],
    ]);
    const month = await shown(counted, '?day=2026-11-24&span=month');
    expect(month.view).toMatchObject({
      first: '2026-11-01',
      last: '2026-11-30',
      figures: { rounds: 5 },
    });
    expect(month.page).toContain('Money of November 2026');
  });
});

describe('figures that are not whole say why', () => {
  test('today until now, with the hours that have begun, the last one paler', async () => {
    const { view, page } = await shown(
      await countedStore(noon, [...rows, row(noon, 'start', { games: 1n, bet: 5n })]),
      '?day=2026-11-24',
    );
    expect(view.lacks).toEqual(['running']);
    expect(view.figures?.parts).toHaveLength(13);
    expect(page).toContain('class="s1 part"');
    expect(verdictOf(page)).toEqual([
      'note',
      'The day is not over: these are the figures until now It can be compared with the RGS an hour after its end.',
    ]);
    expect(view.next).toBeNull();
    expect(page).not.toContain('What is missing');
  });

  test('a day that ended less than an hour ago', async () => {
    const { view, page } = await shown(await countedStore('2026-11-24T00:59:00Z', rows));
    expect([view.first, view.lacks]).toEqual(['2026-11-23', ['just over']]);
    expect(verdictOf(page)[1]).toContain('It ended less than an hour ago');
    const later = await shown(await countedStore('2026-11-24T01:00:00Z', rows));
    expect(later.view.lacks).toEqual([]);
  });

  test('events that wait to be counted since before the end of the day', async () => {
    const counted = await countedStore('2026-11-23T15:00:00Z', rows);
    await openAccount(counted.store, 'bob');
    counted.clock.setWallClock(24 * 3_600_000);
    const { view, page } = await shown(counted, '?day=2026-11-23');
    expect([view.lacks, view.countedUntil]).toEqual([['waiting'], '2026-11-23T15:00:00.000Z']);
    expect(verdictOf(page)[0]).toBe('warn');
    expect(page).toContain('What is missing');
    expect(textOf(page)).toContain('Events from 23 Nov 2026, 15:00:00 on wait to be counted');
    const before = await shown(counted, '?day=2026-11-22');
    expect(before.view.lacks).toEqual([]);
  });

  test('an event that waits for seconds is being counted', async () => {
    const counted = await countedStore(noon, rows);
    await openAccount(counted.store, 'bob');
    expect((await shown(counted, '?day=2026-11-24')).view.lacks).toEqual(['running']);
  });

  test('quarters of an hour that are not whole, by their rounds', async () => {
    const quarter = Date.parse('2026-11-23T10:00:00Z') / 900_000;
    const gaps = [
      { quarter, kind: 'round lost', playerId: 'ann', gameRound: hostile },
      { quarter: quarter + 1, kind: 'beginning missing', playerId: 'bob', gameRound: 'r-2' },
      { quarter: quarter + 96, kind: 'round lost', playerId: 'cid', gameRound: 'r-3' },
    ] as const;
    const { view, page } = await shown(await countedStore(noon, rows, { gaps }), '?day=2026-11-23');
    expect(view).toMatchObject({ lacks: ['gaps'], moreGaps: 0 });
    expect(view.gaps.map(({ at, gameRound }) => [at, gameRound])).toEqual([
      ['2026-11-23T10:00:00.000Z', hostile],
      ['2026-11-23T10:15:00.000Z', 'r-2'],
    ]);
    expect(verdictOf(page)).toEqual([
      'warn',
      'The day is not whole What is missing is listed below.',
    ]);
    expect(page).toContain(`href="round?operator=${operatorId}&amp;player=bob&amp;round=r-2"`);
    expect(page).not.toContain(hostile);
  });

  test('a day within which the totals begin', async () => {
    const { view, page } = await shown(
      await countedStore(noon, [
        ...rows,
        row('2026-11-20T11:00:00Z', 'start', { games: 1n, bet: 5n }),
      ]),
      '?day=2026-11-20',
    );
    expect([view.lacks, view.previous]).toEqual([['begun within'], null]);
    expect(textOf(page)).toContain('The totals begin at 20 Nov 2026, 10:00:00');
  });
});

describe('where there are no figures, the page says which days can be shown', () => {
  test('of a day before the totals began', async () => {
    const { view, page } = await shown(await countedStore(noon, rows), '?day=2026-11-19');
    expect(view).toMatchObject({
      state: 'before',
      figures: null,
      sinceDay: '2026-11-20',
      since: new Date(since).toISOString(),
      previous: null,
      next: '2026-11-20',
    });
    expect(textOf(page)).toContain('This day was before the totals began');
    expect(page).toContain('day=2026-11-20');
    expect(page).toContain('rgs-wallet archive run');
  });

  test('of a day that is ahead, or on which nothing moved', async () => {
    const counted = await countedStore(noon, rows);
    const ahead = await shown(counted, '?day=2027-01-01');
    expect([ahead.view.state, ahead.view.previous, ahead.view.next]).toEqual([
      'ahead',
      '2026-11-24',
      null,
    ]);
    expect(ahead.page).toContain('This day has not begun');
    expect((await shown(counted, '?day=2026-11-21')).page).toContain('No money moved on this day');
  });

  test('with totals off, and in a store that keeps none', async () => {
    const clock = new VirtualClock(Date.parse(noon));
    const off = open(createMemoryStore({ clock }), { clock });
    const { text } = await off.get('/money');
    expect(text).toContain('serve --totals');
    expect(text).toContain('href="reconciliation"');
    expect((await off.get('/money.json')).json()).toEqual({ totals: 'off', operatorId });
    const empty = open(createMemoryStore({ clock, events: ['totals'] }), { clock });
    expect((await empty.get('/money')).text).toContain('begin with the first round');
    expect((await empty.get('/money.json')).json()).toEqual({ totals: 'empty', operatorId });
    const store = Object.assign(Object.create(createMemoryStore()) as WalletStore, {
      totals: undefined,
    });
    const missing = open(store, { clock });
    expect((await missing.get('/money')).text).toContain('This store keeps no totals');
    expect((await missing.get('/money.json')).json()).toEqual({ totals: 'missing', operatorId });
  });

  test.each([
    ['?day=2026-02-30', 'The day must be one such as 2026-11-23.'],
    ['?day=9999-12-31', 'The day must be one such as 2026-11-23.'],
    ['?day=%00', 'The day must be one such as 2026-11-23.'],
    ['?span=year', 'The span must be one of day, week, month.'],
    ['?currency=eur', 'The currency must be three upper-case letters.'],
  ])('and what is wrong with %s', async (query, message) => {
    const { store, clock } = await countedStore(noon, rows);
    const { status, text } = await open(store, { clock }).get(`/money.json${query}`);
    expect([status, JSON.parse(text)]).toEqual([400, { error: message }]);
  });

  test('of operators that may be seen alone, for people who may look', async () => {
    const { store, clock } = await countedStore(noon, rows);
    expect((await open(store, { clock }).get('/money?operator=other')).status).toBe(404);
    const eve = { id: 'eve', name: null, may: ['block'] as const };
    expect((await open(store, { clock, authorize: () => eve }).get('/money')).status).toBe(403);
  });
});

const equal: SavedDay = {
  word: 'equal',
  reason: null,
  counting: 'UTC, by end, voids restated',
  endedAt: '2026-11-24T00:00:00.000Z',
  cells: [],
  kinds: {},
  rounds: [],
  leftOut: 0,
  currenciesLeftOut: 0,
};

async function save(store: FullStore, day: string, found: Partial<SavedDay>): Promise<void> {
  const text = JSON.stringify({ ...equal, ...found });
  const entry = { operatorId, day, source: 'statistics', at: Date.parse(noon), text } as const;
  await store.reconciliations.save(entry);
}

function cell(word: 'equal' | 'differs' | 'tolerated', bet = '0', win = '0', games = 0) {
  return { currency: 'EUR', word, games, bet, win };
}

describe('the page begins with whether the day agrees with the RGS', () => {
  const sides = { ours: null, theirs: null, currency: 'EUR', player: 'ann', reason: null };
  const round = { ...sides, round: 'r-77', kind: 'win differs' };

  test.each<[string, Partial<SavedDay>, string, string]>([
    [
      'agrees',
      { cells: [cell('equal')] },
      'good',
      'The day agrees with the RGS to the unit As the RGS counts: UTC, by end, voids restated',
    ],
    [
      'is tolerated',
      { cells: [cell('tolerated', '0.0001')] },
      'good',
      'The day agrees with the RGS to the unit but for what is tolerated',
    ],
    [
      'differs by an amount',
      { word: 'differs', cells: [cell('differs', '0', '-4.5')], rounds: [round] },
      'warn',
      'The day differs from the RGS: here 4.50 EUR less given In r-77 : win differs . As the RGS counts',
    ],
    [
      'differs by what a round would explain, as another may',
      {
        word: 'differs',
        cells: [cell('differs', '0', '-4.5')],
        rounds: [{ ...round, kind: 'candidate', reason: 'the whole round' }],
      },
      'warn',
      'The day differs from the RGS: here 4.50 EUR less given r-77 would explain it ( the whole round ), as another round may.',
    ],
    [
      'differs by several',
      { word: 'differs', cells: [cell('differs', '1', '-0.5', 2)] },
      'warn',
      'The day differs from the RGS: here 1.00 EUR more taken, 0.50 EUR less given, 2 rounds more',
    ],
    [
      'is not known',
      { word: 'unknown', counting: null, reason: `no ${hostile}` },
      'warn',
      'Whether the day agrees with the RGS is not known 23 Nov: no &lt;img',
    ],
    [
      'differs in another currency',
      { word: 'differs', cells: [{ ...cell('differs', '1'), currency: 'SEK' }] },
      'warn',
      'The day differs from the RGS in another currency, not in EUR Look at SEK .',
    ],
    [
      'was compared by days of another zone',
      {
        word: 'differs',
        counting: 'Europe/Malta, by end, voids restated',
        cells: [cell('differs', '1')],
      },
      'note',
      'The day was not compared with the RGS rgs-wallet reconcile --save compares it',
    ],
  ])('where it %s', async (_, found, tone, text) => {
    const counted = await countedStore(noon, rows);
    await save(counted.store, '2026-11-23', found);
    const { page } = await shown(counted, '?day=2026-11-23&currency=EUR');
    const [shownTone, shownText] = verdictOf(page);
    expect([shownTone, shownText.slice(0, text.length)]).toEqual([tone, text]);
    expect(page).not.toContain(hostile);
  });

  test('with links to the rounds, and to the comparison', async () => {
    const counted = await countedStore(noon, rows);
    const found = {
      word: 'differs',
      cells: [cell('differs', '0', '-4.5')],
      rounds: [round],
    } as const;
    await save(counted.store, '2026-11-23', found);
    const { page } = await shown(counted, '?day=2026-11-23&currency=EUR');
    expect(page).toContain(`href="round?operator=${operatorId}&amp;player=ann&amp;round=r-77"`);
    expect(page).toContain(
      `href="reconciliation?operator=${operatorId}&amp;day=2026-11-23&amp;currency=EUR"`,
    );
  });

  test('a difference is said before what is missing, and of a week by its days', async () => {
    const counted = await countedStore(noon, rows);
    await save(counted.store, '2026-11-21', { word: 'differs', cells: [cell('differs', '1')] });
    await save(counted.store, '2026-11-22', { cells: [cell('equal')] });
    const week = await shown(counted, '?day=2026-11-22&span=week&currency=EUR');
    expect(week.view.lacks).toEqual(['begun within']);
    expect(verdictOf(week.page)[1]).toContain('1 day of the week differs from the RGS 21 Nov .');
    await save(counted.store, '2026-11-21', { cells: [cell('equal')] });
    await save(counted.store, '2026-11-23', { cells: [cell('equal')] });
    const month = await shown(counted, '?day=2026-11-22&span=month&currency=EUR');
    expect(verdictOf(month.page)[1]).toContain('The month is not whole');
    expect(month.view.compared.map(({ day, word }) => [day, word])).toEqual([
      ['2026-11-21', 'equal'],
      ['2026-11-22', 'equal'],
      ['2026-11-23', 'equal'],
    ]);
  });
});

function equalLine(name: string): string[] {
  return [name, '3', '12.50', '4.00', '0', '0.00', '0.00'];
}

function differingLine(name: string): string[] {
  return [...equalLine(name).slice(0, 4), '\u22121', '0.00', '\u22124.50'];
}

describe('the figures of the RGS', () => {
  const stated = { games: 3, bet: '12.5', win: '4' };
  const more = { games: -1, bet: '0', win: '-4.5' };
  const none = { games: 0, bet: '0', win: '0' };
  const midnight = { games: 1, bet: '2', win: '0' };
  const euro = { currency: 'EUR', word: 'differs', ...more, stated, midnight } as const;

  test('are those of the comparison that was saved, by game; rounds across midnight are a line of their own', async () => {
    const counted = await countedStore(noon, rows);
    const byGame = [
      { game: hostile, ...more, stated },
      { game: 'bells', ...none, stated },
    ];
    const cells = [{ ...euro, byGame, gamesLeftOut: 7 }];
    await save(counted.store, '2026-11-23', { word: 'differs', cells });
    const { page, view } = await shown(counted, '?day=2026-11-23&currency=EUR');
    expect(cellsAfter(page, 'id="stated"')).toEqual([
      differingLine(expect.stringContaining('&lt;img src=x') as unknown as string),
      equalLine('bells'),
      differingLine('All games'),
      ['Rounds across midnight', '', '', '', '+1', '+2.00', '0.00'],
    ]);
    expect(textOf(page)).toContain('getStats, saved 24 Nov 2026, 12:00:00');
    expect(textOf(page)).toContain('7 more games were not kept.');
    expect(page).not.toContain(hostile);
    expect(view.compared[0]).toMatchObject({ stated, midnight, byGame, gamesLeftOut: 7 });
  });

  test('of all games together say how to have them by game', async () => {
    const counted = await countedStore(noon, rows);
    await save(counted.store, '2026-11-23', { word: 'differs', cells: [euro] });
    const { page } = await shown(counted, '?day=2026-11-23&currency=EUR');
    expect(cellsAfter(page, 'id="stated"')[0]).toEqual(differingLine('All games'));
    expect(textOf(page)).toContain('reconcile --by-game KEY --save');
  });

  test('of a week are by day', async () => {
    const counted = await countedStore(noon, rows);
    await save(counted.store, '2026-11-21', { word: 'differs', cells: [euro] });
    await save(counted.store, '2026-11-22', {
      cells: [{ currency: 'EUR', word: 'equal', ...none, stated }],
    });
    const { page } = await shown(counted, '?day=2026-11-22&span=week&currency=EUR');
    expect(cellsAfter(page, 'id="stated"')).toEqual([
      differingLine('21 Nov'),
      equalLine('22 Nov'),
      ['Rounds across midnight, 21 Nov', '', '', '', '+1', '+2.00', '0.00'],
    ]);
  });

  test.each<[string, Partial<SavedDay> | null]>([
    ['nothing was saved', null],
    ['rounds were compared, or an earlier version has saved it', { cells: [cell('equal')] }],
    [
      'the days of the RGS are of another zone',
      { cells: [euro], counting: 'Europe/Malta, by end, voids restated' },
    ],
  ])('are not there where %s, and the page says what brings them', async (_, found) => {
    const counted = await countedStore(noon, rows);
    if (found !== null) await save(counted.store, '2026-11-23', found);
    const { page } = await shown(counted, '?day=2026-11-23&currency=EUR');
    expect(page).not.toContain('id="stated"');
    expect(textOf(page)).toContain('The figures of the RGS are not on this page');
  });
});

test('a day that the zone of the books left out is empty, and a month that has it adds up the others', async () => {
  const [before, after] = ['2011-12-30T09:45:00Z', '2011-12-30T10:00:00Z'].map((at) =>
    row(at, 'start', { games: 1n, bet: 10_000n }),
  );
  const more = { since: Date.parse('2011-12-01T00:00:00Z') };
  const counted = await countedStore(
    '2012-01-09T12:00:00Z',
    [before, after].flatMap((one) => one ?? []),
    more,
  );
  const rounds = async (query: string) =>
    (await shown(counted, query, 'Pacific/Apia')).view.figures?.rounds ?? 0;
  expect(await rounds('?day=2011-12-29')).toBe(1);
  expect(await rounds('?day=2011-12-30')).toBe(0);
  expect(await rounds('?day=2011-12-31')).toBe(1);
  expect(await rounds('?day=2011-12-30&span=month')).toBe(2);
});

test('all readers of a period cost one read in five seconds', async () => {
  const { store, clock } = await countedStore(noon, rows);
  const reads = { sums: 0, lags: 0 };
  const counted = withParts(store, {
    totals: { sum: (...args) => ((reads.sums += 1), store.totals.sum(...args)) },
    events: { lag: (operator) => ((reads.lags += 1), store.events.lag(operator)) },
  });
  const browser = open(counted, { clock });
  const week = () => browser.get('/money?day=2026-11-23&span=week');
  const [first, second] = await Promise.all([week(), week()]);
  await clock.pass(4999);
  const { status } = await week();
  expect([first.status, second.status, status, reads]).toEqual([
    200,
    200,
    200,
    { sums: 2, lags: 1 },
  ]);
  await clock.pass(1);
  await week();
  expect(reads).toEqual({ sums: 4, lags: 2 });
});

test('a period has what was counted since it said that events wait, once it no longer says so', async () => {
  const { store, clock } = await countedStore(noon, rows);
  const behind = (await countedStore(noon, rows.slice(1))).store;
  let waits = true;
  const oldestAt = Date.parse('2026-11-23T10:00:00Z');
  const counting = withParts(store, {
    totals: { sum: (...args) => (waits ? behind : store).totals.sum(...args) },
    events: {
      lag: async (operator) => {
        const lags = await store.events.lag(operator);
        return waits ? lags.map((one) => ({ ...one, waiting: 1, oldestAt })) : lags;
      },
    },
  });
  // Another page has read what waits, so that this is read anew before the sums are.
  await open(counting, { clock }).get('/history?kind=won');
  await clock.pass(4000);
  const before = await shown({ store: counting, clock }, '?day=2026-11-23&currency=EUR');
  expect([before.view.lacks, before.view.figures?.rounds]).toEqual([['waiting'], 1]);
  waits = false;
  await clock.pass(1000);
  const after = await shown({ store: counting, clock }, '?day=2026-11-23&currency=EUR');
  expect([after.view.lacks, after.view.figures?.rounds]).toEqual([[], 4]);
});

test('a page stays below 100 KB, whatever games and currencies are called; the JSON has all of them', async () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const many = Array.from({ length: 300 }, (_, at) =>
    row(
      '2026-11-23T10:00:00Z',
      'start',
      { games: 1n, bet: BigInt(1 + at) },
      { game: `${hostile}${'&'.repeat(80)}${at}` },
    ),
  );
  const others = letters
    .split('')
    .map((letter) =>
      row('2026-11-23T10:00:00Z', 'start', { games: 1n, bet: 1n }, { currency: `X${letter}X` }),
    );
  const counted = await countedStore(noon, [...many, ...others]);
  const { page, view } = await shown(counted, '?day=2026-11-23');
  expect(Buffer.byteLength(page)).toBeLessThan(100_000);
  expect(page).not.toContain(hostile);
  expect([view.figures?.games.length, view.currencies.length]).toEqual([300, 27]);
  expect(textOf(page)).toContain('250 more games are in the JSON');
  expect(textOf(page)).toContain('7 more currencies are in the JSON');
});
