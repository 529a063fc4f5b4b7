import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  createLedgerStore,
  type LedgerStore,
  type RoundBooks,
  roundBooksDifference,
} from '../../../lib/operator/ledger';
import { type Repair, type RoundRepairs, unsignedDelivery } from '../../../lib/operator/gameround';
import { approveRepair } from '../../../lib/operator/operations/repairs/decision';
import { proposeRepair } from '../../../lib/operator/operations/repairs/propose';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import {
  doTransactions,
  type Ledger,
  type PostedRound,
  type RoundKey,
} from '../../../lib/operator/wallet';
import { postingOf } from '../../../lib/operator/wallet/ledger';
import { systemClock } from '../../../lib/platform';
import { createMemoryLedger, type MemoryLedger } from '../../../lib/proof';
import { give, openingOf, real, take } from '../../../lib/proof/contracts/changes';
import { emptyPurse } from '../../../lib/protocol/money/purse';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';

const ann = { operatorId: 'acme', playerId: 'ann', gameRound: 'r1' };
const signal = new AbortController().signal;

let ledger: MemoryLedger;
let journal: ReturnType<typeof createMemoryStore>;
let store: LedgerStore;

beforeEach(async () => {
  ledger = createMemoryLedger();
  for (const playerId of ['ann', 'bob']) {
    const balances = { real: { units: 1000n }, bonus: { units: 0n } };
    await ledger.openPlayer({ operatorId: 'acme', playerId, currency: 'EUR', balances });
  }
  journal = createMemoryStore();
  store = open(ledger);
});

/** The store over this ledger, or over this one with another method. */
function open(over: Ledger): LedgerStore {
  return createLedgerStore({ ledger: over, journal, attempts: 1 });
}

/** The same ledger, with these methods instead of its own. */
function ledgerWith(methods: Partial<Ledger>): Ledger {
  return {
    debit: (posting, until) => ledger.debit(posting, until),
    credit: (posting, until) => ledger.credit(posting, until),
    reverse: (posting, until) => ledger.reverse(posting, until),
    balances: (player, until) => ledger.balances(player, until),
    postedRounds: listOf,
    ...methods,
  };
}

/** What the ledger itself lists. */
function listOf(...[query, until]: Parameters<NonNullable<Ledger['postedRounds']>>) {
  return ledger.postedRounds?.(query, until) ?? nothing();
}

async function* nothing(): AsyncGenerator<PostedRound> {}

async function play(round: RoundKey, ...transactions: Transaction[]): Promise<void> {
  const { playerId, gameRound } = round;
  await doTransactions(
    round,
    { playerId, gameRound, gameCode: 'bells', transactions },
    unsignedDelivery('d'),
    {
      rounds: store.rounds,
      clock: systemClock,
      deadlineMs: 5000,
      policy: { useBonusFirst: true, creditTo: 'real' },
    },
  );
}

function debitOf(hash: string, amount: bigint, currency = 'EUR'): Transaction {
  const isFirstDebit = hash.startsWith('r');
  return { type: 'debit', hash, currency, amount, discount: 0n, isFirstDebit, serial: null };
}

function creditOf(hash: string, amount: bigint, currency = 'EUR'): Transaction {
  return { type: 'credit', hash, currency, amount, serial: null };
}

async function read(query: Parameters<NonNullable<LedgerStore['roundBooks']>>[0] = {}) {
  const all: RoundBooks[] = [];
  for await (const books of store.roundBooks?.(query) ?? []) all.push(books);
  return all;
}

/** The rounds with different books, and what the ledger posted beyond them. */
async function differing(): Promise<unknown[]> {
  const found = (await read()).map((books) => ({
    round: `${books.playerId} ${books.gameRound}`,
    currency: books.currency,
    standing: books.standing,
    more: roundBooksDifference(books),
  }));
  return found.filter(({ more }) => more.real !== 0n || more.bonus !== 0n);
}

/** Plays a closed round, an open one, a voided one, and one of bob. */
async function playSome(): Promise<void> {
  await play(ann, debitOf('r1', 100n), creditOf('c1', 30n), { type: 'end', hash: 'e1' });
  await play({ ...ann, gameRound: 'r2' }, debitOf('r2', 7n));
  const voided = { ...ann, gameRound: 'r3' };
  await play(voided, debitOf('r3', 9n));
  await play(voided, { type: 'void', hash: 'r3', amount: null, currency: null });
  await play({ ...ann, playerId: 'bob' }, debitOf('r1', 1n));
}

