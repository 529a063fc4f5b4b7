import { describe, expect, test } from '@jest/globals';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import {
  type NotableKind,
  type NotableRound,
  StoreUnavailableError,
} from '../../../lib/operator/wallet';
import { VirtualClock } from '../../support/virtual-clock';
import { withParts } from '../../support/with-parts';
import { hostile, open, operatorId, putRound, queryOf, verdictOf, wordsOf } from './fixture';
import { countedStore, openAccount } from './money/fixture';

const noon = '2026-11-24T12:00:00Z';

function notable(gameRound: string, minute: number, kind: NotableKind = 'won'): NotableRound {
  const at = Date.parse('2026-11-23T10:00:00Z') + minute * 60_000;
  return { kind, at, playerId: 'ann', gameRound };
}

const gone = () => Promise.reject(new StoreUnavailableError('gone'));

interface Listed {
  readonly notable: {
    readonly totals: string;
    readonly rounds: readonly { readonly gameRound: string; readonly round: object | null }[];
    readonly next: string | null;
  };
}

describe('the notable rounds of all players on the page History', () => {
  test('have their player, what they gave, and how they are now; a deleted one says so', async () => {
    const rounds = [notable('gone', 0), notable(hostile, 1), notable('other', 2, 'voided')];
    const { store, clock } = await countedStore(noon, [], { notable: rounds });
    await putRound(store, { gameRound: hostile }, 'stranded');
    const browser = open(store, { clock });
    const { text } = await browser.get('/history?kind=won');
    expect(text).not.toContain(hostile);
    const words = wordsOf(text);
    expect(words).toMatch(
      /&lt;img src=x.* ann 23 Nov 2026, 10:01:00 .* stranded 0.00 EUR 0.00 EUR 0.00 gone ann 23 Nov 2026, 10:00:00 deleted since/,
    );
    expect(words).toContain('Events are counted from 20 Nov 2026, 10:00:00 on.');
    expect(words).not.toContain('other');
    expect(text).toContain(`href="history?operator=${operatorId}&amp;kind=voided"`);
  });

  test('are read page by page within a period, each once', async () => {
    const rounds = Array.from({ length: 45 }, (_, at) => notable(`r${at}`, at));
    const { store, clock } = await countedStore(noon, [], { notable: rounds });
    const browser = open(store, { clock });
    const period = { kind: 'won', from: '2026-11-23T10:02Z', to: '2026-11-23T10:44Z' };
    const seen: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const reply = await browser.get(`/history.json?${queryOf({ ...period, rounds: next })}`);
      const page = (reply.json() as Listed).notable;
      seen.push(...page.rounds.map(({ gameRound }) => gameRound));
      ({ next } = page);
    }
    expect(seen).toEqual(Array.from({ length: 42 }, (_, at) => `r${43 - at}`));
    const { text } = await browser.get(`/history?${queryOf(period)}`);
    const [, older = ''] = /href="(history\?[^"]*)">Older rounds/.exec(text) ?? [];
    const second = wordsOf((await browser.get(`/${older.replaceAll('&amp;', '&')}`)).text);
    expect([second.includes(' r23 '), second.includes(' r24 ')]).toEqual([true, false]);
  });

  test('are a file of all that fit, which says where it ends and is an act; a deleted one has its ids alone', async () => {
    const rounds = Array.from({ length: 250 }, (_, at) => notable(`r${at}`, at));
    const kept = notable('=2+5', 300);
    const { store, clock } = await countedStore(noon, [], {
      notable: [...rounds, kept, notable('other', 1, 'voided')],
    });
    await putRound(store, { gameRound: '=2+5' }, 'stranded');
    const browser = open(store, { clock });
    const period = { kind: 'won', from: '2026-11-23T10:02Z' };
    const page = (await browser.get(`/history?${queryOf(period)}`)).text;
    const [, link = ''] = /href="(notable\.csv\?[^"]*)"/.exec(page) ?? [];
    const file = await browser.get(`/${link.replaceAll('&amp;', '&')}`);
    expect(file.headers['content-disposition']).toContain('notable-2026-11-24.csv');
    const lines = file.text.split('\r\n');
    expect(lines).toHaveLength(1 + 249 + 2);
    expect(lines.slice(1, 3)).toEqual([
      "2026-11-23T15:00:00.000Z,2026-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z,casino,ann,'=2+5,bells-4,stranded,2026-01-01T00:00:00.000Z,EUR,0,0,0,0,",
      '2026-11-23T14:09:00.000Z,,,casino,ann,r249,,,,,,,,,',
    ]);
    expect(lines.at(-2)).toMatch(/^end,249,complete,/);
    const { changes } = (await browser.get('/changes.json')).json() as { changes: object[] };
    const act = { type: 'export', file: 'notable.csv', playerId: null, filter: period };
    expect(changes).toMatchObject([
      { ...act, step: 'ended', rows: 249, isWhole: true },
      { ...act, step: 'begun', rows: 199, isWhole: false },
    ]);
    const { next } = ((await browser.get(`/history.json?${queryOf(period)}`)).json() as Listed)
      .notable;
    const rest = await browser.get(`/notable.jsonl?${queryOf({ ...period, after: next ?? '' })}`);
    const [first, ...others] = rest.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(first).toEqual({
      operatorId,
      playerId: 'ann',
      gameRound: 'r230',
      beganAt: '2026-11-23T13:50:00.000Z',
      round: null,
    });
    expect(others.at(-1)).toMatchObject({ end: { rows: 229, complete: true } });
  });

  test('are a file that is whole of what was counted: its last line says from when until when that is', async () => {
    const { store, clock } = await countedStore(noon, [], { notable: [notable('r', 0)] });
    const browser = open(store, { clock });
    const since = '2026-11-20T10:00:00.000Z';
    const endOf = async () =>
      (await browser.get('/notable.csv?kind=won')).text.split('\r\n').at(-2);
    expect(await endOf()).toBe(`end,1,complete,${since},2026-11-24T12:00:00.000Z`);
    await clock.pass(1000);
    await openAccount(store, 'bob');
    await clock.pass(1000);
    // A second ago nothing waited: that is not what the file says.
    expect(await endOf()).toBe(`end,1,complete,${since},2026-11-24T12:00:01.000Z`);
    const lines = (await browser.get('/notable.jsonl?kind=won')).text.trim().split('\n');
    const end = { rows: 1, complete: true, since, countedUntil: '2026-11-24T12:00:01.000Z' };
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ end });
  });

  test('are no file where nobody lists them, or nothing is counted yet: without rows it would look whole', async () => {
    const clock = new VirtualClock(Date.parse(noon));
    const off = createMemoryStore({ clock });
    const empty = createMemoryStore({ clock, events: ['totals'] });
    for (const store of [off, empty, withParts(off, { totals: undefined })]) {
      const browser = open(store, { clock });
      expect((await browser.get('/notable.csv?kind=won')).status).toBe(501);
      const { changes } = (await browser.get('/changes.json')).json() as { changes: object[] };
      expect(changes).toEqual([]);
    }
  });

  test('say what is missing where nobody keeps totals, nothing is counted, or the store cannot', async () => {
    const clock = new VirtualClock(Date.parse(noon));
    const off = createMemoryStore({ clock });
    const stores = {
      off,
      empty: createMemoryStore({ clock, events: ['totals'] }),
      missing: withParts(off, { totals: undefined }),
    };
    for (const [totals, store] of Object.entries(stores)) {
      const browser = open(store, { clock });
      const { text } = await browser.get('/history?kind=repaired');
      expect(wordsOf(text)).toContain('No round is listed');
      const { notable: view } = (await browser.get('/history.json?kind=repaired')).json() as Listed;
      expect(view).toMatchObject({ totals, rounds: [], next: null });
    }
  });

  test.each([
    ['kind=lost', 'The kind must be one of won, repaired, voided, refused.'],
    ['kind=won&rounds=7', 'The place in the rounds is not valid: begin at the first page.'],
    ['kind=won&from=never', '"Opened from, days of UTC" must be a day such as 2026-11-24'],
  ])('refuse %s', async (query, message) => {
    const { store, clock } = await countedStore(noon, []);
    const { status, text } = await open(store, { clock }).get(`/history.json?${query}`);
    expect([status, text]).toEqual([
      400,
      expect.stringContaining(JSON.stringify(message).slice(1, -1)),
    ]);
  });

  test('answer 503 while the store is silent, and 403 to who may not look', async () => {
    const { store, clock } = await countedStore(noon, []);
    const silent = withParts(store, { totals: { ...store.totals, notable: gone } });
    const reply = await open(silent, { clock }).get('/history?kind=won');
    expect(reply.status).toBe(503);
    const eve = { id: 'eve', name: null, may: ['block'] as const };
    const refused = await open(store, { clock, authorize: () => eve }).get('/history?kind=won');
    expect([refused.status, verdictOf(refused.text)]).toEqual([403, undefined]);
  });
});

