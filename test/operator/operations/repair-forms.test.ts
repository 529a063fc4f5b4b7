import { describe, expect, test } from '@jest/globals';

import type { OperationsOptions, Person, Right } from '../../../lib/operator/operations';
import type { AccountStore, RoundJson } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../support/virtual-clock';
import {
  type Browser,
  hostile,
  newYear,
  open,
  operatorId,
  putRound,
  queryOf,
  storeWithAnn,
  verdictOf,
} from './fixture';

const round = { operator: operatorId, player: 'ann', round: 'r' };
const reason = `the player showed ${hostile}`;
const order = { ...round, kind: 'pay', reason };
const both: readonly Right[] = ['look', 'propose', 'approve'];

/** A store with a stranded round of ann, who is owed 2.50 EUR. */
async function stuck(): Promise<AccountStore> {
  const store = await storeWithAnn();
  await putRound(store, { gameRound: 'r' }, 'stranded');
  return store;
}

function as(
  store: AccountStore,
  id: string,
  may: readonly Right[] = both,
  options: Partial<OperationsOptions> = {},
): Browser {
  const person: Person = { id, name: id.toUpperCase(), may };
  return open(store, { authorize: () => person, ...options });
}

async function balanceOf(store: AccountStore): Promise<bigint | undefined> {
  const found = await store.rounds.accounts({ operatorId, playerId: 'ann' });
  return found.kind === 'known' ? found.accounts?.[0]?.real : undefined;
}

async function readRound(browser: Browser): Promise<RoundJson> {
  return (
    await browser.get(`/round.json?${queryOf({ player: 'ann', round: 'r' })}`)
  ).json() as RoundJson;
}

/** Proposes to pay, and resolves to the form that decides it. */
async function proposed(browser: Browser): Promise<Record<string, string>> {
  const { status, headers } = await browser.post('/propose', order);
  expect([status, headers['location']]).toEqual([
    303,
    'round?operator=casino&player=ann&round=r&did=proposed',
  ]);
  const repair = (await readRound(browser)).repairs?.at(-1)?.id ?? '';
  return { ...round, repair };
}

const before = 1_000_000n;
const after = 1_025_000n;

describe('a repair', () => {
  test('that one person proposes and another approves is made once, and the round no longer waits', async () => {
    const store = await stuck();
    const [maria, noel] = [as(store, 'maria'), as(store, 'noel')];
    const form = await proposed(maria);
    expect(await balanceOf(store)).toBe(before);
    expect((await noel.get('/')).text).toContain('1 repair waits for approval');
    expect((await noel.get('/repairs')).text).toContain('MARIA');
    const buttons = [maria, as(store, 'Maria'), as(store, 'lea', ['look']), noel].map((one) =>
      one.get('/waiting').then(({ text }) => /class="btn"[^>]*>(Look|Decide)</.exec(text)?.[1]),
    );
    expect(await Promise.all(buttons)).toEqual(['Look', 'Look', 'Look', 'Decide']);
    const { text } = await noel.get(`/round?${queryOf({ player: 'ann', round: 'r' })}`);
    expect(text).toContain('the player showed &lt;img src=x');
    expect(text).toContain('action="approve"');
    const decisions = await Promise.all([noel.post('/approve', form), noel.post('/approve', form)]);
    expect(decisions.map(({ status }) => status)).toEqual([303, 303]);
    expect(await balanceOf(store)).toBe(after);
    const { repairs: [made] = [] } = await readRound(noel);
    const empty = (await noel.get('/waiting')).text;
    expect(verdictOf(empty)).toBe('No round waits for a person');
    expect(empty).toContain(`The last one was repaired at <time datetime="${made?.decidedAt}"`);
    const again = await noel.post('/approve', form);
    expect(again.headers['location']).toMatch(/did=made-before$/);
    expect(await balanceOf(store)).toBe(after);
    expect((await readRound(noel)).state).toBe('closed');
    expect((await noel.get('/')).text).toContain('No round waits');
    expect((await noel.get('/repairs')).text).toContain('No repair waits for approval');
  });

  test('is not approved by its proposer', async () => {
    const store = await stuck();
    const maria = as(store, 'maria');
    const { status, text } = await maria.post('/approve', await proposed(maria));
    expect([status, await balanceOf(store)]).toEqual([409, before]);
    expect(text).toContain('Another person than the proposer must approve it.');
  });

  test('below the limit of fourEyes is made by one person who may do both', async () => {
    const store = await stuck();
    const maria = as(store, 'maria', both, { fourEyes: { above: { EUR: '2.50' } } });
    const form = await proposed(maria);
    expect((await maria.post('/approve', form)).status).toBe(303);
    expect(await balanceOf(store)).toBe(after);
  });

  test('without a field that it needs is refused with one sentence about the field', async () => {
    const anna = as(await stuck(), 'anna');
    for (const [fields, sentence] of [
      [{ kind: 'resolve' }, 'reference is required for resolve and allowed for nothing else.'],
      [{ reference: 'psp-1' }, 'reference is required for resolve and allowed for nothing else.'],
      [{ kind: 'give' }, 'kind must be pay, resolve or void.'],
      [{ reason: 'short' }, 'reason must be 10 to 500 characters, without control characters.'],
    ] as const) {
      const { status, text } = await anna.post('/propose', { ...order, ...fields });
      expect([status, text]).toEqual([400, expect.stringContaining(sentence)]);
    }
  });

  test('that is rejected moves nothing, and can be proposed again', async () => {
    const store = await stuck();
    const [maria, noel] = [as(store, 'maria'), as(store, 'noel')];
    const form = await proposed(maria);
    expect((await maria.post('/propose', order)).status).toBe(409);
    const why = { ...form, reason: 'the balance was right all along' };
    expect((await noel.post('/reject', why)).headers['location']).toMatch(/did=rejected$/);
    expect((await noel.post('/approve', form)).status).toBe(409);
    expect(await balanceOf(store)).toBe(before);
    await proposed(maria);
  });

  test('that is a day old is expired: nothing moves, and the page says so', async () => {
    const store = await stuck();
    const clock = new VirtualClock(newYear);
    const [maria, noel] = [as(store, 'maria', both, { clock }), as(store, 'noel', both, { clock })];
    const form = await proposed(maria);
    await clock.pass(25 * 3_600_000);
    expect((await noel.post('/approve', form)).status).toBe(409);
    expect(await balanceOf(store)).toBe(before);
    const { text } = await noel.get(`/round?${queryOf({ player: 'ann', round: 'r' })}`);
    expect(text).toMatch(/<\/svg>expired<\/span>/);
    expect(text).not.toContain('action="approve"');
  });

  test('that the account refuses says why, and one without an account cannot be proposed', async () => {
    const poor = await storeWithAnn('bob');
    await putRound(poor, { gameRound: 'r' }, 'stranded');
    const unknown = await as(poor, 'maria').post('/propose', order);
    expect([unknown.status, unknown.text.includes('The player has no account in')]).toEqual([
      409,
      true,
    ]);
    const store = await stuck();
    const more = { reference: 'r', currency: 'EUR', amount: { units: 2n ** 53n - 1n - before } };
    await store.players.deposit({ operatorId, playerId: 'ann', ...more });
    const form = await proposed(as(store, 'maria'));
    const { status, text } = await as(store, 'noel').post('/approve', form);
    expect([status, text.includes('The account refused the money')]).toEqual([409, true]);
    expect(text).toContain('(outOfRange)');
  });

  test.each<[string, Record<string, string>, number]>([
    ['no kind', { ...round, reason }, 400],
    ['another kind', { ...order, kind: 'gift' }, 400],
    ['a short reason', { ...order, reason: ' too    short ' }, 400],
    ['a long reason', { ...order, reason: 'x'.repeat(501) }, 400],
    ['resolve without a reference', { ...order, kind: 'resolve' }, 400],
    ['a reference to pay', { ...order, reference: 'ticket 1' }, 400],
    ['an invalid hash', { ...order, hash: 'a#b' }, 400],
    ['an unknown hash', { ...order, hash: 'unknown' }, 409],
    ['an unknown round', { ...order, round: 'unknown' }, 409],
    ['an operator that is not listed', { ...order, operator: 'other' }, 404],
  ])('with %s is refused, and nothing of it kept', async (_, fields, status) => {
    const store = await stuck();
    const maria = as(store, 'maria');
    expect((await maria.post('/propose', fields)).status).toBe(status);
    expect((await readRound(maria)).repairs).toBeUndefined();
    expect((await maria.post('/approve', { ...round, repair: 'none' })).status).toBe(409);
    expect((await maria.post('/approve', { ...round, repair: '../x' })).status).toBe(400);
  });
});