test('what was posted for each round is what the round says, to the unit', async () => {
  await playSome();
  const all = await read();
  expect(
    all.map(({ playerId, gameRound, posted, standing }) => [
      playerId,
      gameRound,
      posted.real,
      standing,
    ]),
  ).toEqual([
    ['ann', 'r1', -70n, 'compared'],
    ['ann', 'r2', -7n, 'compared'],
    ['ann', 'r3', 0n, 'compared'],
    ['bob', 'r1', -1n, 'compared'],
  ]);
  for (const books of all) expect(roundBooksDifference(books)).toEqual(emptyPurse);
  expect((await read({ operatorId: 'acme', playerId: 'bob' })).length).toBe(1);
  expect(await read({ operatorId: 'other' })).toEqual([]);
  expect(await read({ since: Date.now() + 60_000 })).toEqual([]);
});

/** Pays a win without the wallet. */
function pay(round: RoundKey, hash: string, units: bigint): unknown {
  const posting = postingOf(round, hash, 'bells');
  return ledger.credit({ ...posting, currency: 'EUR', purse: real(units) }, signal);
}

describe('a planted difference is found:', () => {
  beforeEach(playSome);

  test('a win that was paid under another key', async () => {
    await pay(ann, 'by hand', 5n);
    expect(await differing()).toEqual([
      { round: 'ann r1', currency: 'EUR', standing: 'compared', more: real(5n) },
    ]);
  });

  test('a posting of a round that the store does not know', async () => {
    await pay({ ...ann, gameRound: 'nowhere' }, 'x', 5n);
    expect(await differing()).toEqual([
      { round: 'ann nowhere', currency: 'EUR', standing: 'unknown', more: real(5n) },
    ]);
  });

  test('a stake that was given back without the wallet', async () => {
    await ledger.reverse(postingOf(ann, 'r1', 'bells'), signal);
    expect(await differing()).toEqual([
      { round: 'ann r1', currency: 'EUR', standing: 'compared', more: real(100n) },
    ]);
  });

  test('a round of the store without any posting', async () => {
    const round = { ...ann, gameRound: 'unposted' };
    const change = openingOf([take('d', 10n), give('c', real(4n))], { state: 'closed' });
    const after = { ...change.after, debits: real(10n), credits: real(4n) };
    await journal.rounds.commit(round, { ...change, after, movements: [] });
    expect(await differing()).toEqual([
      { round: 'ann unposted', currency: 'EUR', standing: 'compared', more: real(6n) },
    ]);
  });

  test('a posting in a currency that is not that of the round', async () => {
    await openUsd(0n);
    await ledger.credit(
      { ...postingOf(ann, 'usd', 'bells'), currency: 'USD', purse: real(2n) },
      signal,
    );
    expect(await differing()).toEqual([
      { round: 'ann r1', currency: 'USD', standing: 'compared', more: real(2n) },
    ]);
  });

  test('a round that the ledger lists only in another currency, in which nothing moved', async () => {
    store = open(listing((one) => ({ ...one, currency: 'USD', moved: emptyPurse })));
    expect(await differing()).toEqual([
      { round: 'ann r1', currency: 'EUR', standing: 'compared', more: real(70n) },
      { round: 'ann r2', currency: 'EUR', standing: 'compared', more: real(7n) },
      { round: 'bob r1', currency: 'EUR', standing: 'compared', more: real(1n) },
    ]);
  });

  test('the rounds of one currency alone, of a player with rounds in two', async () => {
    await openUsd(1000n);
    await play({ ...ann, gameRound: 'r4' }, debitOf('r4', 40n, 'USD'));
    expect(await differing()).toEqual([]);
    store = open(listing((one) => (one.currency === 'USD' ? null : one)));
    expect(await differing()).toEqual([
      { round: 'ann r4', currency: 'USD', standing: 'compared', more: real(40n) },
    ]);
  });
});

/** The same ledger, whose list has these entries instead of its own; null for none. */
function listing(change: (posted: PostedRound) => PostedRound | null): Ledger {
  return ledgerWith({
    postedRounds: async function* (query, until) {
      for await (const posted of listOf(query, until)) {
        const listed = change(posted);
        if (listed !== null) yield listed;
      }
    },
  });
}

async function openUsd(units: bigint): Promise<void> {
  const balances = { real: { units } };
  await ledger.openPlayer({ operatorId: 'acme', playerId: 'ann', currency: 'USD', balances });
}

