import { expect, test } from '@jest/globals';

import { type AttentionEntry, StoreUnavailableError } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../support/virtual-clock';
import { withParts } from '../../support/with-parts';
import {
  type Browser,
  newYear,
  open,
  operatorId,
  putRound,
  storeWithAnn,
  verdictOf,
  wordsOf,
} from './fixture';

/** The pages over a store with a round that waits, which counts how often its list is read and can fall silent. */
async function listed() {
  const clock = new VirtualClock(newYear + 3_600_000);
  const store = await storeWithAnn();
  await putRound(store, { gameRound: 'one' }, 'stranded');
  const at = { reads: 0, isSilent: false };
  const attention = async function* (id: string): AsyncGenerator<AttentionEntry> {
    at.reads += 1;
    if (at.isSilent) throw new StoreUnavailableError('10.1.2.3 is down');
    yield* store.lists.attention(id);
  };
  const counted = withParts(store, { lists: { attention } });
  const may = ['look', 'propose', 'approve'] as const;
  const authorize = () => ({ id: 'maria', name: null, may });
  return { store, at, clock, browser: open(counted, { clock, authorize }) };
}

/** How many rounds each page says that wait. */
async function totals(browser: Browser): Promise<unknown[]> {
  const pages = ['/attention.json', '/waiting.json', '/repairs.json'].map(async (path) => {
    const { attention, total } = (await browser.get(path)).json() as {
      attention?: { total: number };
      total?: number;
    };
    return attention?.total ?? total;
  });
  return Promise.all(pages);
}

test('all readers of what waits cost one read in five seconds', async () => {
  const { store, at, clock, browser } = await listed();
  const views = await Promise.all(Array.from({ length: 10 }, () => browser.get('/waiting')));
  expect([views.map(({ status }) => status), at.reads]).toEqual([Array(10).fill(200), 1]);
  await putRound(store, { gameRound: 'two' }, 'crashed');
  await clock.pass(4999);
  expect(verdictOf((await browser.get('/waiting')).text)).toBe('1 round waits for a person');
  for (const path of ['/', '/waiting?sort=amount', '/repairs', '/player?player=ann']) {
    await browser.get(path);
  }
  expect(at.reads).toBe(1);
  await clock.pass(1);
  expect(verdictOf((await browser.get('/waiting')).text)).toBe('2 rounds wait for a person');
});

test('who has proposed a repair sees it at once', async () => {
  const { browser } = await listed();
  const toDecide = async () => wordsOf((await browser.get('/waiting')).text);
  expect(await toDecide()).toContain('to decide 0');
  const round = { operator: operatorId, player: 'ann', round: 'one' };
  const order = { ...round, kind: 'resolve', reference: 'bank-1', reason: 'settled by the bank' };
  expect((await browser.post('/propose', order)).status).toBe(303);
  expect(await toDecide()).toContain('to decide 1');
});

test('of a store that does not answer, the last list is shown with its time for five minutes, as 503', async () => {
  const { at, clock, browser } = await listed();
  expect(await totals(browser)).toEqual([1, 1, 1]);
  at.isSilent = true;
  await clock.pass(299_999);
  for (const path of ['/', '/waiting', '/repairs']) {
    const { status, text } = await browser.get(path);
    expect([path, status]).toEqual([path, 503]);
    expect(wordsOf(text)).toContain(
      'The store does not answer This is what it listed at 1 Jan 2026, 01:00:00',
    );
    expect(text).not.toContain('10.1.2.3');
  }
  const never = await browser.get('/waiting?sort=amount&live=10');
  expect(never.status).toBe(503);
  expect(never.text).toMatch(
    /<meta http-equiv="refresh" content="10;url=\?sort=amount&amp;live=10&amp;/,
  );
  expect((await browser.get('/')).text).toContain('>one</bdi>');
  await clock.pass(1);
  expect(wordsOf((await browser.get('/')).text)).toContain('Rounds that wait not known');
  const unknown = (await browser.get('/waiting')).text;
  expect([unknown.includes('>one</bdi>'), unknown.includes('>Show<')]).toEqual([false, false]);
  at.isSilent = false;
  expect((await browser.get('/waiting')).status).toBe(200);
});
