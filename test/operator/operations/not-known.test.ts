import { EventEmitter, once } from 'node:events';
import { expect, test } from '@jest/globals';

import { createCallWatch, startMinutes } from '../../../lib/operator/operations';
import { type AttentionEntry, StoreUnavailableError } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../support/virtual-clock';
import { withParts } from '../../support/with-parts';
import {
  maria,
  newYear,
  open,
  operatorId,
  putRound,
  queryOf,
  storeWithAnn,
  verdictOf,
  wordsOf,
} from './fixture';
import { countedStore, row } from './money/fixture';

const may = ['look', 'propose', 'approve'] as const;
const authorize = () => ({ ...maria, may });
const minuteMs = 60_000;
const pill = (text: string) => /<span class="pill" title="[^"]*">([^<]*)</.exec(text)?.[1] ?? null;

async function* down(): AsyncGenerator<never> {
  yield await Promise.reject(new StoreUnavailableError('down'));
}

async function two() {
  const store = await storeWithAnn();
  await putRound(store, { gameRound: 'one' }, 'stranded');
  await putRound(store, { gameRound: 'two' }, 'crashed');
  return store;
}

test('a player is shown where the list of what waits does not answer, and the page says so', async () => {
  const store = await two();
  const browser = open(withParts(store, { lists: { attention: down } }));
  const { status, text } = await browser.get(`/player?${queryOf({ player: 'ann' })}`);
  expect([status, text.includes('100.00')]).toEqual([200, true]);
  expect(text).toContain('Whether a round of this player waits is not known');
});

test('a list that was being read while a repair was made is no count of what waits', async () => {
  const store = await two();
  const gate = new EventEmitter();
  let isHeld = false;
  async function* attention(id: string): AsyncGenerator<AttentionEntry> {
    const found: AttentionEntry[] = [];
    for await (const one of store.lists.attention(id)) found.push(one);
    if (isHeld) {
      const isMade = once(gate, 'made');
      gate.emit('read');
      await isMade;
    }
    yield* found;
  }
  const clock = new VirtualClock(newYear);
  const browser = open(withParts(store, { lists: { attention } }), {
    clock,
    authorize,
    fourEyes: { above: { EUR: '1000' } },
  });
  const round = { player: 'ann', round: 'one' };
  await browser.post('/propose', { ...round, kind: 'pay', reason: 'the win was seen by support' });
  const key = { operatorId, playerId: 'ann', gameRound: 'one' };
  const [repair] = (await store.rounds.readRound(key))?.toJSON().repairs ?? [];
  isHeld = true;
  const isRead = once(gate, 'read');
  const slow = browser.get('/waiting');
  await isRead;
  isHeld = false;
  await clock.pass(10);
  expect((await browser.post('/approve', { ...round, repair: repair?.id ?? '' })).status).toBe(303);
  await clock.pass(10);
  gate.emit('made');
  await slow;
  expect(pill((await browser.get('/search')).text)).toBeNull();
});

test('a sample that could not count what waits does not hide what a page has counted', async () => {
  const store = await two();
  let isSilent = false;
  async function* attention(id: string): AsyncGenerator<AttentionEntry> {
    if (isSilent) throw new StoreUnavailableError('down');
    yield* store.lists.attention(id);
  }
  const parts = withParts(store, { lists: { attention } });
  const clock = new VirtualClock(newYear);
  const random = { next: () => 0.5, bytes: (count: number) => Buffer.alloc(count, 1) };
  const calls = createCallWatch({ clock, random });
  calls.recorder.serve({ operators: [operatorId], debitCheck: null });
  const running = startMinutes({ store: parts, calls, clock, random });
  const browser = open(parts, { clock, calls });
  expect(pill((await browser.get('/waiting')).text)).toBe('2');
  isSilent = true;
  await clock.pass(minuteMs + 5000);
  expect(calls.recorder.sample).not.toBeNull();
  expect(pill((await browser.get('/search')).text)).toBe('2');
  await running.stop();
});

test('of a list that was cut before its first round it is not known whether one waits', async () => {
  const store = await two();
  const clock = new VirtualClock(newYear);
  async function* attention(id: string): AsyncGenerator<AttentionEntry> {
    await clock.pass(6500);
    yield* store.lists.attention(id);
  }
  const browser = open(withParts(store, { lists: { attention } }), { clock });
  const { text } = await browser.get('/waiting');
  expect(verdictOf(text)).toBe('Whether a round waits for a person is not known');
  const start = await browser.get('/');
  expect(wordsOf(start.text)).toContain(
    'Rounds that wait not known The store took too long to list them.',
  );
});

test('a day on which the RGS alone saw money differs, though no money moved here', async () => {
  const counted = await countedStore('2026-11-24T12:00:00Z', [
    row('2026-11-22T10:00:00Z', 'start', { games: 1n, bet: 5n }),
  ]);
  const text = JSON.stringify({
    word: 'differs',
    reason: null,
    counting: 'UTC, by end, voids restated',
    endedAt: '2026-11-24T00:00:00.000Z',
    cells: [{ currency: 'EUR', word: 'differs', games: -3, bet: '-9', win: '0' }],
    kinds: {},
    rounds: [],
    leftOut: 0,
    currenciesLeftOut: 0,
  });
  await counted.store.reconciliations.save({
    operatorId,
    day: '2026-11-23',
    source: 'statistics',
    at: counted.clock.now(),
    text,
  });
  const browser = open(counted.store, { clock: counted.clock });
  const { text: page } = await browser.get('/money?day=2026-11-23');
  expect(verdictOf(page)).toBe('The day differs from the RGS, though no money moved here');
});

test('of a week the link to a currency that did not move here opens no day that may be another one', async () => {
  const counted = await countedStore('2026-12-01T12:00:00Z', [
    row('2026-11-24T12:00:00Z', 'start', { games: 1n, bet: 5n }),
  ]);
  const clock = counted.clock;
  await counted.store.reconciliations.save({
    operatorId,
    day: '2026-11-25',
    source: 'statistics',
    at: clock.now(),
    text: JSON.stringify({
      word: 'differs',
      reason: null,
      counting: 'UTC, by end, voids restated',
      endedAt: '2026-11-26T00:00:00.000Z',
      cells: [{ currency: 'SEK', word: 'differs', games: -3, bet: '-9', win: '0' }],
      kinds: {},
      rounds: [],
      leftOut: 0,
      currenciesLeftOut: 0,
    }),
  });
  const browser = open(counted.store, { clock });
  const { text: page } = await browser.get('/money?day=2026-11-25&span=week&currency=EUR');
  expect(page).not.toContain('day=2026-11-23&amp;currency=SEK');
  expect(page).toContain('Look at <a href="reconciliation?operator=casino"><bdi>SEK');
});
