import assert from 'node:assert/strict';
import type { RoundChange, RoundHead } from '../../../operator/gameround';
import { booksDifference, type PlayerKey, type RoundKey } from '../../../operator/wallet';
import { emptyPurse } from '../../../protocol/money/purse';
import { systemRandom } from '../../../platform/random';
import {
  accountsOf,
  anotherRound,
  assertCommitted,
  freshRound,
  inTurns,
  open,
  orderOf,
  playerWith,
  snapshotOf,
  forgotten,
  shortRetention,
} from '../case';
import { freshId } from '../../subject/runner';
import {
  changeOf,
  type ChangePart,
  end,
  give,
  openingOf,
  real,
  reverse,
  take,
  takeMore,
  commitFirst,
} from '../changes';
import { type Case, wrongText, wrongUse } from '../suite';
import { booksOf, type BookStore, maria } from './case';

/** The books: what an account holds is its cash and its rounds, to the unit, at any moment. */
export function booksRules(it: Case<BookStore>): void {
  it('an account without rounds holds its cash', async (store) => {
    const player = await playerWith(store.players, 100n, 7n);
    await store.players.deposit(orderOf(player, 30n));
    await store.players.withdraw(orderOf(player, 5n, { balance: 'bonus' }));
    const books = (await booksOf(store.players, player)).get('EUR');
    assert.deepEqual(
      [books?.balance, books?.cash, books?.hasOpening],
      [{ real: 130n, bonus: 2n }, { real: 130n, bonus: 2n }, true],
    );
    await assertWhole(store, player);
  });

  it('currencies have books of their own', async (store) => {
    const round = await playerWith(store.players, 100n);
    await open(store.players, round, 'USD', 50n);
    await commitFirst(store, round, [take('d', 10n)]);
    const books = await booksOf(store.players, round);
    assert.deepEqual([...books.keys()].toSorted(), ['EUR', 'USD']);
    assert.deepEqual(books.get('USD')?.rounds, emptyPurse);
    await assertWhole(store, round);
  });

  for (const [name, steps] of Object.entries(lives)) {
    it(`the books hold after each step of a round that ${name}`, async (store) => {
      const round = await playerWith(store.players, 1000n, 20n);
      const heads: RoundHead[] = [];
      for (const step of steps) {
        const { head } = await snapshotOf(store, round);
        assertCommitted(await store.rounds.commit(round, step(head)));
        await assertWhole(store, round);
        heads.push(head);
      }
      assert.equal(heads.length, steps.length);
    });

    it(
      `the books hold after the retention of a round that ${name}, and closed`,
      async (store) => {
        const round = await playerWith(store.players, 1000n, 20n);
        for (const step of [...steps, finishing]) {
          const { head } = await snapshotOf(store, round);
          assertCommitted(await store.rounds.commit(round, step(head)));
        }
        const held = await accountsOf(store, round);
        await assertWhole(store, round);
        await forgotten(store, round);
        await assertWhole(store, round);
        assert.deepEqual(await accountsOf(store, round), held);
        // The next round of the same name starts anew: what the first one moved stays in the books.
        await commitFirst(store, round, [take('d', 3n)]);
        await assertWhole(store, round);
      },
      shortRetention,
    );
  }

  it("a round without a player, as in a journal, is in nobody's books", async (store) => {
    const round = freshRound();
    const change = openingOf([], { state: 'closed', debits: real(5n) });
    assert.equal((await store.rounds.commit(round, change)).kind, 'committed');
    assert.equal((await booksOf(store.players, round)).size, 0);
    await open(store.players, round, 'EUR', 0n);
    assert.deepEqual((await booksOf(store.players, round)).get('EUR')?.cash, emptyPurse);
  });

  it('books are read of all players, of an operator, or of one player', async ({ players }) => {
    const one = await playerWith(players, 1n);
    const other = { ...one, playerId: freshId('player') };
    await open(players, other, 'EUR', 2n);
    const listed = async (query: Parameters<typeof players.books>[0]): Promise<string[]> => {
      const found: string[] = [];
      for await (const { playerId, operatorId } of players.books(query)) {
        if (operatorId === one.operatorId) found.push(playerId);
      }
      return found.toSorted();
    };
    const both = [one.playerId, other.playerId].toSorted();
    assert.deepEqual(await listed({ operatorId: one.operatorId }), both);
    assert.deepEqual(await listed({ operatorId: one.operatorId, playerId: one.playerId }), [
      one.playerId,
    ]);
    assert.deepEqual(await listed({ operatorId: freshId('operator') }), []);
    assert.deepEqual(await listed(undefined), both);
    for (const [query, fault] of [
      [{ operatorId: '' }, wrongText],
      [{ playerId: 'p' }, wrongUse],
      [{ operatorId: 'o', playerId: '' }, wrongText],
    ] as const) {
      const books = players.books(query)[Symbol.asyncIterator]();
      await assert.rejects(books.next(), fault);
    }
  });

  for (const [title, options] of [
    ['random commits and cash', {}],
    ['random commits and cash while the retention runs out', shortRetention],
  ] as const) {
    it(
      `after ${title} the books hold, and are what went into and out of the player's purse`,
      async (store) => {
        const opened = [1, 2, 3].map(() => playerWith(store.players, 500n, 50n));
        const players = await Promise.all(opened);
        await inTurns(players, async (player) => {
          let purse = 550n;
          for (let turn = 0; turn < 40; turn += 1) {
            purse += await randomTurn(store, player);
            if (turn % 8 === 0) await assertHeld(store, player, purse);
          }
          await assertHeld(store, player, purse);
        });
        const [first] = players;
        if (first !== undefined && 'retentionMs' in options) {
          const last = anotherRound(first);
          await commitFirst(store, last, [], { state: 'closed' });
          await forgotten(store, last);
          for (const player of players) await assertWhole(store, player);
        }
      },
      options,
    );
  }

  it('the books hold while the player plays', async (store) => {
    const player = await playerWith(store.players, 1_000_000n);
    const play = async (): Promise<void> => {
      for (let turn = 0; turn < 60; turn += 1) await randomTurn(store, player);
    };
    const playing = Promise.all([play(), play()]);
    for (let time = 0; time < 5; time += 1) {
      const books = (await booksOf(store.players, player)).get('EUR');
      assert.ok(books !== undefined, 'the player has books');
      if (books.isAtRest) assert.deepEqual(booksDifference(books), emptyPurse);
    }
    await playing;
    await assertWhole(store, player);
  });
}