test('the search finds a round by its id alone where the totals keep it, and only one that is there still', async () => {
  const kept = { text: 't', expiresAt: null };
  const rounds = ['ann', 'bob', 'cid'].map((playerId) => ({ ...kept, playerId, gameRound: 'win' }));
  const { store, clock } = await countedStore(noon, [], { rounds, isLookup: true });
  await putRound(store, { playerId: 'bob', gameRound: 'win' }, 'closed');
  await putRound(store, { playerId: 'cid', gameRound: 'win' }, 'closed');
  const browser = open(store, { clock });
  const { hits } = (await browser.get('/search.json?q=win')).json() as { hits: object[] };
  expect(hits).toEqual(
    ['bob', 'cid'].map((playerId) => ({ operatorId, playerId, gameRound: 'win' })),
  );
  const many = Array.from({ length: 51 }, (_, at) => ({
    ...kept,
    playerId: `p${at}`,
    gameRound: 'all',
  }));
  const live = await countedStore(noon, [], { rounds: many, isLookup: true });
  for (const round of many) await putRound(live.store, round, 'closed');
  const found = await open(live.store, { clock: live.clock }).get('/search.json?q=all');
  const cut = found.json() as { hits: object[]; isWhole: boolean };
  expect([cut.hits.length, cut.isWhole]).toEqual([50, false]);
  const none = await browser.get('/search?q=nothing');
  expect(wordsOf(none.text)).toContain('rounds by id, with serve --round-lookup');
});
