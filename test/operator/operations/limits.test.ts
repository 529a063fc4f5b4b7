import { describe, expect, test } from '@jest/globals';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { AccountStore, Players } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { withParts } from '../../support/with-parts';
import {
  type Browser,
  maria,
  newYear,
  open,
  operatorId,
  queryOf,
  storeWithAnn,
  wordsOf,
} from './fixture';

const ann = { operatorId, playerId: 'ann' };
const reason = 'asked for by chat';
const dayMs = 86_400_000;

/** A page over a store in memory at the start of 2026, with ann, who has 100 EUR. */
async function pageOfAnn(): Promise<{ store: AccountStore; clock: VirtualClock; page: Browser }> {
  const clock = new VirtualClock(newYear);
  const store = await storeWithAnn('ann', { clock });
  return { store, clock, page: open(store, { clock }) };
}

function limitForm(fields: Readonly<Record<string, string>> = {}): Record<string, string> {
  const limit = { kind: 'deposit', window: 'week', currency: 'EUR', amount: '50.00' };
  return { player: 'ann', ...limit, zone: '', counts: '', reason, ...fields };
}

/** The words of a page. */
async function textOf(page: Browser): Promise<string> {
  const { text } = await page.get(`/player?${queryOf({ player: 'ann' })}`);
  return wordsOf(text);
}

/** What the store says of ann's limits. */
function limitsOf(store: AccountStore): ReturnType<NonNullable<Players['limits']>> {
  if (store.players.limits === undefined) throw new Error('the store holds no limits');
  return store.players.limits(ann);
}