describe('the forms of repairs', () => {
  test.each<[string, readonly Right[], readonly number[]]>([
    ['look', ['look'], [403, 403, 403]],
    ['look and block', ['look', 'block'], [403, 403, 403]],
    ['look and propose', ['look', 'propose'], [409, 403, 303]],
    ['look and approve', ['look', 'approve'], [403, 303, 409]],
  ])('with the rights %s do no more than these allow', async (_, may, statuses) => {
    const store = await stuck();
    const form = await proposed(as(store, 'maria'));
    const noel = as(store, 'noel', may);
    const why = { ...form, reason: 'the balance was right' };
    const replies = [
      await noel.post('/propose', order),
      await noel.post('/approve', form),
      await noel.post('/reject', why),
    ];
    expect(replies.map(({ status }) => status)).toEqual(statuses);
    expect(await balanceOf(store)).toBe(may.includes('approve') ? after : before);
  });

  test('of another site are refused, whatever the person may do', async () => {
    const store = await stuck();
    const form = await proposed(as(store, 'maria'));
    const noel = as(store, 'noel');
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    for (const path of ['/propose', '/approve', '/reject']) {
      expect((await noel.post(path, { ...form, ...order }, foreign)).status).toBe(403);
    }
    expect(await balanceOf(store)).toBe(before);
  });

  test('are not shown to a person who may only look, nor where the store keeps no repairs', async () => {
    const store = await stuck();
    const target = `/round?${queryOf({ player: 'ann', round: 'r' })}`;
    expect((await as(store, 'noel', ['look']).get(target)).text).not.toContain('method="post"');
    const maria = as({ ...store, repairs: undefined }, 'maria');
    expect((await maria.get(target)).text).toContain('This store keeps no repairs.');
    expect((await maria.post('/propose', order)).status).toBe(501);
  });
});

test.each([
  ['fourEyes', { fourEyes: { above: { euro: '1' } } }],
  ['creditTo', { creditTo: 'bonus' }],
])('a wrong %s is a TypeError at creation', async (name, options) => {
  const store = await storeWithAnn();
  expect(() => open(store, options as Partial<OperationsOptions>)).toThrow(TypeError);
  expect(() => open(store, options as Partial<OperationsOptions>)).toThrow(name);
});
