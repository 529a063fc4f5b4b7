import { describe, expect, test } from '@jest/globals';

import { createCallWatch, startMinutes } from '../../../lib/operator/operations';
import type { AttentionEntry } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../support/virtual-clock';
import {
  type Browser,
  hostile,
  maria,
  newYear,
  open,
  operatorId,
  putRound,
  storeWithAnn,
  verdictOf,
  wordsOf,
} from './fixture';
import { withParts } from '../../support/with-parts';

const hourMs = 3_600_000;

interface Listed {
  readonly total: number;
  readonly fitting: number;
  readonly isWhole: boolean;
  readonly rows: readonly {
    readonly gameRound: string;
    readonly refusal: string | null;
    readonly atStake: string;
  }[];
  readonly next: string | null;
}

async function listedBy(browser: Browser, query: string): Promise<Listed> {
  return (await browser.get(`/waiting.json?${query}`)).json() as Listed;
}

/** Rounds that wait: a stranded one, a crashed one an hour later, and a cancelled one two hours later. */
async function threeRounds(): Promise<Browser> {
  const store = await storeWithAnn();
  await putRound(store, { gameRound: 'one' }, 'stranded', newYear);
  await putRound(store, { gameRound: 'three' }, 'crashed', newYear + hourMs, 90_000n);
  await putRound(store, { gameRound: 'seven' }, 'cancelled', newYear + 2 * hourMs);
  return open(store, { clock: new VirtualClock(newYear + 3 * hourMs) });
}

describe('the rounds that wait', () => {
  test('are listed up to 10,000, so that a page after an outage costs no more; it says that there are more', async () => {
    const store = await storeWithAnn();
    for (let at = 0; at < 10_000; at++) await putRound(store, { gameRound: `r${at}` }, 'stranded');
    const clock = new VirtualClock(newYear);
    const browser = open(store, { clock });
    expect(await listedBy(browser, '')).toMatchObject({ total: 10_000, isWhole: true });
    await putRound(store, { gameRound: 'one more' }, 'stranded');
    await clock.pass(5000);
    expect(await listedBy(browser, '')).toMatchObject({ total: 10_000, isWhole: false });
    expect((await browser.get('/')).text).toContain('more than 10,000');
    const { text } = await browser.get('/waiting');
    expect(text).toContain('every sum here is at least');
    expect(verdictOf(text)).toBe('More than 10,000 rounds wait for a person');
    expect(wordsOf(text)).toContain('At stake at least: 25,000.00 EUR');
    const player = (await browser.get('/player?player=ann')).text;
    expect(player).toContain('not all were searched for those of this player');
  });

  test.each([
    ['', ['one', 'three', 'seven']],
    ['state=crashed', ['three']],
    ['game=bells-5', ['three', 'seven']],
    ['currency=EUR&min=2.50', ['one', 'three']],
    ['currency=SEK', []],
    ['hours=2', ['one', 'three']],
    ['sort=amount', ['three', 'one', 'seven']],
    ['min=9', ['three']],
  ])('are those that the address asks for: %s', async (query, names) => {
    const found = await listedBy(await threeRounds(), query);
    expect(found.rows.map(({ gameRound }) => gameRound)).toEqual(names);
    expect([found.total, found.fitting]).toEqual([3, names.length]);
  });

  test.each(['state=closed', 'min=-1', 'min=x', 'hours=1.5', 'sort=name', 'after=x'])(
    'are not shown for what cannot be meant: %s',
    async (query) => {
      expect((await (await threeRounds()).get(`/waiting?${query}`)).status).toBe(400);
    },
  );

  test('say why the win was refused', async () => {
    const { rows } = await listedBy(await threeRounds(), '');
    expect(rows.map(({ refusal }) => refusal)).toEqual(['CREDITREFUSED', 'CREDITREFUSED', null]);
  });

  test('lead page by page in the order of the amounts, each once, with what was asked for', async () => {
    const store = await storeWithAnn();
    const names = Array.from({ length: 120 }, (_, at) => `r${at}`);
    for (const [at, gameRound] of names.entries()) {
      await putRound(store, { gameRound }, 'stranded', newYear, BigInt(((at * 7) % 120) + 1));
    }
    const browser = open(store);
    const seen: string[] = [];
    const amounts: number[] = [];
    let query = 'sort=amount&state=stranded';
    for (;;) {
      const { rows, next } = await listedBy(browser, query);
      seen.push(...rows.map(({ gameRound }) => gameRound));
      amounts.push(...rows.map(({ atStake }) => Number(atStake)));
      if (next === null) break;
      query = `sort=amount&state=stranded&after=${next}`;
    }
    expect(seen.toSorted()).toEqual(names.toSorted());
    expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));
    expect(new Set(amounts).size).toBe(120);
    const { text } = await browser.get('/waiting?sort=amount&state=stranded');
    expect(text).toContain('href="waiting?state=stranded&amp;sort=amount&amp;after=');
  });

  test.each(['r', '\u{1f3b0}'])(
    'are fewer on a page below 100 KB where the ids are long, each once: 120 %s',
    async (letter) => {
      const store = await storeWithAnn();
      const names = Array.from({ length: 60 }, (_, at) => `${letter.repeat(120)}${at}`);
      for (const [at, gameRound] of names.entries()) {
        const playerId = letter.repeat(128);
        await putRound(store, { playerId, gameRound }, 'stranded', newYear + at);
      }
      const browser = open(store);
      const seen: string[] = [];
      for (let query = ''; ; ) {
        const page = await browser.get(`/waiting?${query}`);
        expect(Buffer.byteLength(page.text)).toBeLessThan(100_000);
        const { rows, next } = await listedBy(browser, query);
        expect(rows.length).toBeGreaterThan(0);
        seen.push(...rows.map(({ gameRound }) => gameRound));
        if (next === null) break;
        query = `after=${encodeURIComponent(next)}`;
      }
      expect(seen).toEqual(names);
      expect(Buffer.byteLength((await browser.get('/')).text)).toBeLessThan(100_000);
    },
  );
});