type Step = (head: RoundHead) => RoundChange;

const to =
  (after: Partial<RoundHead>, ...parts: ChangePart[]): Step =>
  (head) =>
    changeOf(head, parts, after);

const closed = { state: 'closed' } as const;
const opening = to({}, take('d', 100n));
/** Gives back what a round has taken and takes back what it has given (D5.2). */
const voided: Step = (head) => {
  const back = {
    real: head.debits.real - head.credits.real,
    bonus: head.debits.bonus - head.credits.bonus,
  };
  const change = changeOf(head, [reverse('d', back)]);
  return {
    ...change,
    after: { ...change.after, state: 'voided', debits: emptyPurse, credits: emptyPurse },
  };
};
const finishing: Step = (head) =>
  head.state === 'voided' ? to({ state: 'voided' })(head) : to(closed)(head);

/** What may become of a round, a commit each. */
const lives: Readonly<Record<string, readonly Step[]>> = {
  'is open': [opening],
  'opens and closes at once': [to(closed, take('d', 100n), give('c', real(250n)), end('e'))],
  'opens and closes at once with bonus money': [
    to(closed, take('d', 15n, { bonusFirst: true }), give('c', { real: 1n, bonus: 7n })),
  ],
  'opens, is debited again, wins and closes': [
    opening,
    to({}, takeMore('d2', 30n)),
    to(closed, give('c', real(500n))),
  ],
  'closes, and is voided': [opening, to(closed, give('c', real(40n))), voided],
  'closes, and is stranded and closes again': [
    opening,
    to(closed),
    to({ state: 'stranded' }),
    to(closed, give('c', real(60n))),
  ],
  'closes, and is debited again': [opening, to(closed), to(closed, takeMore('d2', 9n))],
  'closes, and opens with a debit': [
    opening,
    to(closed),
    to({}, takeMore('d2', 9n, { bonusFirst: true })),
  ],
  'closes, waits for something pending, and is done': [
    opening,
    to({ ...closed, pending: { since: 1, posts: [], reversals: ['d'] } }, give('c', real(3n))),
    to({ ...closed, pending: null }),
  ],
  'closes, and is only noted again': [opening, to(closed, give('c', real(11n))), to(closed)],
  'crashes, and is voided': [opening, to({ state: 'crashed' }, give('c', real(4n))), voided],
  'is closed without a movement': [to({ state: 'none', currency: null, started: false })],
};

