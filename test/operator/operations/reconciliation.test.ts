import { expect, test } from '@jest/globals';

import type { SavedDay } from '../../../lib/operator/reconciliation/saved/day';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { FullStore, WalletStore } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../support/virtual-clock';
import { hostile, newYear, open, operatorId, verdictOf, wordsOf } from './fixture';

const equal: SavedDay = {
  word: 'equal',
  reason: null,
  counting: 'UTC, by end, voids restated',
  endedAt: '2025-12-31T00:00:00.000Z',
  cells: [],
  kinds: {},
  rounds: [],
  leftOut: 0,
  currenciesLeftOut: 0,
};

const side = { currency: 'EUR', bet: '1', win: '2.5', state: 'closed' };
const round = { player: 'ann', kind: 'win differs', reason: null, ours: side, theirs: null };

async function save(
  store: FullStore,
  day: string,
  found: Partial<SavedDay> | string,
  more: object = {},
): Promise<void> {
  const text = typeof found === 'string' ? found : JSON.stringify({ ...equal, ...found });
  const entry = { operatorId, day, source: 'statistics', at: newYear, text } as const;
  await store.reconciliations.save({ ...entry, ...more });
}

function cell(currency: string, word: 'equal' | 'differs' | 'tolerated') {
  return {
    currency,
    word,
    games: word === 'equal' ? 0 : 2,
    bet: word === 'equal' ? '0' : '-1.5',
    win: '0',
  };
}

/** A day that differs in EUR, between two others. */
async function storeWithDays(): Promise<FullStore> {
  const store = createMemoryStore();
  await save(store, '2025-12-29', { cells: [cell('EUR', 'equal'), cell('SEK', 'equal')] });
  await save(store, '2025-12-30', {
    word: 'differs',
    cells: [cell('EUR', 'differs'), cell('SEK', 'tolerated')],
    kinds: { 'win differs': 13 },
    rounds: [
      { ...round, round: 'r-1', currency: 'EUR' },
      { ...round, round: 'r-2', currency: 'SEK', player: null, kind: hostile },
    ],
    leftOut: 12,
  });
  const reason = `the events end ${hostile}`;
  await save(store, '2025-12-31', { word: 'incomplete', reason, counting: null, endedAt: null });
  return store;
}

/** The texts of the rows of the first table, cell by cell. */
function rowsOf(page: string): string[][] {
  const [, body = ''] = /<tbody>(.*?)<\/tbody>/s.exec(page) ?? [];
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, text = '']) =>
      text.replace(/<[^>]*>/g, ''),
    ),
  );
}

const december = (day: number) => `2025-12-${day}`;

test('it begins with whether the days agree; of one that does not, with the money and the rounds', async () => {
  const store = createMemoryStore();
  const clock = new VirtualClock(Date.parse('2026-01-01T10:00:00Z'));
  const browser = open(store, { clock });
  const said = async () => {
    const { text } = await browser.get('/reconciliation');
    const [, sentence = ''] = /role="status">(.*?)<\/div>/s.exec(text) ?? [];
    return [verdictOf(text), wordsOf(sentence.replace(/^<b>.*?<\/b>/s, '')).trim()];
  };
  const endedAt = '2026-01-01T00:00:00.000Z';
  await save(store, december(31), { endedAt, cells: [cell('EUR', 'tolerated')] });
  const agrees = 'The newest that was compared is 31 Dec.';
  expect(await said()).toEqual(['31 Dec agrees with the RGS but for what is tolerated', agrees]);
  await save(store, december(29), {});
  const look = 'Look at the output of the nightly rgs-wallet reconcile --save .';
  expect(await said()).toEqual([
    '2 days agree with the RGS but for what is tolerated',
    `${agrees} 1 day before it was not compared. ${look}`,
  ]);
  await save(store, december(30), {});
  await clock.pass(26 * 3_600_000);
  expect((await said())[1]).toBe(agrees);
  await clock.pass(1);
  expect((await said())[1]).toBe(`${agrees} ${look}`);
  await save(store, december(30), { word: 'incomplete', reason: 'the events end', endedAt: null });
  expect(await said()).toEqual([
    'Whether 30 Dec agrees with the RGS is not known',
    '30 Dec: the events end . Compare again once the reason is gone.',
  ]);
  const rounds = [{ ...round, round: 'r-1', currency: 'EUR' }];
  const differs = { word: 'differs', cells: [cell('EUR', 'differs')], rounds } as const;
  await save(store, december(30), differs);
  expect(await said()).toEqual([
    '30 Dec differs from the RGS',
    '30 Dec : here 1.50 EUR less taken, 2 rounds more. In r-1 : win differs . As the RGS counts: UTC, by end, voids restated .',
  ]);
  await save(store, december(31), { word: 'differs', kinds: { 'own check': 1 } });
  for (const day of [27, 28]) await save(store, december(day), differs);
  const less = 'here 1.50 EUR less taken, 2 rounds more.';
  expect(await said()).toEqual([
    '4 days differ from the RGS',
    `31 Dec : own check: 1 . 30 Dec : ${less} 28 Dec : ${less} 1 more below.`,
  ]);
});