describe('repairs', () => {
  const maria = { id: 'maria', name: null };
  const nina = { id: 'nina', name: null };

  /** A win in a currency that the player got an account in only later: stranded, then paid by two people. */
  async function repaired(): Promise<string> {
    await play(ann, debitOf('r1', 100n));
    await play(ann, creditOf('c1', 30n, 'USD'));
    await openUsd(0n);
    const order = { kind: 'pay', reason: 'as the RGS told us' } as const;
    const proposed = await proposeRepair(ann, order, maria, { store });
    if (proposed.kind !== 'proposed') throw new Error(JSON.stringify(proposed.kind));
    const { id } = proposed.repair;
    expect((await approveRepair(ann, id, nina, { store })).kind).toBe('made');
    return id;
  }

  test('what a repair paid is a part of the books', async () => {
    await repaired();
    const usd = (await read()).find(({ currency }) => currency === 'USD');
    expect(usd).toMatchObject({ posted: real(30n), round: emptyPurse, repairs: real(30n) });
    expect(await differing()).toEqual([]);
  });

  test('a repair that the ledger took back is found', async () => {
    const id = await repaired();
    await ledger.reverse(postingOf(ann, `repair#${id}`, 'bells'), signal);
    expect(await differing()).toEqual([
      { round: 'ann r1', currency: 'USD', standing: 'compared', more: real(-30n) },
    ]);
  });
});

/** A win in USD that a repair has paid. */
function paid(id: string, units: bigint): Repair {
  const maria = { id: 'maria', name: null };
  return {
    id,
    kind: 'pay',
    status: 'done',
    hash: `win ${id}`,
    currency: 'USD',
    amount: units,
    purse: real(units),
    reference: null,
    reason: 'it was won',
    proposedBy: maria,
    proposedAt: 2,
    version: 1,
    decidedBy: { id: 'nina', name: null },
    decidedAt: 3,
    note: null,
  };
}

describe('a repair that the ledger does not list is found,', () => {
  const repairs: RoundRepairs = { closed: null, list: [paid('one', 30n), paid('two', 12n)] };
  const repairsOf = (currency: string | null) => async (): Promise<void> => {
    const change = openingOf([], { state: 'closed', currency, repairs });
    await journal.rounds.commit(ann, { ...change, records: [], movements: [] });
    await pay({ ...ann, gameRound: 'r5' }, 'by hand', 1n);
  };

  test.each(['EUR', null])('also in a round in the currency %p', async (currency) => {
    await repairsOf(currency)();
    expect(await differing()).toContainEqual({
      round: 'ann r1',
      currency: 'USD',
      standing: 'compared',
      more: real(-42n),
    });
  });

  test('where it lists the round in another currency', async () => {
    await repairsOf('EUR')();
    store = open(listing((one) => ({ ...one, gameRound: 'r1', moved: emptyPurse })));
    expect(await differing()).toEqual([
      { round: 'ann r1', currency: 'USD', standing: 'compared', more: real(-42n) },
    ]);
  });
});

test('a round with a posting in flight, or one that waits for its void, is unsettled', async () => {
  await play(ann, debitOf('r1', 100n));
  store = open(ledgerWith({ credit: () => Promise.reject(new Error('out of order')) }));
  await play(ann, creditOf('c1', 30n));
  expect((await read()).map(({ standing }) => standing)).toEqual(['unsettled']);
});

test('a round that changes at every reading is not said to differ for good', async () => {
  await play(ann, debitOf('r1', 100n));
  let turn = 0;
  store = open(
    ledgerWith({
      postedRounds: async function* (query, until) {
        turn += 1;
        const sums: PostedRound[] = [];
        for await (const sum of listOf(query, until)) sums.push(sum);
        // A new stake between the reading of the ledger's sum and that of the round.
        await play(ann, debitOf(`d${turn}`, 1n));
        yield* sums;
      },
    }),
  );
  const [books] = await read();
  expect(books?.standing).toBe('moving');
});

test('without postedRounds there are no books to read', () => {
  const bare = Object.fromEntries(
    Object.entries(ledgerWith({})).filter(([name]) => name !== 'postedRounds'),
  );
  expect(open(bare as unknown as Ledger)).toHaveProperty('roundBooks', undefined);
});

test('an answer of the ledger that cannot be read is an error, not a difference', async () => {
  const good = { ...ann, currency: 'EUR', moved: emptyPurse, lastAt: 1 };
  const wrong = [
    null,
    { ...good, moved: { real: 1, bonus: 0 } },
    { ...good, moved: undefined },
    { ...good, currency: 'eur' },
    { ...good, playerId: '' },
    { ...good, lastAt: 'today' },
  ];
  for (const row of wrong) {
    store = open(
      ledgerWith({
        postedRounds: async function* () {
          yield row as unknown as PostedRound;
        },
      }),
    );
    await expect(read()).rejects.toMatchObject({ name: 'LedgerAnswerError' });
  }
});
