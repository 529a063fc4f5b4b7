import { describe, expect, test } from '@jest/globals';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { WalletStore } from '../../../lib/operator/wallet';
import {
  type Browser,
  hostile,
  newYear,
  open,
  putRound,
  queryOf,
  storeWithAnn,
  wordsOf,
} from './fixture';
import { withParts } from '../../support/with-parts';

interface RoundsJson {
  readonly history: string;
  readonly rounds: readonly { readonly gameRound: string; readonly openedAt: string }[];
  readonly next: string | null;
}

async function roundsOf(browser: Browser, more: Readonly<Record<string, string>> = {}) {
  const reply = await browser.get(`/player.json?${queryOf({ player: 'ann', ...more })}`);
  return (reply.json() as { rounds: RoundsJson }).rounds;
}

async function storeWithRounds(count: number): Promise<WalletStore> {
  const store = await storeWithAnn();
  for (let at = 0; at < count; at++) {
    await putRound(store, { gameRound: `round-${at}` }, 'closed', newYear + at * 60_000);
  }
  return store;
}

describe("a player's rounds on the page", () => {
  test('are listed newest first, each once, page by page to the end', async () => {
    const browser = open(await storeWithRounds(45));
    const seen: string[] = [];
    const sizes: number[] = [];
    let next: string | null = '';
    while (next !== null) {
      const page: RoundsJson = await roundsOf(browser, { rounds: next });
      seen.push(...page.rounds.map(({ gameRound }) => gameRound));
      sizes.push(page.rounds.length);
      ({ next } = page);
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, at) => `round-${44 - at}`));
    expect(sizes).toEqual([20, 20, 5]);
  });

  test('have time, game, state, sums and a link to the round; a link leads to older ones', async () => {
    const browser = open(await storeWithRounds(21));
    const { text } = await browser.get(`/player?${queryOf({ player: 'ann' })}`);
    expect(wordsOf(text)).toContain(
      'round-20 1 Jan 2026, 00:20:00 bells-8 closed 0.00 EUR 0.00 EUR 0.00',
    );
    expect(wordsOf(text)).toContain('20 rounds on this page 0.00 EUR 0.00 EUR 0.00');
    expect(text).toContain('href="round?operator=casino&amp;player=ann&amp;round=round-20"');
    const [, older = ''] = /href="(player\?[^"]*)">Older rounds/.exec(text) ?? [];
    const second = await browser.get(`/${older.replaceAll('&amp;', '&')}`);
    expect(wordsOf(second.text)).toContain('round-0');
    expect(second.text).not.toContain('Older rounds');
  });

  test('are read without what was opened or deleted since, if the place is one of this list', async () => {
    const store = await storeWithRounds(21);
    const browser = open(store);
    const { next } = await roundsOf(browser);
    await putRound(store, { gameRound: 'newer' }, 'open');
    const second = await roundsOf(browser, { rounds: next ?? '' });
    expect(second.rounds.map(({ gameRound }) => gameRound)).toEqual(['round-0']);
  });

  test('begin anew for a place that is not of this player and this store: 400, and nothing of it is shown', async () => {
    const store = await storeWithRounds(21);
    await putRound(store, { playerId: 'bob', gameRound: 'of-bob' }, 'open');
    const [mine, other] = [open(store), open(await storeWithRounds(21))];
    const { next } = await roundsOf(mine);
    const place = { rounds: next ?? '' };
    const replies = [
      await other.get(`/player?${queryOf({ player: 'ann', ...place })}`),
      await mine.get(`/player?${queryOf({ player: 'ann', rounds: hostile })}`),
      await mine.get(`/search?${queryOf({ player: 'bob', hash: 'h', from: next ?? '' })}`),
    ];
    for (const { status, text } of replies) {
      expect(status).toBe(400);
      expect(text).toContain('begin at the first page');
      expect(text).not.toContain('<img');
    }
  });

  test('are chosen by a form, and the link to older ones keeps what was chosen', async () => {
    const store = await storeWithRounds(45);
    await putRound(store, { gameRound: 'the open one' }, 'open', newYear + 3_600_000);
    const browser = open(store);
    const choice = {
      from: '2026-01-01',
      to: '2026-01-01T00:41Z',
      game: 'bells-8',
      state: 'closed',
      min: '0',
    };
    const { text } = await browser.get(`/player?${queryOf({ player: 'ann', ...choice })}`);
    expect(wordsOf(text)).toContain('round-40 1 Jan 2026, 00:40:00 ');
    expect(wordsOf(text)).not.toMatch(/round-41|the open one/);
    const form =
      /<form method="get" action="player" class="card">.*?<\/form>/s.exec(text)?.[0] ?? '';
    for (const part of [
      '<input type="hidden" name="player" value="ann">',
      '<input name="from" type="date" maxlength="40" value="2026-01-01">',
      '<input name="to" type="text" maxlength="40" value="2026-01-01T00:41Z">',
      'name="game" maxlength="256" autocomplete="off" value="bells-8">',
      '<option value="closed" selected>closed</option>',
      'name="min" inputmode="decimal" maxlength="40" size="10" autocomplete="off" value="0">',
    ]) {
      expect(form).toContain(part);
    }
    const [, older = ''] = /href="(player\?[^"]*)">Older rounds/.exec(text) ?? [];
    const kept = new URLSearchParams(older.replaceAll('&amp;', '&').split('?')[1]);
    expect(Object.fromEntries(kept)).toMatchObject({ player: 'ann', ...choice });
    const second = await browser.get(`/${older.replaceAll('&amp;', '&')}`);
    expect(wordsOf(second.text)).toContain('round-20 ');
    expect(second.text).toContain('<a href="player?operator=casino&amp;player=ann">All rounds</a>');
    kept.delete('game');
    const other = await browser.get(`/player?${kept.toString()}`);
    expect([other.status, other.text.includes('begin at the first page')]).toEqual([400, true]);
  });

  test('are the same in the JSON; a field that is empty chooses nothing', async () => {
    const store = await storeWithRounds(3);
    await putRound(store, { gameRound: 'last' }, 'open', newYear + 3_600_000);
    const browser = open(store);
    const namesOf = async (more: Readonly<Record<string, string>>) =>
      (await roundsOf(browser, more)).rounds.map(({ gameRound }) => gameRound);
    const empty = { from: '', to: '', game: '', state: '', min: '' };
    expect(await namesOf(empty)).toEqual(['last', 'round-2', 'round-1', 'round-0']);
    expect(await namesOf({ ...empty, state: 'open' })).toEqual(['last']);
    expect(await roundsOf(browser, { ...empty, to: '2025-12-31' })).toEqual({
      history: 'on',
      rounds: [],
      sums: [],
      next: null,
      keptSince: expect.any(String),
    });
  });

  test.each([
    [{ from: 'yesterday' }, 'Opened from, days of UTC'],
    [{ to: hostile }, 'to, days of UTC'],
    [{ from: '2026-01-02', to: '2026-01-01' }, 'Opened from, days of UTC'],
    [{ state: hostile }, 'State'],
    [{ min: '0.00001' }, 'Given at least'],
    [{ game: 'x'.repeat(300) }, 'Game'],
  ])(
    'are not shown for a choice that cannot be meant, %j: 400 names the field',
    async (query, name) => {
      const browser = open(await storeWithRounds(1));
      for (const page of ['/player', '/player.json']) {
        const { status, text } = await browser.get(
          `${page}?${queryOf({ player: 'ann', ...query })}`,
        );
        expect(status).toBe(400);
        expect(text).toMatch(new RegExp(`(?:&quot;|\\\\"|")${name}(?:&quot;|\\\\"|") must be`));
        expect(text).not.toContain('<img');
      }
    },
  );

  test('that were not all searched are said to be so, with the link that continues', async () => {
    const store = await storeWithRounds(1);
    const page = { kind: 'known', rounds: [], next: 'abcdefghijkl.7' } as const;
    const browser = open(withParts(store, { history: { rounds: async () => page } }));
    const query = queryOf({ player: 'ann', state: 'voided' });
    const { text } = await browser.get(`/player?${query}`);
    expect(wordsOf(text)).toContain('No round that was searched fits.');
    expect(wordsOf(text)).toContain('Not all older rounds were searched');
    const next = 'player?operator=casino&amp;player=ann&amp;state=voided&amp;rounds=abcdefghijkl.7';
    expect(text).toContain(`<a href="${next}">Search older rounds</a>`);
  });

  test('are said to be off, or not kept, where the store does not list them', async () => {
    const store = await storeWithRounds(1);
    const off = open(withParts(store, { history: { rounds: async () => ({ kind: 'off' }) } }));
    const without = open({ ...store, history: undefined });
    const target = `/player?${queryOf({ player: 'ann' })}`;
    expect((await off.get(target)).text).toContain('History is off');
    expect(await roundsOf(off)).toEqual({ history: 'off' });
    expect((await without.get(target)).text).toContain('does not list a player&#39;s rounds');
    expect(await roundsOf(without)).toEqual({ history: 'missing' });
  });

  test('are unknown where the store does not answer: 503, never an empty list', async () => {
    const cause = new Error('10.1.2.3 is down');
    const down = open(
      withParts(await storeWithRounds(1), {
        history: { rounds: async () => ({ kind: 'unknown', cause }) },
      }),
    );
    const { status, text } = await down.get(`/player?${queryOf({ player: 'ann' })}`);
    expect([status, text.includes('10.1.2.3')]).toEqual([503, false]);
  });
});

