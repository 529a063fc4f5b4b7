import { describe, expect, test } from '@jest/globals';

import {
  type BooksComparison,
  compareBooks,
} from '../../../lib/operator/reconciliation/books/compare';
import type { BooksStore } from '../../../lib/operator/reconciliation/books/since';
import { spoolEvents } from '../../../lib/operator/reconciliation/rounds/log';
import { OwnCheck } from '../../../lib/operator/reconciliation/rounds/own-check';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { FullStore } from '../../../lib/operator/wallet';
import { dice } from './histories';
import { memorySpool } from './runs';
import { operatorId, RandomPlay, SpanClock } from './totals/random-play';

const minute = 60_000;
const players = ['ann', 'bob', 'cyd'];

interface Event {
  readonly at: string;
  readonly playerId: string;
  readonly gameRound?: string;
  readonly movements: readonly { readonly currency: string; readonly real: string }[];
  readonly accounts: readonly { readonly currency: string; readonly real: string }[];
}

/** A store in which some have played, and its events so far; `more` plays on. */
async function played(seed: number, steps: number) {
  const clock = new SpanClock(Date.parse('2026-10-24T20:00:00Z'));
  const store = createMemoryStore({ events: ['audit'], clock });
  const play = new RandomPlay(store, clock, dice(seed), players);
  await play.openPlayers();
  const more = async (count: number): Promise<void> => {
    for (let step = 0; step < count; step++) await play.step(10 * minute);
  };
  await more(steps);
  return { store, lines: await linesOf(store), more };
}

async function linesOf(store: FullStore): Promise<string[]> {
  const request = { consumer: 'audit', operatorId, atMost: 1_000 };
  for await (const batch of store.events.read(request)) {
    await batch.done();
    return batch.events.map((event) => JSON.stringify(event));
  }
  return [];
}

async function compare(store: BooksStore, lines: readonly string[]): Promise<BooksComparison> {
  async function* batch(): AsyncGenerator<readonly string[]> {
    yield lines;
  }
  const check = new OwnCheck();
  const log = await spoolEvents(batch(), { operatorId, decimals: 4 }, memorySpool(), check);
  expect(check.faults).toEqual([]);
  return compareBooks(store, operatorId, check, log);
}

/** The last event of a player that moved money in a round, an hour before the last event of all, and its index. */
function lastOfSome(lines: readonly string[]): [number, Event] {
  const events = lines.map((line) => JSON.parse(line) as Event);
  const end = Date.parse(events.at(-1)?.at ?? '') - 60 * minute;
  for (const playerId of players) {
    const at = events.findLastIndex((one) => one.playerId === playerId);
    const event = events[at];
    if (event?.gameRound === undefined || Date.parse(event.at) >= end) continue;
    if (event.movements.some(({ real }) => real !== '0')) return [at, event];
  }
  throw new Error('no player has such an event');
}

/** A play of which some player's last event can be lost. */
async function playedForLoss() {
  for (let seed = 1; ; seed++) {
    const one = await played(seed, 40);
    try {
      return { ...one, lost: lastOfSome(one.lines) };
    } catch {
      // The next seed.
    }
  }
}

describe('the books of the store, and the events', () => {
  test('agree at any cut, however the players go on after it', async () => {
    let late = 0;
    for (let seed = 1; seed <= 8; seed++) {
      const { store, lines, more } = await played(seed, 60);
      expect(await compare(store, lines)).toMatchObject({ faults: [], unsettled: 0, compared: 6 });
      await more(seed);
      late += await linesOf(store).then(({ length }) => length);
      expect(await compare(store, lines)).toMatchObject({ faults: [], unsettled: 0, compared: 6 });
    }
    expect(late).toBeGreaterThan(50);
  });

  test('an event that was lost, after which its player did nothing, is named by its round', async () => {
    const { store, lines, lost } = await playedForLoss();
    const [at, { playerId, gameRound }] = lost;
    const { faults } = await compare(store, lines.toSpliced(at, 1));
    expect(faults[0]).toMatchObject({ player: playerId, round: gameRound });
    expect(faults[0]?.reason).toMatch(
      /^the events lack \w+ round-.* by which the store moved -?\d/,
    );
  });

  test('an event of what the store has not, as after a restore, is named', async () => {
    const { store, lines } = await played(3, 40);
    const last = JSON.parse(lines.at(-1) ?? '') as Event;
    const [account] = last.accounts;
    if (account === undefined) throw new Error('no account');
    const real = (Number(account.real) + 1).toFixed(4);
    const movements = [{ hash: 'x', currency: account.currency, real: '1', bonus: '0' }];
    const next = { ...last, id: 'x', gameRound: 'gone', movements, transactions: [] };
    const line = JSON.stringify({
      ...next,
      type: 'round',
      version: 1,
      state: 'open',
      accounts: [{ ...account, real }],
    });
    const { faults } = await compare(store, [...lines, line]);
    expect(faults).toMatchObject([{ player: last.playerId, round: 'gone' }]);
    expect(faults[0]?.reason).toMatch(/^the store has -1 more than after the event in line \d+/);
  });

  test('an account that the store does not have, and a balance that nothing moved, are named', async () => {
    const { store, lines } = await played(4, 20);
    const { players: own } = store;
    const wrong: FullStore['players'] = Object.create(own, {
      books: {
        async *value(query: { operatorId: string }) {
          for await (const one of own.books(query)) {
            const { playerId, currency, balance } = one;
            if (playerId === 'bob' && currency === 'EUR') continue;
            const isRight = playerId !== 'cyd' || currency !== 'SEK';
            yield isRight ? one : { ...one, balance: { ...balance, bonus: balance.bonus + 7n } };
          }
        },
      },
    }) as FullStore['players'];
    const { faults } = await compare({ ...store, players: wrong }, lines);
    expect(faults.map(({ player, currency, reason }) => [player, currency, reason])).toEqual([
      ['cyd', 'SEK', "the store's balance has 0 and bonus 0.0007 more than what moved it"],
      ['bob', 'EUR', 'the store does not have the account'],
    ]);
  });

  test('without a list of rounds, what moved since in new rounds is counted as not compared, and nothing is a fault', async () => {
    const { store, lines, more } = await played(5, 40);
    await more(20);
    const { rounds, players: own, decimals } = store;
    const result = await compare({ rounds, players: own, decimals }, lines);
    expect(result.faults).toEqual([]);
    expect(result.unsettled).toBeGreaterThan(0);
    expect(result.compared + result.unsettled).toBe(6);
  });
});
