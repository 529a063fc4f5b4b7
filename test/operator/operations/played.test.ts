import { expect, test } from '@jest/globals';

import { type CreditRecord, type RoundHead, unseenRound } from '../../../lib/operator/gameround';
import type { PlayedView } from '../../../lib/operator/operations/view/players/days';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { RoundHistory, WalletStore } from '../../../lib/operator/wallet';
import { credit, debit, RoundPlay } from '../../../lib/proof/contracts/repairs/round-play';
import { VirtualClock } from '../../support/virtual-clock';
import { withParts } from '../../support/with-parts';
import { type Browser, maria, open, operatorId, queryOf, wordsOf } from './fixture';

const now = Date.parse('2026-11-24T12:00:00Z');
const dayMs = 86_400_000;

async function playedOf(browser: Browser, more = {}): Promise<PlayedView | null> {
  const reply = await browser.get(`/player.json?${queryOf({ player: 'ann', ...more })}`);
  return (reply.json() as { played: PlayedView | null }).played;
}

async function pageOf(browser: Browser): Promise<string> {
  return (await browser.get(`/player?${queryOf({ player: 'ann' })}`)).text;
}

/** A closed round of Ann, as a commit of the wallet would leave it; units have four decimals. */
async function putPlayed(
  store: WalletStore,
  at: number,
  [taken, given]: readonly [bigint, bigint],
  currency = 'EUR',
): Promise<void> {
  const round = { operatorId, playerId: 'ann', gameRound: `r${at}` };
  const after: RoundHead = {
    ...unseenRound,
    version: 1,
    state: 'closed',
    changedAt: at,
    currency,
    gameCode: 'bells',
    started: true,
    debits: { real: taken, bonus: 0n },
    credits: { real: given - 1n, bonus: 1n },
  };
  const record: CreditRecord = {
    type: 'credit',
    outcome: 'accepted',
    currency,
    amount: given,
    serial: null,
    purse: { real: 0n, bonus: 0n },
    at,
    fingerprints: [],
  };
  const records = [{ hash: `win of ${at}`, record }];
  const result = await store.rounds.commit(round, {
    before: unseenRound,
    after,
    records,
    movements: [],
  });
  expect(result.kind).toBe('committed');
}

async function storeOf(retentionDays = 90) {
  const clock = new VirtualClock(now);
  const store = createMemoryStore({ clock, retentionMs: retentionDays * dayMs });
  const ann = { operatorId, playerId: 'ann', balances: { real: '100' } };
  for (const currency of ['EUR', 'USD']) await store.players.openPlayer({ ...ann, currency });
  return { clock, store };
}

test('a player has what was bet and won in 30 days of the books, by currency and by day, with the result', async () => {
  const { clock, store } = await storeOf();
  await putPlayed(store, now - 31 * dayMs, [900_000n, 1n]);
  // Half an hour before midnight of UTC: it is the next day of Malta.
  await putPlayed(store, Date.parse('2026-11-22T23:30:00Z'), [100_000n, 30_000n]);
  await putPlayed(store, Date.parse('2026-11-23T10:00:00Z'), [50_000n, 225_000n]);
  await putPlayed(store, now - 3000, [20_000n, 10_000n]);
  await putPlayed(store, now - 2000, [70_000n, 1n], 'USD');
  const browser = open(store, { clock, booksZone: 'Europe/Malta' });
  const played = await playedOf(browser);
  expect(played).toMatchObject({ firstDay: '2026-10-26', since: null, rounds: 4, isCut: false });
  const [euro, dollar, ...none] = played?.currencies ?? [];
  expect(none).toEqual([]);
  expect(euro).toMatchObject({
    currency: 'EUR',
    rounds: 3,
    taken: '17',
    given: '26.5',
    result: '9.5',
  });
  expect(dollar).toMatchObject({ currency: 'USD', rounds: 1, taken: '7', result: '-6.9999' });
  const days = euro?.days ?? [];
  expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([30, '2026-10-26', '2026-11-24']);
  expect(days.filter(({ rounds }) => rounds > 0)).toEqual([
    {
      day: '2026-11-23',
      rounds: 2,
      taken: '15',
      given: '25.5',
      result: '10.5',
    },
    {
      day: '2026-11-24',
      rounds: 1,
      taken: '2',
      given: '1',
      result: '-1',
    },
  ]);
  const page = await pageOf(browser);
  const words = wordsOf(page);
  expect(words).toContain(
    'Result of 30 days +9.50 EUR \u22126.9999 USD · 17.00 EUR bet · of 4 rounds',
  );
  expect(words).toContain('Bet and won by day of 4 rounds, won with repairs');
  expect(words).toContain('On 1 of 30 days more was won than bet.');
  expect(words).toContain('23 Nov 15.00 25.50 10.50 2 24 Nov 2.00 1.00 \u22121.00 1');
  expect(words).toContain('USD 1 7.00 0.0001 \u22126.9999');
});