test('every day has a word, and one for each currency, the newest day first', async () => {
  const { text, status } = await open(await storeWithDays()).get('/reconciliation');
  expect(status).toBe(200);
  const at = '1 Jan 2026, 00:00:00';
  const escaped = '&lt;img src=x onerror=&quot;document.title=&#39;broken&#39;&quot;&gt;';
  expect(rowsOf(text)).toEqual([
    [
      '2025-12-31',
      'getStats',
      `incomplete the events end ${escaped}`,
      'incomplete',
      'incomplete',
      at,
    ],
    ['2025-12-30', 'getStats', 'differs', 'differs', 'tolerated', at],
    ['2025-12-29', 'getStats', 'equal', 'equal', 'equal', at],
  ]);
  expect(text).not.toContain(hostile);
  expect(text).not.toMatch(/<button|method="post"/);
});

test('a word leads to the rounds of its day and currency, each with a link to its page', async () => {
  const browser = open(await storeWithDays());
  const { text } = await browser.get('/reconciliation');
  const links = [...text.matchAll(/href="(reconciliation\?[^"]*)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  );
  const ofDay = `reconciliation?operator=${operatorId}&day=2025-12-30`;
  expect(links).toEqual(
    expect.arrayContaining([ofDay, `${ofDay}&currency=EUR`, `${ofDay}&currency=SEK`]),
  );
  const euro = (await browser.get(`/${ofDay}&currency=EUR`)).text;
  expect(euro).toContain('2025-12-30 EUR, by getStats');
  expect(euro).toContain(`href="round?operator=${operatorId}&amp;player=ann&amp;round=r-1"`);
  expect(euro).toContain(
    'bet 1.00, win <span class="nw">2.50 <small>EUR</small></span> (<bdi>closed</bdi>)',
  );
  expect(euro).toContain('win differs: 13');
  expect(euro).toContain(`href="money?operator=${operatorId}&amp;day=2025-12-30&amp;currency=EUR"`);
  expect(euro).toMatch(/<bdi>EUR<.*>\+2<.*>\u22121\.50</s);
  expect(euro).toContain('12 more are not listed');
  expect(euro).not.toContain('r-2');
  const all = (await browser.get(`/${ofDay}`)).text;
  expect(all).toContain('r-1');
  expect(all).toContain('<bdi>r-2</bdi>');
  expect(all).not.toContain(hostile);
});

test('a currency that is not listed is equal on a day that differs, unless the list was cut', async () => {
  const store = createMemoryStore();
  await save(store, '2025-12-29', { cells: [cell('SEK', 'equal')] });
  const differs = { word: 'differs', cells: [cell('EUR', 'differs')] } as const;
  await save(store, '2025-12-30', differs, { source: 'export' });
  await save(store, '2025-12-31', { ...differs, currenciesLeftOut: 1 });
  const words = rowsOf((await open(store).get('/reconciliation')).text);
  expect(words.map(([, source, , euro, krona]) => [source, euro, krona])).toEqual([
    ['getStats', 'differs', 'unknown'],
    ['export', 'differs', 'equal'],
    ['getStats', 'equal', 'equal'],
  ]);
});

test('the JSON has all of the days, of the operator that is asked for', async () => {
  const store = await storeWithDays();
  const clock = new VirtualClock(newYear);
  const browser = open(store, { clock, operators: ['other', operatorId] });
  const json = (await browser.get(`/reconciliation.json?operator=${operatorId}`)).json();
  expect(json).toMatchObject({
    asOf: '2026-01-01T00:00:00.000Z',
    operatorId,
    days: [
      { day: '2025-12-31', word: 'incomplete' },
      { day: '2025-12-30', word: 'differs', rounds: [{ round: 'r-1' }, { round: 'r-2' }] },
      { day: '2025-12-29', source: 'statistics', savedAt: '2026-01-01T00:00:00.000Z' },
    ],
  });
  const { text } = await browser.get('/reconciliation');
  expect(verdictOf(text)).toBe('No day was compared with the RGS');
  expect(text).toContain(`href="reconciliation?operator=${operatorId}"`);
  expect((await browser.get('/reconciliation?operator=nobody')).status).toBe(404);
});

test('what another version saved is unknown, and a day that was not saved opens nothing', async () => {
  const store = createMemoryStore();
  await save(store, '2025-12-30', '{"word":"fine"}');
  const browser = open(store);
  const { text } = await browser.get('/reconciliation?day=2025-12-01&currency=%3Cb%3E');
  expect(rowsOf(text)[0]?.[2]).toMatch(/^unknown another version has saved it/);
  expect(text).not.toContain('No round is named');
  expect((await browser.get('/reconciliation?day=2025-12-30&currency=%3Cb%3E')).text).toContain(
    '2025-12-30 &lt;b&gt;, by getStats',
  );
});

test('says so where the store keeps no results', async () => {
  const without = Object.assign(Object.create(createMemoryStore()) as WalletStore, {
    reconciliations: undefined,
  });
  const browser = open(without);
  expect((await browser.get('/reconciliation')).text).toContain('This store keeps no results');
  expect((await browser.get('/reconciliation.json')).json()).toEqual({ missing: true });
});
