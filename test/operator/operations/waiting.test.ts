import { describe, expect, test } from '@jest/globals';

import { VirtualClock } from '../../support/virtual-clock';
import {
  type Browser,
  hostile,
  newYear,
  open,
  operatorId,
  putRound,
  storeWithAnn,
} from './fixture';

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
    const browser = open(store);
    expect(await listedBy(browser, '')).toMatchObject({ total: 10_000, isWhole: true });
    await putRound(store, { gameRound: 'one more' }, 'stranded');
    expect(await listedBy(browser, '')).toMatchObject({ total: 10_000, isWhole: false });
    expect((await browser.get('/')).text).toContain('more than 10,000');
    expect((await browser.get('/waiting')).text).toContain('every sum here is at least');
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
