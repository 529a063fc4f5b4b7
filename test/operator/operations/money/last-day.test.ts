import { afterEach, expect, test } from '@jest/globals';

import { createCallWatch } from '../../../../lib/operator/operations';
import type { LastDayView } from '../../../../lib/operator/operations/view/money/last-day';
import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import type { CallAnswered } from '../../../../lib/operator/events';
import { type CallOutcome, StoreUnavailableError } from '../../../../lib/operator/wallet';
import { LeapingClock } from '../../../platform/leaping-clock';
import { VirtualClock } from '../../../support/virtual-clock';
import { withParts } from '../../../support/with-parts';
import { createRig, credit, debit, end, type Rig } from '../../http/rig';
import {
  type Browser,
  newYear,
  open,
  operatorId,
  putRound,
  storeWithAnn,
  wordsOf,
} from '../fixture';
import { countedStore, row } from './fixture';

let rig: Rig | null = null;

afterEach(async () => {
  await rig?.close();
  rig = null;
});

interface Shown {
  readonly lastDay: LastDayView | 'missing' | 'unavailable';
}

async function shownBy(browser: Browser): Promise<Shown['lastDay']> {
  return ((await browser.get('/attention.json')).json() as Shown).lastDay;
}

/** The tiles of money: the name, the amount, and what is below. */
async function tilesOf(browser: Browser): Promise<string[]> {
  const { text } = await browser.get('/');
  const tiles = [...text.matchAll(/<li class="tile[^>]*>(.*?)<\/li>/gs)];
  return tiles
    .map(([, tile = '']) => wordsOf(tile).trim())
    .filter((words) => /^(Taken|Kept)/.test(words));
}

const lag = async () => [
  { consumer: 'totals', waiting: 2, oldestAt: Date.parse('2026-11-20T10:30:00Z') },
];

const sum = () => Promise.reject(new StoreUnavailableError('10.1.2.3 is down'));

const eur = (at: string, units: bigint) =>
  row(at, 'start', { games: 3n, bet: units, win: units / 2n, repaired: 10_000n });

test('the overview says by currency what was taken and kept in 24 hours, by the quarters that began in them', async () => {
  const krona = row(
    '2026-11-25T09:00:00Z',
    'start',
    { games: 1n, bet: 90_000_000n },
    { currency: 'SEK' },
  );
  const { store, clock } = await countedStore('2026-11-25T12:07:00Z', [
    eur('2026-11-24T12:00:00Z', 1_000_000_000n),
    eur('2026-11-24T12:15:00Z', 12_000_000n),
    eur('2026-11-25T12:00:00Z', 500_000n),
    row('2026-11-25T12:00:00Z', 'end', { games: 9n, bet: 7_000_000n }),
    krona,
  ]);
  const browser = open(store, { clock });
  const found = await shownBy(browser);
  expect(found).toMatchObject({
    of: 'all rounds',
    from: '2026-11-24T12:15:00.000Z',
    countedUntil: null,
    isWhole: true,
    currencies: [
      { currency: 'EUR', taken: '1250', kept: '623', count: 6 },
      { currency: 'SEK', taken: '9000', kept: '9000', count: 1 },
    ],
  });
  const hours = (found as LastDayView).hours;
  expect(hours).toHaveLength(24);
  expect([hours[0], hours.at(-1)]).toEqual([
    { from: '2026-11-24T12:15:00.000Z', taken: '1200', given: '601', kept: '599' },
    { from: '2026-11-25T11:15:00.000Z', taken: '50', given: '26', kept: '24' },
  ]);
  expect(await tilesOf(browser)).toEqual([
    'Taken in 24 hours 1,250.00 EUR 9,000.00 SEK · 7 rounds since Tue 24 Nov, 12:15',
    'Kept in 24 hours 623.00 EUR 9,000.00 SEK · taken less given',
  ]);
  const { text } = await browser.get('/');
  expect(text).toContain('aria-label="By the hour, from 0.00 to 1,200.00 EUR."');
  expect(wordsOf(text)).toContain(
    'Money by the hour, EUR In no hour of 24 more was given than taken; the last one is not over.',
  );
  expect(text).toContain('<th scope="row">11:15</th><td>50.00</td><td>26.00</td><td>24.00</td>');
});

test('they have what was counted since another page read that events wait', async () => {
  const { store, clock } = await countedStore('2026-11-25T12:07:00Z', [
    eur('2026-11-25T11:00:00Z', 20_000n),
  ]);
  const behind = (await countedStore('2026-11-25T12:07:00Z', [])).store;
  let waits = true;
  const browser = open(
    withParts(store, {
      totals: { sum: (...args) => (waits ? behind : store).totals.sum(...args) },
      events: { lag: (operator) => (waits ? lag() : store.events.lag(operator)) },
    }),
    { clock },
  );
  await browser.get('/system');
  await clock.pass(4000);
  expect(await shownBy(browser)).toMatchObject({ currencies: [] });
  waits = false;
  await clock.pass(1000);
  expect(await shownBy(browser)).toMatchObject({ countedUntil: null, currencies: [{ count: 3 }] });
});

test('no round without an end is said only where the first row of tiles has a place', async () => {
  const { store, clock } = await countedStore('2026-11-25T12:07:00Z', [
    eur('2026-11-25T11:00:00Z', 20_000n),
  ]);
  const browser = open(store, { clock });
  expect((await browser.get('/')).text).toContain('No round is open');
  await putRound(store, { gameRound: 'r' }, 'stranded', clock.now());
  await clock.pass(5000);
  const { text } = await browser.get('/');
  expect(text).toContain('At stake in them');
  expect(text).not.toContain('No round is open');
  expect(await tilesOf(browser)).toHaveLength(2);
});

test('they say what they do not cover: totals that began within the day, events that wait, and rounds that were lost', async () => {
  const at = '2026-11-20T10:15:00Z';
  const quarter = Date.parse(at) / 900_000;
  const lost = { quarter, kind: 'round lost', playerId: 'p', gameRound: 'r' } as const;
  const { store, clock } = await countedStore('2026-11-20T11:00:00Z', [eur(at, 20_000n)], {
    gaps: [lost],
  });
  expect(await tilesOf(open(store, { clock }))).toEqual([
    'Taken since the totals began 2.00 EUR 3 rounds since Fri 20 Nov, 10:00; not every round is in them',
    'Kept since the totals began 0.00 EUR taken less given',
  ]);
  const late = open(withParts(store, { events: { lag } }), { clock });
  expect((await tilesOf(late))[0]).toContain('10:00, counted until 10:30; not every');
});

test('of several operators they say since when the sums of each are in them, and of one since when its own are', async () => {
  const { store, clock } = await countedStore('2026-11-20T12:00:00Z', [
    eur('2026-11-20T10:15:00Z', 20_000n),
  ]);
  const second = 'second';
  const account = { operatorId: second, playerId: 'ann', currency: 'EUR', balances: { real: '0' } };
  await store.players.openPlayer(account);
  const since = Date.parse('2026-11-20T11:30:00Z');
  for await (const batch of store.totals.batches({ operatorId: second })) {
    const rows = [eur('2026-11-20T11:30:00Z', 30_000n)];
    await batch.add({ rows, rounds: [], gaps: [], since });
    break;
  }
  const both = [operatorId, second, 'without any'];
  expect((await tilesOf(open(store, { clock, operators: both })))[0]).toBe(
    'Taken since the totals began 5.00 EUR 6 rounds since Fri 20 Nov, 10:00, of an operator since Fri 20 Nov, 11:30',
  );
  expect((await tilesOf(open(store, { clock, operators: [second] })))[0]).toBe(
    'Taken since the totals began 3.00 EUR 3 rounds since Fri 20 Nov, 11:30',
  );
});

test('a day in which more was given than taken is drawn inside its box', async () => {
  const rows = [
    row('2026-11-25T10:00:00Z', 'start', { games: 1n, bet: 10n, win: 90_000_000n }),
    row('2026-11-25T11:30:00Z', 'start', { games: 1n, bet: 40_000_000n }),
  ];
  const { store, clock } = await countedStore('2026-11-25T12:07:00Z', rows);
  const { text } = await open(store, { clock }).get('/');
  expect(text).toContain('aria-label="By the hour, from \u22128,999.999 to 4,000.00 EUR."');
  const [, path = ''] = /from \u22128.*?<path class="ln s1" d="([^"]*)"/s.exec(text) ?? [];
  const heights = [...path.matchAll(/,(-?[\d.]+)/g)].map(([, y]) => Number(y));
  expect(heights).toHaveLength(24);
  expect([Math.min(...heights), Math.max(...heights)]).toEqual([1, 15]);
});