describe('a search by a hash', () => {
  test('leads to the round that has it', async () => {
    const browser = open(await storeWithRounds(3));
    const query = queryOf({ player: 'ann', hash: 'win of round-1' });
    const found = await browser.get(`/search?${query}`);
    expect([found.status, found.headers['location']]).toEqual([
      303,
      'round?operator=casino&player=ann&round=round-1',
    ]);
    expect((await browser.get(`/search.json?${query}`)).headers['location']).toMatch(
      /^round\.json\?/,
    );
  });

  test('that finds nothing says how many rounds were searched, and shows the hash as text', async () => {
    const browser = open(await storeWithRounds(3));
    const query = queryOf({ player: 'ann', hash: hostile });
    const { status, text } = await browser.get(`/search?${query}`);
    expect([status, text.includes('<img')]).toEqual([404, false]);
    expect(wordsOf(text)).toContain('Rounds searched: 3.');
    expect((await browser.get(`/search.json?${query}`)).json()).toMatchObject({
      hash: hostile,
      searched: 3,
      next: null,
    });
  });

  test('continues if the store has searched a part', async () => {
    const asked: (string | undefined)[] = [];
    const store = withParts(createMemoryStore(), {
      history: {
        findRound: async ({ cursor }) => {
          asked.push(cursor);
          return { kind: 'notFound', searched: 1000, next: cursor === undefined ? 'p 2' : null };
        },
      },
    });
    const browser = open(store);
    const { text } = await browser.get(`/search?${queryOf({ player: 'ann', hash: 'h' })}`);
    expect(wordsOf(text)).toContain('None of the rounds that were searched');
    const [, more = ''] = /href="(search\?[^"]*from[^"]*)"/.exec(text) ?? [];
    const second = await browser.get(`/${more.replaceAll('&amp;', '&')}`);
    expect(second.text).not.toContain('Search older rounds');
    expect(asked).toEqual([undefined, 'p 2']);
  });

  test('is refused with the reason where history is off, or the store cannot search', async () => {
    const store = await storeWithRounds(1);
    const off = open(withParts(store, { history: { findRound: async () => ({ kind: 'off' }) } }));
    const without = open({ ...store, history: undefined });
    const target = `/search?${queryOf({ player: 'ann', hash: 'h' })}`;
    const [first, second] = [await off.get(target), await without.get(target)];
    expect([first.status, second.status]).toEqual([501, 501]);
    expect(first.text).toContain('History is off');
    expect(second.text).toContain('found by its id alone');
  });

  test.each(['a#b', 'a\u0007b', 'h'.repeat(129)])(
    'for %j is refused: no hash is so',
    async (hash) => {
      const target = `/search?${queryOf({ player: 'ann', hash })}`;
      expect((await open(createMemoryStore()).get(target)).status).toBe(400);
    },
  );
});

