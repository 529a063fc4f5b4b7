import { expect, test } from '@jest/globals';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { FullStore } from '../../../lib/operator/wallet';
import { hostile, maria, open, operatorId, putRound, queryOf, storeWithAnn } from './fixture';

/** The fields of the form of a refused page by name: what each holds, and the error beside it. */
function formOf(page: string): Record<string, { value: string; error: string | null }> {
  const form = /<form method="(?:get|post)" action="(?!search)[^]*?<\/form>/.exec(page)?.[0] ?? '';
  const inputs = [
    ...form.matchAll(
      /<input [^>]*name="(\w+)"([^>]*)>(?:<\/label><small id="(\w+)">(.*?)<\/small>)?/g,
    ),
  ];
  return Object.fromEntries(
    inputs.map(([, name = '', rest = '', described, error]) => {
      const value = /value="([^"]*)"/.exec(rest)?.[1] ?? '';
      const isMarked = rest.includes(`aria-invalid="true" aria-describedby="${described}"`);
      return [name, { value, error: isMarked ? (error ?? null) : null }];
    }),
  );
}

/** What its fields hold, and which one has an error. */
function typedIn(page: string): { values: Record<string, string>; wrong: string[] } {
  const fields = Object.entries(formOf(page));
  return {
    values: Object.fromEntries(fields.map(([name, { value }]) => [name, value])),
    wrong: fields.filter(([, { error }]) => error !== null).map(([name]) => name),
  };
}

async function historyOfAnn(): Promise<FullStore> {
  return storeWithAnn('ann', { history: true });
}

test.each<[string, string, Record<string, string>]>([
  ['waiting', 'min', { state: 'crashed', game: hostile, min: '1,5', hours: '2', sort: 'amount' }],
  ['waiting', 'hours', { currency: 'EUR', hours: '-1' }],
  ['waiting', 'state', { game: 'bells', state: 'gone' }],
  ['player', 'from', { player: 'ann', from: '2026-02-30', to: '', game: hostile, state: 'open' }],
  ['player', 'min', { player: 'ann', from: '2026-02-01', min: '9007199254740993.1234' }],
  ['history', 'to', { player: 'ann', from: '2026-02-01', to: 'x', min: '5' }],
  ['history', 'from', { player: 'ann', from: '2026-02-02', to: '2026-02-01' }],
  ['history', 'from', { kind: 'won', from: 'x', to: '' }],
  ['changes', 'from', { person: 'bob', player: 'ann', from: 'yesterday', kind: 'block' }],
  ['changes', 'player', { person: 'bob', player: 'a#b', from: '2026-02-01' }],
  ['money', 'day', { day: '2026-13-01', span: 'week', currency: 'EUR' }],
])(
  'a filter of %s with a wrong %s keeps all that was typed, with the error beside its field',
  async (page, wrong, typed) => {
    const reply = await open(await historyOfAnn()).get(
      `/${page}?${new URLSearchParams(typed).toString()}`,
    );
    expect(reply.status).toBe(400);
    const { values, wrong: found } = typedIn(reply.text);
    const escaped = hostile.replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
    const expected = Object.entries(typed).map(([name, text]) => [
      name,
      text.replace(hostile, escaped.replaceAll("'", '&#39;')),
    ]);
    expect({ values, found }).toEqual({ values: Object.fromEntries(expected), found: [wrong] });
    const sentence = /role="alert"><b>.*?<span>(.*?)<\/span>/.exec(reply.text)?.[1];
    expect(formOf(reply.text)[wrong]?.error).toBe(sentence);
  },
);

test('a place in a list that is not valid leaves the filter, which begins at the first page', async () => {
  const browser = open(await historyOfAnn());
  for (const query of ['after=forged&live=10&until=9&min=5', 'min=5&after=%00']) {
    const { status, text } = await browser.get(`/waiting?${query}`);
    expect([status, typedIn(text)]).toEqual([400, { values: { min: '5' }, wrong: [] }]);
  }
});

test('a form that is refused keeps what was typed, and leads back to the player', async () => {
  const browser = open(await historyOfAnn());
  const form = { operator: operatorId, player: 'ann', blocked: 'true', until: '2126-12-24T18:00' };
  const { status, text } = await browser.post('/block', { ...form, zone: 'UTC', reason: 'short' });
  expect(status).toBe(400);
  expect(typedIn(text)).toEqual({
    values: { ...form, zone: 'UTC', reason: 'short' },
    wrong: ['reason'],
  });
  expect(text).toContain(`<a href="player?operator=casino&amp;player=ann">Back to the player</a>`);
  const wrongTime = await browser.post('/block', {
    ...form,
    until: 'soon',
    reason: 'x'.repeat(20),
  });
  expect(typedIn(wrongTime.text)).toMatchObject({
    values: { reason: 'x'.repeat(20) },
    wrong: ['until'],
  });
});

test('a round that is not there leads to its player', async () => {
  const browser = open(await historyOfAnn());
  const { status, text } = await browser.get(`/round?${queryOf({ player: 'ann', round: 'none' })}`);
  expect(status).toBe(404);
  expect(text).toContain(`<a href="player?operator=casino&amp;player=ann">Back to the player</a>`);
});

test('a proposal and an approval that are refused lead back to the round, with the reason', async () => {
  const store = createMemoryStore();
  await putRound(store, { playerId: 'ann', gameRound: 'r1' }, 'stranded');
  const may = [...maria.may, 'propose', 'approve'] as const;
  const browser = open(store, { authorize: () => ({ ...maria, may }) });
  const round = { operator: operatorId, player: 'ann', round: 'r1' };
  const back = `<a href="round?${queryOf({ player: 'ann', round: 'r1' }).replaceAll('&', '&amp;')}">Back to the round</a>`;
  const proposed = await browser.post('/propose', {
    ...round,
    kind: 'resolve',
    reason: 'settled by the bank',
    reference: '',
  });
  expect([proposed.status, typedIn(proposed.text).wrong]).toEqual([400, ['reference']]);
  const approved = await browser.post('/approve', { ...round, repair: 'nobody-proposed-it' });
  expect(approved.status).toBe(409);
  for (const { text } of [proposed, approved]) expect(text).toContain(back);
  expect(formOf(approved.text)).toEqual({});
});

test('who may not do it, and who asks for what is not there, gets no form', async () => {
  const browser = open(await historyOfAnn(), {
    authorize: () => ({ id: 'noel', name: null, may: ['look'] }),
  });
  const refused = await browser.post('/block', {
    player: 'ann',
    blocked: 'true',
    reason: 'x'.repeat(20),
  });
  expect([refused.status, formOf(refused.text)]).toEqual([403, {}]);
  const missing = await browser.get('/player?player=nobody&min=5');
  expect([missing.status, formOf(missing.text)]).toEqual([404, {}]);
});