test('without totals they give way to what the debits took that this process answered, each once', async () => {
  const clock = new LeapingClock();
  const calls = createCallWatch({ clock });
  rig = await createRig({ calls, clock });
  const ours = open(createMemoryStore(), { clock, calls, operators: ['acme'] });
  expect((await tilesOf(ours))[0]).toMatch(
    /^Taken by this process nothing 0 debits since .*, without what voids took back; serve --totals counts all$/,
  );
  await rig.call([debit(2.5), credit(), end]);
  await rig.call([debit(2.5), credit(), end]);
  await rig.call([debit(0, { hash: 'f', freePlayUsed: true })], { gameRound: 'free' });
  await rig.call([debit(1000, { hash: 'd2' })], { gameRound: 'poor' });
  await rig.call([debit(0.0001, { hash: 'd3' })], { gameRound: 'small' });
  rig.store.fail('commit', 'unknown');
  await rig.call([debit(7, { hash: 'd4' })], { gameRound: 'unknown' });
  expect(await shownBy(ours)).toMatchObject({
    of: 'this process',
    currencies: [{ currency: 'EUR', taken: '2.5001', kept: null, count: 2 }],
  });
  const [tile] = await tilesOf(ours);
  expect(tile).toMatch(/^Taken by this process 2\.5001 EUR 2 debits since /);
  // People of another operator do not see it.
  const others = open(createMemoryStore(), { clock, calls, operators: [operatorId] });
  expect(await shownBy(others)).toMatchObject({ currencies: [], hours: [] });
});

