import { describe, expect, test } from '@jest/globals';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { VirtualClock } from '../../support/virtual-clock';
import {
  maria,
  newYear,
  open,
  operatorId,
  putRound,
  queryOf,
  storeWithAnn,
  wordsOf,
} from './fixture';

describe('the times of the pages', () => {
  test('are in the zone that the reader has kept, and in UTC in what is pointed at and in the JSON', async () => {
    const store = await storeWithAnn();
    await putRound(store, { gameRound: 'r' }, 'stranded');
    const browser = open(store, { clock: new VirtualClock(newYear) });
    const kept = await browser.post('/zone', { zone: 'America/New_York' });
    expect([kept.status, kept.headers['location']]).toEqual([303, 'person?did=zone']);
    const [cookie = ''] = (kept.headers['set-cookie'] ?? '').split(';');
    expect(kept.headers['set-cookie']).toMatch(/; HttpOnly; SameSite=Strict$/);
    const query = queryOf({ player: 'ann', round: 'r' });
    const { text } = await browser.get(`/round?${query}`, { cookie: `a=b; ${cookie}; c=d` });
    expect(wordsOf(text)).toContain('opened Wed 31 Dec 2025, 19:00:00');
    expect(wordsOf(text)).toContain('As of Wed 31 Dec 2025, 19:00:00 , America/New_York');
    expect(text).toContain('<time datetime="2026-01-01T00:00:00.000Z"');
    expect((await browser.get(`/round.json?${query}`, { cookie })).text).toContain(
      '"stateSince":"2026-01-01T00:00:00.000Z"',
    );
  });

  test('are named with their zone in the head of every table that has one', async () => {
    const store = await storeWithAnn('ann', { history: true });
    await putRound(store, { gameRound: 'r' }, 'stranded');
    const reason = 'the papers came by mail';
    const clock = new VirtualClock(newYear);
    const browser = open(store, {
      clock,
      timeZone: 'Asia/Tokyo',
      authorize: () => ({ ...maria, may: ['look', 'block', 'propose'] }),
    });
    const ann = { operator: operatorId, player: 'ann' };
    const limit = { kind: 'stake', window: 'day', currency: 'EUR', amount: '10', counts: 'real' };
    const forms = {
      '/block': { blocked: 'true', reason },
      '/limit': { ...limit, zone: 'UTC', reason },
      '/propose': { round: 'r', kind: 'pay', reason },
    };
    for (const [path, fields] of Object.entries(forms)) {
      expect((await browser.post(path, { ...ann, ...fields })).status).toBe(303);
    }
    const heads: string[] = [];
    for (const path of ['/player?player=ann', '/repair-log', '/changes']) {
      const { text } = await browser.get(path);
      for (const [table] of text.matchAll(/<table>.*?<\/table>/gs)) {
        if (!table.includes('<time ')) continue;
        const head = />([^<>]*), Asia\/Tokyo<\/th>/.exec(table)?.[1];
        heads.push(`${path.slice(1, 7)} ${head ?? 'without a zone'}`);
      }
    }
    expect(heads).toEqual([
      'player opened',
      'player time',
      'player resets',
      'player time',
      'player time',
      'repair proposed',
      'change when',
    ]);
  });

  test.each(['zone=Mars%2FOlympus', 'zone=%', 'zone=', 'other=Asia%2FTokyo'])(
    'are in the zone of the option where the reader has kept none: %s',
    async (cookie) => {
      const browser = open(await storeWithAnn(), { timeZone: 'Europe/Malta' });
      expect(wordsOf((await browser.get('/', { cookie })).text)).toContain(', Europe/Malta');
    },
  );

  test.each(['Asia/Kathmandu', 'Asia/Katmandu', 'Asia/Kolkata', 'Europe/Kyiv', 'America/Nuuk'])(
    'can be in a zone by its name of today or by a former one: %s',
    async (zone) => {
      const browser = open(await storeWithAnn(), { timeZone: zone });
      expect((await browser.post('/zone', { zone })).status).toBe(303);
      expect((await browser.get('/person')).text).toContain(`<option value="${zone}" selected>`);
    },
  );

  test('are not kept in what is no zone, nor by a form of another site', async () => {
    const browser = open(await storeWithAnn());
    expect((await browser.post('/zone', { zone: 'Mars/Olympus' })).status).toBe(400);
    expect((await browser.post('/zone', {})).status).toBe(400);
    const foreign = { 'sec-fetch-site': 'cross-site' };
    expect((await browser.post('/zone', { zone: 'UTC' }, foreign)).status).toBe(403);
  });

  test('of a wrong option are refused at creation', async () => {
    const store = await storeWithAnn();
    expect(() => open(store, { timeZone: 'Mars/Olympus' })).toThrow(/timeZone must be/);
  });
});