describe('the file of a player’s rounds', () => {
  test('has all rounds that fit the filter, and an end line, and is named by us', async () => {
    const store = await storeWithRounds(230);
    await putRound(store, { gameRound: '=1+1' }, 'open', newYear + 86_400_000);
    const browser = open(store);
    const csv = await browser.get(`/rounds.csv?${queryOf({ player: 'ann', state: 'closed' })}`);
    expect(csv.headers['content-disposition']).toMatch(
      /^attachment; filename="rounds-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(csv.text.split('\r\n')).toHaveLength(1 + 230 + 1 + 1);
    expect(csv.text).toMatch(/end,230,complete\r\n$/);
    const opened = await browser.get(`/rounds.csv?${queryOf({ player: 'ann', state: 'open' })}`);
    expect(opened.text).toContain(`,'=1+1,`);
    const lines = (await browser.get(`/rounds.jsonl?${queryOf({ player: 'ann' })}`)).text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toHaveLength(232);
    expect(lines.at(-1)).toEqual({ end: { rows: 231, complete: true } });
    const { text } = await browser.get(`/player?${queryOf({ player: 'ann', state: 'closed' })}`);
    expect(text).toContain('href="rounds.csv?operator=casino&amp;player=ann&amp;state=closed"');
  });

  test('is refused for a filter that cannot be meant, and where rounds are not listed', async () => {
    const store = await storeWithRounds(1);
    const wrong = await open(store).get(`/rounds.csv?${queryOf({ player: 'ann', min: 'x' })}`);
    expect(wrong.status).toBe(400);
    const without = open(withParts(store, { history: undefined }));
    expect((await without.get(`/rounds.jsonl?${queryOf({ player: 'ann' })}`)).status).toBe(501);
  });
});