test('of more rounds than are read the newest are summed, and the page says since when', async () => {
  const { clock, store } = await storeOf();
  const hourMs = 3_600_000;
  for (let at = 254; at >= 0; at--) await putPlayed(store, now - at * hourMs, [10_000n, 5000n]);
  const browser = open(store, { clock });
  const played = await playedOf(browser);
  const since = new Date(now - 49 * hourMs);
  expect(played).toMatchObject({ rounds: 50, isCut: true, since: since.toISOString() });
  expect(played?.currencies).toMatchObject([{ taken: '50', given: '25', result: '-25' }]);
  const page = await pageOf(browser);
  const words = wordsOf(page);
  expect(words).toContain(
    '\u221225.00 EUR 50.00 EUR bet · of the newest 50 rounds, since Sun 22 Nov',
  );
  // No day before is shown as one without play.
  expect(words).toContain('rounds 22 Nov 13.00 6.50 \u22126.50 13');

  const [, href] = /href="([^"]*)#played">Sum up to 2,000 rounds/.exec(page) ?? [];
  expect(href).toBe(
    `player?${queryOf({ operator: operatorId, player: 'ann', played: 'all' })}`.replaceAll(
      '&',
      '&amp;',
    ),
  );
  const all = await playedOf(browser, { played: 'all' });
  expect(all).toMatchObject({ rounds: 255, isCut: false, since: null });
  expect(all?.currencies).toMatchObject([{ taken: '255', given: '127.5', result: '-127.5' }]);
});

test('where rounds may have been deleted, the page says since when the figures are whole', async () => {
  const { clock, store } = await storeOf(5);
  await putPlayed(store, now - dayMs, [10_000n, 5000n]);
  const browser = open(store, { clock });
  const since = new Date(now - 5 * dayMs).toISOString();
  expect(await playedOf(browser)).toMatchObject({ rounds: 1, isCut: false, since });
  expect(wordsOf(await pageOf(browser))).toContain(
    'of 1 round, since Thu 19 Nov: older ones may have been deleted',
  );
});

test('more rounds are offered only where reading them would make the figures more', async () => {
  const { clock, store } = await storeOf(1);
  for (let hours = 60; hours >= 0; hours--) {
    await putPlayed(store, now - hours * 3_600_000, [10_000n, 5000n]);
  }
  // The memory keeps the rounds that it may delete.
  const browser = open(store, { clock });
  const since = new Date(now - dayMs).toISOString();
  expect(await playedOf(browser)).toMatchObject({ rounds: 25, isCut: false, since });
  const words = wordsOf(await pageOf(browser));
  expect(words).toContain('of 25 rounds, since Mon 23 Nov: older ones may have been deleted');
  expect(words).not.toContain('Sum up to');
});

test('a page of a list on which every round was deleted ends the sum: what began before it was deleted too', async () => {
  const { clock, store } = await storeOf(1);
  let reads = 0;
  const rounds = async () => {
    reads += 1;
    return { kind: 'known', rounds: [], next: reads < 100 ? 'older' : null } as const;
  };
  const browser = open(withParts(store, { history: { rounds } }), { clock });
  const since = new Date(now - dayMs).toISOString();
  expect(await playedOf(browser)).toMatchObject({ rounds: 0, isCut: false, since });
  expect(reads).toBe(1);
});