const minuteMs = 60_000;

/** What a page says beside "Waiting", and when it was counted. */
async function countOn(browser: Browser, target = '/search'): Promise<string | null> {
  const { text } = await browser.get(target);
  const [, title, words] = />Waiting <span class="pill" title="([^"]*)">([^<]*)</.exec(text) ?? [];
  return words === undefined ? null : `${words}, ${title}`;
}

/** Two rounds that wait, and how often they were listed. */
async function twoRounds() {
  const store = await storeWithAnn();
  await putRound(store, { gameRound: 'one' }, 'stranded');
  await putRound(store, { gameRound: 'two' }, 'crashed');
  let reads = 0;
  const attention = (operator: string) => {
    reads += 1;
    return store.lists.attention(operator);
  };
  return { store: withParts(store, { lists: { attention } }), reads: () => reads };
}

describe('the count in the navigation', () => {
  test('is that of the last list, on pages that read none, and is left out once it is old', async () => {
    const { store, reads } = await twoRounds();
    const clock = new VirtualClock(newYear);
    const browser = open(store, { clock });
    expect(await countOn(browser)).toBeNull();
    expect(await countOn(browser, '/waiting?state=crashed')).toBe('2, counted at 00:00');
    await clock.pass(minuteMs);
    expect(await countOn(browser, '/')).toBe('2, counted at 00:01');
    await clock.pass(6 * minuteMs - 1);
    for (const target of ['/search', '/person', '/changes', '/nothing']) {
      expect([target, await countOn(browser, target)]).toEqual([target, '2, counted at 00:01']);
    }
    expect(reads()).toBe(2);
    await clock.pass(1);
    expect(await countOn(browser)).toBeNull();
    expect(reads()).toBe(2);
  });

  test('is not shown when nothing waits, and a list that was cut is more than what it has', async () => {
    const empty = open(await storeWithAnn());
    expect(await countOn(empty, '/waiting')).toBeNull();
    const store = await storeWithAnn();
    await putRound(store, { gameRound: 'one' }, 'stranded');
    async function* attention(operator: string): AsyncGenerator<AttentionEntry> {
      for (let at = 0; at < 10_001; at++) yield* store.lists.attention(operator);
    }
    const cut = open(withParts(store, { lists: { attention } }));
    expect(await countOn(cut, '/waiting')).toMatch(/^more than 10,000, /);
  });

  test('is that of the last sample of the same operators, without a list on any page', async () => {
    const { store, reads } = await twoRounds();
    const clock = new VirtualClock(newYear);
    const random = { next: () => 0.5, bytes: (count: number) => Buffer.alloc(count, 1) };
    const calls = createCallWatch({ clock, random });
    calls.recorder.serve({ operators: [operatorId], debitCheck: null });
    const running = startMinutes({ store, calls, clock, random });
    const browser = open(store, { clock, calls });
    expect(await countOn(browser)).toBeNull();
    await clock.pass(minuteMs + 5000);
    expect(await countOn(browser)).toBe('2, counted at 00:01');
    const others = open(store, { clock, calls, operators: [operatorId, 'other'] });
    expect(await countOn(others)).toBeNull();
    expect(reads()).toBe(1);
    await running.stop();
  });

  test('is not known after a repair, until it is counted again', async () => {
    const { store } = await twoRounds();
    const may = ['look', 'propose', 'approve'] as const;
    const [clock, authorize] = [new VirtualClock(newYear), () => ({ ...maria, may })];
    const browser = open(store, { clock, authorize, fourEyes: { above: { EUR: '1000' } } });
    expect(await countOn(browser, '/')).toBe('2, counted at 00:00');
    const round = { player: 'ann', round: 'one' };
    const order = { ...round, kind: 'pay', reason: 'the win was seen by support' };
    expect((await browser.post('/propose', order)).status).toBe(303);
    expect(await countOn(browser)).toBe('2, counted at 00:00');
    const key = { operatorId, playerId: 'ann', gameRound: 'one' };
    const [repair] = (await store.rounds.readRound(key))?.toJSON().repairs ?? [];
    const made = await browser.post('/approve', { ...round, repair: repair?.id ?? '' });
    expect([made.status, await countOn(browser)]).toEqual([303, null]);
    expect(await countOn(browser, '/')).toBe('1, counted at 00:00');
  });
});