describe('the limits of a player', () => {
  test('are shown with what is used, what remains and when they reset, as text and as JSON', async () => {
    const { store, page } = await pageOfAnn();
    expect(await textOf(page)).toContain('No limit was ever set.');
    const limit = { kind: 'deposit', currency: 'EUR', window: 'week', amount: '50' } as const;
    await store.players.setLimit?.(ann, limit, { by: { id: 'olga', name: null }, reason });
    const deposit = { ...ann, currency: 'EUR', amount: '12.50', reference: 'd' };
    await store.players.deposit(deposit);
    const shown = await textOf(page);
    // The Monday after the first of January.
    expect(shown).toContain(
      'deposits week 50.00 EUR 12.50 37.50 5 Jan 2026, 00:00:00 the real balance UTC',
    );
    expect(shown).toContain(`1 Jan 2026, 00:00:00 deposits week 50.00 EUR olga ${reason}`);
    const { limits } = (await page.get('/player.json?player=ann')).json() as { limits: unknown };
    const terms = { kind: 'deposit', currency: 'EUR', window: 'week', zone: 'UTC', counts: 'real' };
    expect(limits).toEqual({
      limits: [
        {
          ...terms,
          amount: '50',
          used: '12.5',
          remaining: '37.5',
          resetsAt: '2026-01-05T00:00:00.000Z',
        },
      ],
      changes: [
        {
          ...terms,
          amount: '50',
          at: '2026-01-01T00:00:00.000Z',
          by: { id: 'olga', name: null },
          reason,
        },
      ],
    });
  });

  test('are set and lifted by forms, which lead to the page that says so and are in the log', async () => {
    const { store, clock } = await pageOfAnn();
    const lines: unknown[] = [];
    const info = (fields: object): void => void lines.push(fields);
    const page = open(store, { clock, logger: { info, warn: () => {}, error: () => {} } });
    const zoned = limitForm({ zone: 'Europe/Malta', counts: 'all' });
    const set = await page.post('/limit', zoned);
    const there = 'player?operator=casino&player=ann&did=';
    expect([set.status, set.headers['location']]).toEqual([303, `${there}limit-set`]);
    const { text } = await page.get(`/${there}limit-set`);
    expect(text).toContain('Done: the limit counts from now on.');
    expect(text).toContain(
      '<option value="deposit week EUR">deposits per week: 50.00 EUR</option>',
    );
    expect(await limitsOf(store)).toMatchObject({
      limits: [{ kind: 'deposit', zone: 'Europe/Malta', counts: 'all', amount: 500_000n }],
      changes: [{ by: { id: 'maria', name: 'Maria' }, reason }],
    });
    const lifted = await page.post('/lift-limit', {
      player: 'ann',
      limit: 'deposit week EUR',
      reason,
    });
    expect([lifted.status, lifted.headers['location']]).toEqual([303, `${there}limit-lifted`]);
    expect(await limitsOf(store)).toMatchObject({ limits: [], changes: [{ amount: null }, {}] });
    expect(await textOf(page)).toContain('deposits week lifted EUR Maria ( maria )');
    const names = { operatorId, playerId: 'ann', by: 'maria' };
    const limit = { kind: 'deposit', currency: 'EUR', window: 'week' };
    expect(lines).toEqual([
      { ...names, ...limit, amount: '50.00' },
      { ...names, ...limit, amount: null },
    ]);
  });

  test.each<[string, string, Record<string, string>, number, string]>([
    ['an unknown player', 'limit', limitForm({ player: 'bob' }), 404, 'no such player'],
    ['no account in it', 'limit', limitForm({ currency: 'USD' }), 409, 'no account in this'],
    [
      'another zone',
      'limit',
      limitForm({ window: 'day', zone: 'Asia/Tokyo' }),
      409,
      'another zone',
    ],
    ['no zone on earth', 'limit', limitForm({ zone: 'Mars/Olympus' }), 400, 'zone must be'],
    ['an unknown kind', 'limit', limitForm({ kind: 'wins' }), 400, 'kind must be'],
    ['an unknown window', 'limit', limitForm({ window: 'year' }), 400, 'window must be'],
    ['other balances', 'limit', limitForm({ counts: 'bonus' }), 400, 'counts must be'],
    ['no amount, which lifts nothing', 'limit', limitForm({ amount: '' }), 400, 'amount must be'],
    ['an amount with a comma', 'limit', limitForm({ amount: '10,00' }), 400, 'amount must be'],
    ['no reason', 'limit', limitForm({ reason: '' }), 400, 'reason must be'],
    ['no limit to lift', 'lift-limit', { player: 'ann', reason }, 400, 'kind must be'],
    ['no reason to lift', 'lift-limit', { player: 'ann', limit: 'stake day EUR' }, 400, 'reason'],
  ])('with %s are not changed', async (_, action, fields, status, message) => {
    const { store, page } = await pageOfAnn();
    const kept = { kind: 'deposit', currency: 'EUR', window: 'month', amount: '9' } as const;
    await store.players.setLimit?.(ann, kept);
    const before = await limitsOf(store);
    const reply = await page.post(`/${action}`, fields);
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(message)]);
    expect(await limitsOf(store)).toEqual(before);
  });

  test('are changed by a form of our own page alone, by a person with the right block', async () => {
    const { store, page } = await pageOfAnn();
    const lift = { player: 'ann', limit: 'deposit week EUR', reason };
    const forms = { limit: limitForm(), 'lift-limit': lift };
    const looking = open(store, { authorize: () => ({ ...maria, may: ['look', 'propose'] }) });
    for (const [action, fields] of Object.entries(forms)) {
      const foreign = { 'sec-fetch-site': 'cross-site' };
      expect((await page.post(`/${action}`, fields, foreign)).status).toBe(403);
      expect((await page.get(`/${action}?player=ann`)).status).toBe(405);
      const { status, text } = await looking.post(`/${action}`, fields);
      expect([status, text]).toEqual([403, expect.stringContaining('it needs the right block')]);
    }
    expect(await limitsOf(store)).toMatchObject({ limits: [], changes: [] });
    expect((await looking.get('/player?player=ann')).text).not.toContain('method="post"');
  });

  test('one whose past is not counted yet says that what is used is the most it can be (P18)', async () => {
    const { store, clock } = await pageOfAnn();
    const limit = { kind: 'deposit', currency: 'EUR', window: 'week', amount: '50' } as const;
    await store.players.setLimit?.(ann, limit, { by: { id: 'olga', name: null }, reason });
    const limits: NonNullable<Players['limits']> = async (player) => {
      const found = await limitsOf(store);
      if (found.kind !== 'known') throw new Error(`no limits of ${player.playerId}`);
      return { ...found, limits: found.limits.map((one) => ({ ...one, isBound: true })) };
    };
    const page = open(withParts(store, { players: { limits } }), { clock });
    expect(await textOf(page)).toContain('deposits week 50.00 EUR at most 0.00 50.00');
    const { limits: shown } = (await page.get('/player.json?player=ann')).json() as {
      limits: { readonly limits: readonly unknown[] };
    };
    expect(shown.limits).toMatchObject([{ isBound: true }]);
  });

  test('are the platform’s over a store that holds none, and not known of one that is silent', async () => {
    const { store } = await pageOfAnn();
    const parts = { limits: undefined, setLimit: undefined };
    const without = open(withParts(store, { players: parts }));
    expect(await textOf(without)).toContain('This store holds no limits');
    expect((await without.get('/player.json?player=ann')).json()).toMatchObject({ limits: null });
    expect((await without.post('/limit', limitForm())).status).toBe(501);
    const cause = new Error('10.1.2.3 is silent');
    const unknown = async (): Promise<{ kind: 'unknown'; cause: Error }> => ({
      kind: 'unknown',
      cause,
    });
    const silent = open(withParts(store, { players: { limits: unknown, setLimit: unknown } }));
    for (const reply of [
      await silent.get('/player?player=ann'),
      await silent.post('/limit', limitForm()),
    ]) {
      expect([reply.status, reply.text]).toEqual([503, expect.not.stringContaining('10.1.2.3')]);
    }
  });
});