/** A random turn of a player's life; resolves to what went into the purse, below zero if it went out. */
async function randomTurn(store: BookStore, player: PlayerKey): Promise<bigint> {
  const units = BigInt(1 + below(40));
  const order = orderOf(player, units);
  switch (below(5)) {
    case 0:
      return (await store.players.deposit(order)).kind === 'done' ? units : 0n;
    case 1:
      return (await store.players.withdraw(order)).kind === 'done' ? -units : 0n;
    case 2: {
      const signed = below(2) === 0 ? units : -units;
      const correction = {
        by: maria,
        reason: 'A correction at random.',
        amount: { units: signed },
      };
      const { kind } = await store.players.correct({ ...order, ...correction });
      return kind === 'done' ? signed : 0n;
    }
    default:
      return playRound(store, anotherRound(player), units);
  }
}

/** A random life of a round: a stake, perhaps a win, perhaps a void. */
async function playRound(store: BookStore, round: RoundKey, stake: bigint): Promise<bigint> {
  const ends = [closed, {}, { state: 'stranded' }] as const;
  const win = { real: BigInt(below(60)), bonus: BigInt(below(2)) };
  const first = openingOf([take('d', stake, { bonusFirst: below(2) === 0 })], ends[below(3)]);
  let moved = 0n;
  if ((await store.rounds.commit(round, first)).kind !== 'committed') return moved;
  moved = -stake;
  const steps = [
    { step: to(ends[below(3)] ?? {}, give('c', win)), after: win.real + win.bonus - stake },
    { step: voided, after: 0n },
  ];
  for (const { step, after } of steps.slice(0, below(3))) {
    const { head } = await snapshotOf(store, round);
    if (head.version === 0 || (await store.rounds.commit(round, step(head))).kind !== 'committed')
      break;
    moved = after;
  }
  return moved;
}

function below(count: number): number {
  return Math.floor(systemRandom.next() * count);
}

async function assertHeld(store: BookStore, player: PlayerKey, purse: bigint): Promise<void> {
  const [account] = await accountsOf(store, player);
  assert.equal((account?.real ?? 0n) + (account?.bonus ?? 0n), purse);
  await assertWhole(store, player);
}

async function assertWhole(store: BookStore, player: PlayerKey): Promise<void> {
  const books = await booksOf(store.players, player);
  const accounts = await accountsOf(store, player);
  assert.equal(books.size, accounts.length);
  for (const { currency, real: units, bonus } of accounts) {
    const own = books.get(currency);
    assert.ok(own !== undefined, 'each account has books');
    assert.deepEqual(own.balance, { real: units, bonus: bonus ?? 0n });
    assert.deepEqual(booksDifference(own), emptyPurse);
  }
}
