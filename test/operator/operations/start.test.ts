import { describe, expect, test } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { proposeRepair } from '../../../lib/operator/operations';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { StoreUnavailableError } from '../../../lib/operator/wallet';
import { createMemoryLedger } from '../../../lib/proof';
import { credit, debit, RoundPlay } from '../../../lib/proof/contracts/repairs/round-play';
import { VirtualClock } from '../../support/virtual-clock';
import {
  hostile,
  newYear,
  open,
  operatorId,
  putRound,
  storeWithAnn,
  verdictOf,
  wordsOf,
} from './fixture';
import { withParts } from '../../support/with-parts';

const dayMs = 24 * 3_600_000;

function plain(text = ''): string {
  return text.replace(/<[^>]*>/g, '');
}

/** Each tile of the page: its name and its figure. */
function tilesOf(page: string): Record<string, string> {
  const tiles = [...page.matchAll(/<li class="tile[^>]*><span>(.*?)<\/span><b>(.*?)<\/b>/gs)];
  return Object.fromEntries(tiles.map(([, name, value]) => [plain(name), plain(value)]));
}

async function* down(): AsyncGenerator<never> {
  yield await Promise.reject(new StoreUnavailableError('10.1.2.3 is down'));
}

describe('rounds without an end', () => {
  test('wait on the start page once they are open for three days, with since when and how much', async () => {
    const store = await storeWithAnn();
    await putRound(store, { gameRound: 'fresh' }, 'open', newYear + dayMs);
    await putRound(store, { gameRound: 'old' }, 'open', newYear);
    await putRound(store, { gameRound: 'older' }, 'open', newYear - dayMs);
    await putRound(store, { gameRound: 'closed' }, 'closed', newYear - dayMs);
    const browser = open(store, { clock: new VirtualClock(newYear + 3 * dayMs) });
    const start = await browser.get('/');
    expect(verdictOf(start.text)).toBe('The store is ready');
    expect(tilesOf(start.text)).toEqual({ 'Rounds that wait': '0', 'Rounds without an end': '2' });
    expect(wordsOf(start.text)).toContain('open for more than 72 hours; the oldest for 4 d');
    expect(wordsOf((await browser.get('/waiting')).text)).toContain('no end 2 pending Refresh');
    const { text } = await browser.get('/open');
    const listed = [...text.matchAll(/<bdi>(.*?)<\/bdi>/g)].map(([, name]) => name);
    expect(listed.filter((name) => /old|fresh|closed/.test(name ?? ''))).toEqual(['older', 'old']);
    expect((await browser.get('/open.json')).json()).toMatchObject({
      total: 2,
      oldest: '2025-12-31T00:00:00.000Z',
    });
  });

  test('are those of the hours that the option names', async () => {
    const store = await storeWithAnn();
    await putRound(store, { gameRound: 'r' }, 'open', newYear);
    const clock = new VirtualClock(newYear + 2 * 3_600_000);
    const two = (await open(store, { clock, openHours: 2 }).get('/')).text;
    expect(tilesOf(two)).toMatchObject({ 'Rounds without an end': '1' });
    expect((await open(store, { clock, openHours: 3 }).get('/')).text).toContain(
      'No round is open for more than 3 hours.',
    );
    const oneHour = open(store, { clock, openHours: 1 });
    expect(wordsOf((await oneHour.get('/')).text)).toContain('open for more than 1 hour;');
    expect((await oneHour.get('/open')).text).toContain('open for more than 1 hour: no end came');
    for (const openHours of [0, -1, 1.5, '72', 1_000_001] as number[]) {
      expect(() => open(store, { openHours })).toThrow(/openHours must be a whole number/);
    }
  });

  test('are said not to be listed where the store has no index, and not known where it is silent', async () => {
    const store = await storeWithAnn();
    const without = open(withParts(store, { lists: { openRounds: undefined } }));
    expect((await without.get('/')).text).toContain('This store has no index of open rounds');
    expect((await without.get('/open')).text).toContain('This store has no index of open rounds');
    const silent = open(withParts(store, { lists: { openRounds: down } }));
    const { status, text } = await silent.get('/');
    expect([status, text.includes('10.1.2.3')]).toEqual([200, false]);
    expect(tilesOf(text)).toMatchObject({ 'Rounds without an end': 'not known' });
    expect((await silent.get('/open')).status).toBe(503);
  });
});

describe('postings that the ledger has not answered', () => {
  test('wait on the start page, and have a page with the money in them', async () => {
    const ledger = createMemoryLedger();
    const journal = createMemoryStore();
    let isDown = false;
    const flaky = {
      debit: ledger.debit.bind(ledger),
      reverse: ledger.reverse.bind(ledger),
      balances: ledger.balances.bind(ledger),
      credit: (...order: Parameters<typeof ledger.credit>) =>
        isDown ? Promise.reject(new Error('no answer')) : ledger.credit(...order),
    };
    const store = createLedgerStore({ ledger: flaky, journal, deadlineMs: 200 });
    const play = await RoundPlay.open({ store, players: ledger });
    await play.call(debit('d', 10n, true));
    const clock = new VirtualClock(newYear);
    let reads = 0;
    const unfinished = (operator: string) => {
      reads += 1;
      return store.lists.unfinished(operator);
    };
    const counted = withParts(store, { lists: { unfinished } });
    const browser = open(counted, { operators: [play.round.operatorId], clock });
    expect((await browser.get('/')).text).toContain('The ledger has answered everything.');
    isDown = true;
    await expect(play.call(credit('c', 25n))).rejects.toThrow();
    await clock.pass(5000);
    const { text } = await browser.get('/');
    expect(tilesOf(text)).toMatchObject({ 'Pending at the ledger': '1' });
    for (const target of ['/', '/waiting']) {
      expect(wordsOf((await browser.get(target)).text)).toContain('no end 0 pending 1');
    }
    const { gameRound } = play.round;
    expect((await browser.get('/pending.json')).json()).toMatchObject({
      total: 1,
      isWhole: true,
      rows: [{ gameRound, posts: ['c'], reversals: [], amounts: { EUR: '0.0025' } }],
    });
    expect((await browser.get('/pending')).text).toContain(gameRound);
    expect(reads).toBe(2);
    await store.close();
  });

  test('are none of a store that keeps the money itself', async () => {
    const browser = open(await storeWithAnn());
    expect((await browser.get('/')).text).not.toContain('at the ledger');
    expect((await browser.get('/pending')).text).toContain('keeps the money itself');
  });
});

describe('consumers of the events', () => {
  const clock = new VirtualClock(newYear);
  const lagging = async (...lags: (readonly [string, number, number | null])[]) => {
    const lag = async () =>
      lags.map(([consumer, waiting, oldestAt]) => ({ consumer, waiting, oldestAt }));
    return open(withParts(await storeWithAnn(), { events: { lag } }), {
      clock,
      operators: [operatorId, 'other'],
    });
  };

  test('that lag for ten minutes are on the start page, by name and since when', async () => {
    const browser = await lagging(
      ['fine', 2, newYear - 1000],
      [hostile, 7, newYear - 2 * 3_600_000],
      ['idle', 0, null],
    );
    const { text } = await browser.get('/');
    expect(text).not.toContain('<img');
    expect(wordsOf(text)).toMatch(
      /&lt;img [^>]*&gt; 14 2 h 0 min ago late fine 4 1 s ago up to date/,
    );
    expect((await browser.get('/attention.json')).json()).toMatchObject({
      events: { consumers: [{ consumer: hostile, waiting: 14 }, { consumer: 'fine' }, {}] },
    });
  });

  test('that keep up are counted, and none are said to be none', async () => {
    const { text } = await (await lagging(['a', 3, newYear - 1000])).get('/');
    expect(wordsOf(text)).toContain('a 6 1 s ago up to date');
    expect((await (await lagging()).get('/')).text).toContain('Nobody is declared');
  });

  test('are left out where the store writes no events', async () => {
    const store = await storeWithAnn();
    const journal = { ...createMemoryStore(), events: undefined };
    const ledger = createLedgerStore({ ledger: createMemoryLedger(), journal });
    for (const one of [{ ...store, events: undefined }, ledger]) {
      const { status, text } = await open(one).get('/');
      expect([status, text.includes('onsume')]).toEqual([200, false]);
    }
    await ledger.close();
  });
});

test('a proposal that is older than a day waits no longer', async () => {
  const store = await storeWithAnn();
  await putRound(store, { gameRound: 'r' }, 'stranded');
  const clock = new VirtualClock(newYear);
  const key = { operatorId, playerId: 'ann', gameRound: 'r' };
  const order = { kind: 'pay', reason: 'the win was seen by support' } as const;
  await proposeRepair(key, order, { id: 'ines', name: null }, { store, clock });
  const browser = open(store, { clock });
  await clock.pass(dayMs - 5000);
  expect((await browser.get('/')).text).toContain('1 repair waits for approval');
  await clock.pass(5000);
  expect((await browser.get('/')).text).not.toContain('for approval');
  expect((await browser.get('/repairs.json')).json()).toMatchObject({ rows: [] });
});
