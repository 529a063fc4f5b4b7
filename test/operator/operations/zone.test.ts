import { describe, expect, test } from '@jest/globals';

import { VirtualClock } from '../../support/virtual-clock';
import { newYear, open, putRound, queryOf, storeWithAnn, wordsOf } from './fixture';

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