describe('the field at the top', () => {
  test.each([
    ['ann', `player?operator=${operatorId}&player=ann`],
    ['  ann ', `player?operator=${operatorId}&player=ann`],
    ['ann one', `round?operator=${operatorId}&player=ann&round=one`],
    ['ann win of one', `round?operator=${operatorId}&player=ann&round=one`],
    ['three', `round?operator=${operatorId}&player=ann&round=three`],
  ])('leads to the one thing that "%s" means', async (text, target) => {
    const store = await storeWithAnn('ann', { history: true });
    await putRound(store, { gameRound: 'one' }, 'closed');
    await putRound(store, { gameRound: 'three' }, 'crashed');
    const { headers } = await open(store).get(`/search?q=${encodeURIComponent(text)}`);
    expect(headers['location']).toBe(target);
  });

  test('lists what an id means of several players, and says where it searched for one that means nothing', async () => {
    const store = await storeWithAnn();
    await putRound(store, { gameRound: 'same' }, 'stranded');
    await putRound(store, { playerId: 'bob', gameRound: 'same' }, 'stranded');
    const browser = open(store);
    expect((await browser.get('/search.json?q=same')).json()).toMatchObject({
      hits: [{ gameRound: 'same' }, { gameRound: 'same' }],
    });
    const nothing = await browser.get(`/search?q=${encodeURIComponent(hostile)}`);
    expect(nothing.status).toBe(404);
    expect(nothing.text).toContain(
      'players; rounds of a player; rounds by id, with serve --round-lookup; rounds that wait',
    );
    expect(nothing.text).not.toContain('<img');
  });
});