test('what a process took is in the hour of its debit, and for a day', async () => {
  const clock = new VirtualClock(newYear);
  const calls = createCallWatch({ clock });
  calls.recorder.serve({ operators: [operatorId], debitCheck: null });
  const took = (amount: bigint, currency: string) => {
    const hash = 'd';
    const transaction = { type: 'debit', hash, currency, amount, discount: 10_000n } as const;
    const verdict = { hash, outcome: 'processed', replay: false } as const;
    const outcome = { verdicts: [verdict], unknown: null } as unknown as CallOutcome;
    const round = { operatorId, playerId: 'ann', gameRound: 'r' };
    const call = { ...round, transactions: [transaction] } as unknown as CallAnswered['call'];
    const event = { kind: 'callAnswered', round, call, outcome, status: 200 } as const;
    calls.recorder.listener.on({ ...event, durationMs: 1, isShed: false });
  };
  took(30_000n, 'EUR');
  took(30_000n, 'SEK');
  await clock.pass(90 * 60_000);
  took(2n ** 53n, 'EUR');
  const browser = open(createMemoryStore(), { clock, calls });
  const found = (await shownBy(browser)) as LastDayView;
  expect(found.currencies).toEqual([
    { currency: 'EUR', taken: '900719925475.0992', kept: null, count: 2 },
    { currency: 'SEK', taken: '2', kept: null, count: 1 },
  ]);
  expect([found.from, found.hours.length]).toEqual(['2026-01-01T00:00:00.000Z', 24]);
  expect((await browser.get('/')).text).not.toContain('Money by the hour');
  expect(found.hours.filter(({ taken }) => taken !== '0')).toEqual([
    { from: '2025-12-31T23:45:00.000Z', taken: '2', given: null, kept: null },
    { from: '2026-01-01T00:45:00.000Z', taken: '900719925473.0992', given: null, kept: null },
  ]);
  await clock.pass(22.5 * 3_600_000 - 1);
  expect(((await shownBy(browser)) as LastDayView).currencies).toHaveLength(2);
  await clock.pass(1);
  expect(await shownBy(browser)).toMatchObject({
    from: '2026-01-01T00:15:00.000Z',
    currencies: [{ currency: 'EUR', count: 1 }],
  });
  took(50_000n, 'EUR');
  const next = (await shownBy(browser)) as LastDayView;
  expect(next.currencies).toMatchObject([{ count: 2 }]);
  expect(next.hours.at(-1)).toMatchObject({ taken: '4' });
});

test('nothing is said where nobody counts, and not known where the totals do not answer', async () => {
  expect(await shownBy(open(await storeWithAnn()))).toBe('missing');
  expect(await tilesOf(open(await storeWithAnn()))).toEqual([]);
  const { store, clock } = await countedStore('2026-11-25T12:07:00Z', []);
  const silent = open(withParts(store, { totals: { sum } }), { clock });
  expect(await tilesOf(silent)).toEqual(['Taken in 24 hours not known The store did not answer.']);
});
