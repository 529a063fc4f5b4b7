import { describe, expect, test } from '@jest/globals';
import express from 'express';
import express4 from 'express4';

import { createOperationsRouter } from '../../../lib/operator/operations';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { type AttentionEntry, StoreUnavailableError } from '../../../lib/operator/wallet';
import { createSeededRandom } from '../../../lib/platform';
import { VirtualClock } from '../../support/virtual-clock';
import {
  browse,
  maria,
  newYear,
  open,
  operatorId,
  putRound,
  queryOf,
  sameOrigin,
  storeWithAnn,
  wordsOf,
} from './fixture';
import { withParts } from '../../support/with-parts';

const hourMs = 3_600_000;

/** The cells of a page's table, row by row, without their markup. */
function rowsOf(page: string): string[][] {
  return [...page.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) =>
      cell.replace(/<[^>]*>/g, ''),
    ),
  );
}

/** A place in the list, as a link has it. */
function cursor(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('the start page', () => {
  test('says that money can move and that nothing waits', async () => {
    const { status, text } = await open(await storeWithAnn()).get('/');
    expect(status).toBe(200);
    expect(text).toContain('The store is ready');
    expect(text).toContain('No round waits');
  });

  test('says how many rounds wait, since when and for how much, and lists the oldest first', async () => {
    const store = await storeWithAnn();
    await putRound(store, { gameRound: 'young' }, 'crashed', newYear + 2 * hourMs);
    await putRound(store, { gameRound: 'old' }, 'stranded', newYear);
    await putRound(store, { gameRound: 'done' }, 'closed', newYear);
    const clock = new VirtualClock(newYear + 27 * hourMs + 60_000);
    const { text } = await open(store, { clock }).get('/');
    const words = wordsOf(text);
    expect(words).toContain('Rounds that wait 2 the oldest for 1 d 3 h');
    expect(words).toContain('At stake in them 5.00 EUR');
    expect(words).toContain('all 2 stranded 1 crashed 1 cancelled 0');
    expect(words).toContain(
      'stranded Win refused: the account refused it old ann · bells-3 2.50 EUR 1 d 3 h Look crashed A later win was refused: the account refused it young ann · bells-5 2.50 EUR 1 d 1 h Look',
    );
  });

  test('leads through however many rounds, each once and in order, whatever their ids and times', async () => {
    const store = await storeWithAnn();
    const random = createSeededRandom(7);
    const names = Array.from({ length: 130 }, (_, at) => `${at % 2 === 0 ? 'ä' : 'r'}${at}`);
    for (const gameRound of names) {
      const since = newYear + Math.floor(random.next() * 5) * hourMs;
      await putRound(store, { gameRound }, 'stranded', since);
    }
    const browser = open(store);
    const seen: { since: string; gameRound: string }[] = [];
    const sizes: number[] = [];
    let next: string | null = '';
    while (next !== null) {
      const query: string = new URLSearchParams({ after: next }).toString();
      const { attention } = (await browser.get(`/attention.json?${query}`)).json() as {
        attention: { rows: typeof seen; next: string | null; total: number };
      };
      expect(attention.total).toBe(130);
      seen.push(...attention.rows);
      sizes.push(attention.rows.length);
      ({ next } = attention);
    }
    expect(sizes).toEqual(Array.from({ length: 13 }, () => 10));
    expect(seen.map(({ gameRound }) => gameRound).toSorted()).toEqual(names.toSorted());
    const times = seen.map(({ since }) => since);
    expect(times).toEqual(times.toSorted());
  });

  test('past the end says that nothing further waits; an invalid place is refused', async () => {
    const store = await storeWithAnn();
    await putRound(store, { gameRound: 'r' }, 'stranded');
    const browser = open(store);
    const end = cursor(['', `${newYear + 1}`, operatorId, 'ann', 'r']);
    expect((await browser.get(`/?after=${end}`)).text).toContain('Nothing further waits.');
    const wrong = [
      'x',
      '!',
      cursor([1]),
      cursor(['', 'a', 'b', 'c', 'd']),
      cursor(['', 1, 'b', 'c', 'd']),
      cursor(null),
    ];
    for (const one of wrong) expect((await browser.get(`/?after=${one}`)).status).toBe(400);
  });

  test('shows a store that does not answer, with 503', async () => {
    const down = withParts(await storeWithAnn(), {
      ready: () => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3')),
      lists: {
        // oxlint-disable-next-line require-yield
        attention: async function* (): AsyncGenerator<AttentionEntry> {
          throw new StoreUnavailableError('redis://10.1.2.3 is down');
        },
      },
      rounds: {
        readRound: async () => {
          throw new StoreUnavailableError('redis://10.1.2.3 is down');
        },
      },
      players: {
        readPlayer: async () => ({ kind: 'unknown', cause: new Error('10.1.2.3') }),
        setBlocked: async () => ({ kind: 'unknown', cause: new Error('10.1.2.3') }),
      },
    });
    const browser = open(down);
    const start = await browser.get('/');
    expect(start.status).toBe(503);
    expect(start.text).toContain('No money moves: the store is not ready');
    expect(wordsOf(start.text)).toContain('Rounds that wait not known');
    const replies = [
      start,
      await browser.get(`/player?${queryOf({ player: 'ann' })}`),
      await browser.get(`/round?${queryOf({ player: 'ann', round: 'r' })}`),
      await browser.post('/block', {
        operator: operatorId,
        player: 'ann',
        blocked: 'true',
        reason: 'a chargeback',
      }),
    ];
    for (const { status, text } of replies) {
      expect(status).toBe(503);
      expect(text).not.toContain('10.1.2.3');
    }
  });

  test('does not wait for ever for a store that hangs', async () => {
    const clock = new VirtualClock(newYear);
    const never = new Promise<never>(() => {});
    const hanging = withParts(await storeWithAnn(), {
      ready: () => never,
      lists: {
        // oxlint-disable-next-line require-yield
        attention: async function* (): AsyncGenerator<AttentionEntry> {
          await never;
        },
      },
    });
    const progress = { isDone: false };
    const asked = open(hanging, { clock })
      .get('/')
      .finally(() => {
        progress.isDone = true;
      });
    while (!progress.isDone) await clock.pass(1000);
    expect(await asked).toMatchObject({ status: 503 });
  });
});

describe('search', () => {
  test('leads to the player, or to the round', async () => {
    const browser = open(createMemoryStore());
    const to = async (target: string) => (await browser.get(target)).headers['location'];
    expect(await to('/search?player=a%26b')).toBe('player?operator=casino&player=a%26b');
    expect(await to('/search?player=ann&round=r+1')).toBe(
      'round?operator=casino&player=ann&round=r+1',
    );
    expect(await to('/search.json?player=ann')).toBe('player.json?operator=casino&player=ann');
  });

  test('asks for the operator if there are several', async () => {
    const browser = open(createMemoryStore(), { operators: ['casino', 'other'] });
    expect((await browser.get('/search')).text).toContain('<select name="operator">');
    expect((await browser.get('/search?player=ann')).status).toBe(400);
    expect((await browser.get('/search?player=ann&operator=other')).status).toBe(303);
  });
});

describe('a player', () => {
  test('is shown with the accounts, as text and as JSON', async () => {
    const browser = open(await storeWithAnn());
    const { text } = await browser.get(`/player?${queryOf({ player: 'ann' })}`);
    expect(wordsOf(text)).toContain('Real balance 100.00 EUR no bonus balance');
    expect((await browser.get('/player.json?player=ann')).json()).toMatchObject({
      operatorId,
      playerId: 'ann',
      blocked: false,
      accounts: [{ currency: 'EUR', real: '100', bonus: null }],
    });
  });

  test('has cash with who and why, page by page, each movement once', async () => {
    const store = await storeWithAnn();
    const order = { operatorId, playerId: 'ann', currency: 'EUR', amount: '1.50' };
    for (let at = 0; at < 45; at++) await store.players.deposit({ ...order, reference: `d-${at}` });
    const by = { id: 'maria', name: 'Maria' };
    const reason = 'a <b>deposit</b> that was booked twice';
    await store.players.correct?.({ ...order, amount: '-1.50', reference: 'c-1', by, reason });
    const browser = open(store);
    const { text } = await browser.get('/player?player=ann');
    expect(text).toContain('a &lt;b&gt;deposit&lt;/b&gt; that was booked twice');
    expect(
      rowsOf(text)
        .find((row) => row.includes('correction'))
        ?.slice(2, 5),
    ).toEqual(['−1.50 EUR', 'real', 'Maria']);
    const seen: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const query: string = new URLSearchParams({ player: 'ann', cash: next }).toString();
      const { cash } = (await browser.get(`/player.json?${query}`)).json() as {
        cash: { movements: { reference: string }[]; next: string | null };
      };
      seen.push(...cash.movements.map(({ reference }) => reference));
      ({ next } = cash);
    }
    expect([seen.length, new Set(seen).size, seen[0]]).toEqual([47, 47, 'c-1']);
    expect((await browser.get('/player?player=ann&cash=nonsense')).status).toBe(400);
  });

  test('says in its first sentence which rounds wait, for how much and why, three at most, however many are newer', async () => {
    const store = await storeWithAnn();
    const clock = new VirtualClock(newYear);
    const browser = open(store, { clock });
    const said = async () => {
      await clock.pass(5000);
      const { text } = await browser.get('/player?player=ann');
      return /role="status">(.*?)<\/div>/.exec(text)?.[1] ?? '';
    };
    const named = async () =>
      [...(await said()).matchAll(/href="round[^"]*round=(r\d)"/g)].map(([, id]) => id);
    expect(await said()).not.toContain('waits for a person');
    await putRound(store, { gameRound: 'r1' }, 'stranded');
    await putRound(store, { gameRound: 'of bob', playerId: 'bob' }, 'stranded');
    for (let at = 0; at < 25; at++) await putRound(store, { gameRound: `c${at}` }, 'closed');
    expect(wordsOf(await said())).toContain(
      '1 round waits for a person 2.50 EUR in r1 . Win refused: the account refused it.',
    );
    for (const gameRound of ['r3', 'r4', 'r5']) await putRound(store, { gameRound }, 'crashed');
    expect(await named()).toEqual(['r1', 'r3', 'r4']);
    expect(wordsOf(await said())).toContain(
      '4 rounds wait for a person The oldest of them: 2.50 EUR in r1',
    );
  });

  test('is shown with who blocked, since when and why, and with what was before', async () => {
    const store = await storeWithAnn();
    const key = { operatorId, playerId: 'ann' };
    const by = { id: 'maria', name: 'Maria <b>' };
    await store.players.setBlocked(key, true, { by, reason: 'chargeback <i>' });
    await store.players.setBlocked(key, false);
    const browser = open(store);
    const lifted = await browser.get('/player?player=ann');
    expect(lifted.text).toMatch(/<span>Debits<\/span><b>accepted</);
    expect(lifted.text).toMatch(
      /<small>unblocked by a program, <time [^>]*>[^<]*<\/time> · <a href="#blocks">/,
    );
    expect(rowsOf(lifted.text).filter((row) => /blocked/.test(row[1] ?? ''))).toEqual([
      [expect.anything(), 'unblocked', 'a program', ''],
      [expect.anything(), 'blocked', 'Maria &lt;b&gt; (maria)', 'chargeback &lt;i&gt;'],
    ]);
    await store.players.setBlocked(key, true, { by, reason: 'chargeback <i>' });
    const { text } = await browser.get('/player?player=ann');
    expect(text.replace(/<[^>]*>/g, '')).toMatch(
      /the player is blockedSince \d+ \w+ 20\d\d, [\d:]{8} by Maria &lt;b&gt; \(maria\): chargeback &lt;i&gt;/,
    );
  });

  test('in a store that keeps no blocks is blocked without a reason, and the page says so', async () => {
    const store = await storeWithAnn();
    const browser = open(withParts(store, { players: { blocks: undefined, limits: undefined } }));
    const fields = { player: 'ann', blocked: 'true' };
    expect((await browser.post('/block', fields)).status).toBe(303);
    const { text } = await browser.get('/player?player=ann');
    expect(text).toContain('This store does not keep who blocked a player');
    expect(text).not.toContain('name="reason"');
    expect((await browser.get('/player.json?player=ann')).json()).toMatchObject({ blocks: null });
  });

  test("over a platform's ledger has accounts, and nobody blocks here", async () => {
    const browser = open({ ...(await storeWithAnn()), players: undefined });
    const { text } = await browser.get('/player?player=ann');
    expect(wordsOf(text)).toContain('Real balance 100.00 EUR no bonus balance');
    expect(text).toContain('ledger decides');
    expect(text).toContain('This store keeps no cash');
    expect(text).not.toContain('method="post"');
    const blocked = { player: 'ann', blocked: 'true' };
    expect((await browser.post('/block', blocked)).status).toBe(501);
    expect((await browser.get('/player?player=bob')).status).toBe(404);
  });
});

describe('a round', () => {
  test('has the balance after each line, where the store keeps balances', async () => {
    const store = await storeWithAnn('ann', { history: true });
    await putRound(store, { gameRound: 'r' }, 'stranded');
    const { text } = await open(store).get(`/round?${queryOf({ player: 'ann', round: 'r' })}`);
    expect(rowsOf(text).at(-1)?.at(-1)).toBe('100.00');
    expect(text).not.toContain('Balances after each line are not kept');
  });

  test('is shown with its timeline, and as JSON is what readRound prints', async () => {
    const store = await storeWithAnn();
    await putRound(store, { gameRound: 'r' }, 'stranded');
    const browser = open(store);
    const query = queryOf({ player: 'ann', round: 'r' });
    const { text } = await browser.get(`/round?${query}`);
    expect(rowsOf(text).at(-1)).toEqual([
      '00:00:00.000',
      'win 2.50 EURwin of r',
      '',
      'refusedthe account refused it',
      '',
    ]);
    expect(text).toContain('Balances after each line are not kept');
    const report = await store.rounds.readRound({ operatorId, playerId: 'ann', gameRound: 'r' });
    const reply = await browser.get(`/round.json?${query}`);
    expect(reply.json()).toEqual(JSON.parse(JSON.stringify(report)));
  });

  test.each([
    '/round?player=ann&round=none',
    '/player?player=none',
    '/round.json?player=ann&round=none',
  ])('or a player that is not known is 404: %s', async (target) => {
    expect((await open(await storeWithAnn()).get(target)).status).toBe(404);
  });
});

describe('the mount', () => {
  test.each([
    ['Express 5', express],
    ['Express 4', express4],
  ])('on %s works under any path, and leaves other paths to the app', async (_, makeApp) => {
    const app = makeApp();
    app.use(makeApp.urlencoded({ extended: true }));
    const store = await storeWithAnn();
    const operators = [operatorId];
    app.use('/back/ops', createOperationsRouter({ store, operators, authorize: () => maria }));
    app.use('/back/ops', (_request, response) => void response.status(418).end());
    const browser = browse(app);
    expect((await browser.get('/back/ops/')).status).toBe(200);
    expect((await browser.get('/back/ops/player?player=ann')).status).toBe(200);
    expect((await browser.get('/back/ops/nothing')).status).toBe(418);
    const bare = await browser.get('/back/ops?after=x');
    expect([bare.status, bare.headers['location']]).toEqual([303, './ops/?after=x']);
    // A parser in front of it has read the form.
    const fields = { player: 'ann', blocked: 'true', reason: 'a chargeback' };
    expect((await browser.post('/back/ops/block', fields, sameOrigin)).status).toBe(303);
  });

  test('without a framework answers other paths with 404', async () => {
    const browser = open(await storeWithAnn());
    for (const target of ['/nothing', '/player/ann', '/__proto__', '/constructor', '/search/']) {
      expect((await browser.get(target)).status).toBe(404);
    }
  });
});