/** Malta is an hour ahead of UTC in winter: its January ends at 23:00 UTC. */
describe('the days of a filter', () => {
  const endOfJanuary = Date.UTC(2026, 0, 31, 23, 30);
  const january = { from: '2026-01-01', to: '2026-01-31' };

  async function inMalta() {
    const clock = new VirtualClock(endOfJanuary);
    const store = createMemoryStore({ clock });
    const ann = { operatorId, playerId: 'ann', currency: 'EUR', balances: { real: '1' } };
    await store.players.openPlayer({ ...ann, by: { id: 'anna', name: null } });
    await putRound(store, { gameRound: 'of January' }, 'closed', newYear - 1_800_000);
    await putRound(store, { gameRound: 'of February' }, 'closed', endOfJanuary);
    return open(store, { clock, booksZone: 'Europe/Malta', timeZone: 'Asia/Tokyo' });
  }

  test('of rounds are those of the books, on each page, in the JSON and in the files', async () => {
    const browser = await inMalta();
    const query = queryOf({ player: 'ann', ...january });
    for (const page of ['player', 'player.json', 'history', 'history.json', 'rounds.csv']) {
      const { status, text } = await browser.get(`/${page}?${query}`);
      expect([page, status]).toEqual([page, 200]);
      expect([page, text.includes('of January'), text.includes('of February')]).toEqual([
        page,
        true,
        false,
      ]);
    }
  });

  test('of changes are those of the books', async () => {
    const browser = await inMalta();
    const found = async (day: string) => {
      const { text } = await browser.get(`/changes.json?from=${day}&to=${day}`);
      return (JSON.parse(text) as { changes: unknown[] }).changes.length;
    };
    expect([await found('2026-01-31'), await found('2026-02-01')]).toEqual([0, 1]);
  });

  test('are named with their zone at each field and in what is refused', async () => {
    const browser = await inMalta();
    for (const page of [`history?${queryOf({ player: 'ann' })}`, 'changes']) {
      const { text } = await browser.get(`/${page}`);
      expect(wordsOf(text)).toMatch(/[Ff]rom, days of Europe\/Malta to, days of Europe\/Malta/);
    }
    for (const page of [`player?${queryOf({ player: 'ann', to: 'x' })}`, 'changes?to=x']) {
      const { status, text } = await browser.get(`/${page}`);
      expect(status).toBe(400);
      expect(text).toContain(
        'to, days of Europe/Malta&quot; must be a day such as 2026-11-24 (Eur',
      );
    }
  });

  test('are those of the month that has begun there, in the ready searches', async () => {
    const { text } = await (await inMalta()).get(`/history?${queryOf({ player: 'ann' })}`);
    const player = 'history?operator=casino&amp;player=ann';
    expect(text).toContain(`"${player}&amp;from=2026-02-01&amp;to=2026-02-28">This month`);
    expect(text).toContain(`"${player}&amp;from=2026-01-01&amp;to=2026-01-31">Last month`);
  });

  test('are written in the act of a file as they were typed, with their zone; the file has the month or the days asked for in its name, else the day of the books', async () => {
    const browser = await inMalta();
    const filter = { ...january, zone: 'Europe/Malta' };
    const { headers } = await browser.get(`/rounds.csv?${queryOf({ player: 'ann', ...january })}`);
    expect(headers['content-disposition']).toContain('"rounds-2026-01.csv"');
    await browser.get(`/changes.csv?${queryOf({ ...january })}`);
    const opened = { player: 'ann', from: '2026-01-01T00:00Z' };
    const since = (await browser.get(`/rounds.csv?${queryOf(opened)}`)).headers;
    expect(since['content-disposition']).toContain('"rounds-2026-02-01.csv"');
    const { text } = await browser.get('/changes.json?kind=export');
    const acts = (JSON.parse(text) as { changes: { filter: object }[] }).changes;
    const filters = acts.map((act) => act.filter);
    expect(filters).toHaveLength(3);
    expect(filters).toEqual(expect.arrayContaining([filter, { from: '2026-01-01T00:00Z' }]));
    expect(filters.filter((one) => 'zone' in one)).toEqual([filter, filter]);
    const days = await browser.get('/changes.csv?from=2026-01-05&to=2026-01-31');
    expect(days.headers['content-disposition']).toContain('"changes-2026-01-05-to-2026-01-31.csv"');
  });
});