describe('a block with an end', () => {
  test('is made by the form, shown with its end, and over by itself (D13.2)', async () => {
    const { store, clock, page } = await pageOfAnn();
    const fields = { player: 'ann', blocked: 'true', reason, until: '2026-01-02T06:30' };
    expect((await page.post('/block', fields)).status).toBe(303);
    const until = newYear + 30.5 * 3_600_000;
    expect(await store.players.readPlayer(ann)).toMatchObject({
      blocked: true,
      blockedUntil: until,
    });
    const end = 'until 2 Jan 2026, 06:30:00';
    expect(await textOf(page)).toContain(`Debits are refused: the player is blocked ${end}`);
    expect((await page.get('/player.json?player=ann')).json()).toMatchObject({
      blocked: true,
      blockedUntil: '2026-01-02T06:30:00.000Z',
      blocks: [{ blocked: true, until: '2026-01-02T06:30:00.000Z', reason }],
    });
    await clock.pass(until - newYear);
    const after = await textOf(page);
    expect(after).toContain('Debits accepted');
    expect(after).toContain(`blocked ${end}`);
  });

  test.each([
    ['Asia/Kathmandu', '2026-01-02T06:30', '2026-01-02T00:45:00.000Z'],
    ['Asia/Kathmandu', '2026-01-02T06:30:15.5', '2026-01-02T00:45:15.500Z'],
    ['Europe/Malta', '2026-07-02T06:30:15', '2026-07-02T04:30:15.000Z'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T06:30:00.000Z'],
    ['America/New_York', '2026-03-08T02:30', null],
    ['Asia/Kathmandu', '2026-01-02T06:30:00Z', '2026-01-02T06:30:00.000Z'],
  ])(
    'ends by the clocks of the reader, who keeps %s: %s, the later of two, none that they skip',
    async (zone, until, end) => {
      const { store, page } = await pageOfAnn();
      const cookie = `zone=${encodeURIComponent(zone)}`;
      const { text } = await page.get('/player?player=ann', { cookie });
      expect(wordsOf(text)).toContain(`Until, ${zone}; empty: until a person unblocks`);
      const [, named = ''] = /action="block".*?name="zone" value="([^"]*)"/s.exec(text) ?? [];
      const fields = { player: 'ann', blocked: 'true', reason, until, zone: named };
      const reply = await page.post('/block', fields);
      expect(reply.status).toBe(end === null ? 400 : 303);
      expect(await store.players.readPlayer(ann)).toMatchObject({
        blockedUntil: end === null ? null : Date.parse(end),
      });
    },
  );

  test('is changed while it lasts: to another time, or to one without an end', async () => {
    const { store, page } = await pageOfAnn();
    const block = { player: 'ann', blocked: 'true', reason };
    await page.post('/block', { ...block, until: '2026-01-02T06:30:15Z' });
    expect(await textOf(page)).toContain('Change the block');
    await page.post('/block', { ...block, until: '2026-01-03T00:00:00+01:00' });
    expect(await store.players.readPlayer(ann)).toMatchObject({
      blockedUntil: newYear + 2 * dayMs - 3_600_000,
    });
    await page.post('/block', { ...block, until: '' });
    expect(await store.players.readPlayer(ann)).toMatchObject({
      blocked: true,
      blockedUntil: null,
    });
  });

  test.each([
    ['is over', { until: '2025-12-31T23:59' }, 'until must lie ahead'],
    ['is no time', { until: 'tomorrow' }, 'until must be a time'],
    ['is of a day that does not exist', { until: '2026-02-30T10:00' }, 'until must be a time'],
    [
      'is of a block that is lifted',
      { until: '2026-01-02T00:00', blocked: 'false' },
      'until is for',
    ],
  ])('is refused where the end %s', async (_, fields, message) => {
    const { store, page } = await pageOfAnn();
    const reply = await page.post('/block', { player: 'ann', blocked: 'true', reason, ...fields });
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)]);
    expect(await store.players.readPlayer(ann)).toMatchObject({ blocked: false });
  });

  test('is logged with its end', async () => {
    const { store, clock } = await pageOfAnn();
    const lines: unknown[] = [];
    const info = (fields: object): void => void lines.push(fields);
    const page = open(store, { clock, logger: { info, warn: () => {}, error: () => {} } });
    const fields = { player: 'ann', blocked: 'true', reason, until: '2026-01-02T00:00' };
    await page.post('/block', fields);
    const by = 'maria';
    const until = '2026-01-02T00:00:00.000Z';
    expect(lines).toEqual([{ ...ann, blocked: true, until, by }]);
  });
});

test('a store that nobody has opened a player in has no limits to show', async () => {
  const page = open(createMemoryStore());
  expect((await page.get('/player?player=ann')).status).toBe(404);
  expect((await page.post('/limit', limitForm())).status).toBe(404);
});