test('the newest rounds are read once for the list and for the sum, and no older ones than these days', async () => {
  const { clock, store } = await storeOf();
  for (let at = 59; at >= 0; at--) await putPlayed(store, now - at * 3_600_000, [10_000n, 0n]);
  const read: string[] = [];
  const rounds: RoundHistory['rounds'] = async (...query) => {
    const page = await store.history.rounds(...query);
    if (page.kind === 'known') read.push(...page.rounds.map(({ gameRound }) => gameRound));
    return page;
  };
  const browser = open(withParts(store, { history: { rounds } }), { clock });
  const readBy = async (more = {}) => {
    read.length = 0;
    const played = await playedOf(browser, more);
    return [played?.rounds, read.length, new Set(read).size];
  };
  expect(await readBy()).toEqual([50, 50, 50]);
  await clock.pass(5000);
  expect(await readBy({ state: 'closed' })).toEqual([50, 70, 50]);
  await clock.pass(40 * dayMs);
  expect(await readBy()).toEqual([0, 20, 20]);
});

test('a round of tomorrow, since a clock is ahead, is in no sum of these days, and the page says so', async () => {
  const { clock, store } = await storeOf();
  await putPlayed(store, now, [10_000n, 5000n]);
  await putPlayed(store, now + dayMs, [70_000n, 5000n]);
  const browser = open(store, { clock });
  const said = '1.00 EUR bet · of 1 round, without 1 of a later day: a clock is ahead';
  expect(wordsOf(await pageOf(browser))).toContain(said);
  await clock.pass(dayMs);
  const played = await playedOf(browser);
  expect(played).toMatchObject({ rounds: 2, ahead: 0, currencies: [{ taken: '8' }] });
});

test('readers with other days of the books do not share what was read', async () => {
  const { clock, store } = await storeOf();
  await putPlayed(store, Date.parse('2026-11-22T23:30:00Z'), [10_000n, 5000n]);
  const dayIn = async (booksZone: string) => {
    const played = await playedOf(open(store, { clock, booksZone }));
    return played?.currencies[0]?.days.find(({ rounds }) => rounds > 0)?.day;
  };
  expect([await dayIn('UTC'), await dayIn('Europe/Malta')]).toEqual(['2026-11-22', '2026-11-23']);
});

test('without a round in 30 days the tile says so, and without a list of rounds there is none', async () => {
  const { clock, store } = await storeOf();
  await putPlayed(store, now - 31 * dayMs, [10_000n, 5000n]);
  const browser = open(store, { clock });
  expect(wordsOf(await pageOf(browser))).toContain('Result of 30 days nothing no round in 30 days');
  const without = open(withParts(store, { history: undefined }), { clock });
  expect(await playedOf(without)).toBeNull();
  expect(wordsOf(await pageOf(without))).not.toContain('30 days');
});

test('what people paid in another currency than that of the round is won in that one', async () => {
  const store = createMemoryStore();
  const play = await RoundPlay.open({ store, players: store.players });
  const player = { operatorId: play.round.operatorId, playerId: play.round.playerId };
  await play.call(debit('d', 40n, true));
  await play.call(credit('c', 15n, 'USD'));
  await store.players.openPlayer({ ...player, currency: 'USD', balances: { real: '0' } });
  await play.repaired({});
  const browser = open(store, { operators: [player.operatorId], authorize: () => maria });
  const reply = await browser.get(`/player.json?player=${player.playerId}`);
  const { currencies } = (reply.json() as { played: PlayedView }).played;
  expect(currencies).toMatchObject([
    { currency: 'EUR', rounds: 1, taken: '0.004', given: '0', result: '-0.004' },
    { currency: 'USD', rounds: 0, taken: '0', given: '0.0015', result: '0.0015' },
  ]);
});
