import assert from 'node:assert/strict';
import { unseenRound } from '../gameround';
import {
  accountsOf,
  anotherRound,
  assertCommitted,
  type Case,
  countKinds,
  freshRound,
  open,
  orderOf,
  playerWith,
  purseOf,
  snapshotOf,
} from './wallet-store-contract-case';
import {
  changeOf,
  debitRecord,
  give,
  openingOf,
  real,
  reverse,
  take,
} from './wallet-store-contract-changes';

/** The guard: a commit counts once, and only on what it was decided on. */
export function guardRules(check: Case): void {
  check('nothing is known of a round that was never committed', async (store) => {
    const round = await playerWith(store, 100n, 3n);
    const accounts = [{ currency: 'EUR', real: 100n, bonus: 3n }];
    const snapshot = await snapshotOf(store, round, ['a', 'b']);
    assert.deepEqual(snapshot, { head: unseenRound, entries: new Map(), accounts });
    assert.equal(await store.readRound(round), null);
  });

  check('a commit answers the accounts after it, and the round is loaded so', async (store) => {
    const round = await playerWith(store, 100n);
    await open(store, round, 'USD', 7n, 8n);
    const change = openingOf([take('d', 30n)]);
    const accounts = assertCommitted(await store.commit(round, change));
    assert.deepEqual(accounts, [
      { currency: 'EUR', real: 70n, bonus: null },
      { currency: 'USD', real: 7n, bonus: 8n },
    ]);
    assert.deepEqual(await accountsOf(store, round), accounts);
    const { head, entries } = await snapshotOf(store, round, ['d', 'unknown']);
    assert.deepEqual(head, { ...change.after, debits: real(30n) });
    assert.deepEqual([...entries.keys()], ['d']);
  });

  check('a commit on another version is stale, and nothing is written', async (store) => {
    const round = await playerWith(store, 100n);
    const { after: first } = openingOf([]);
    const early = changeOf(first, [take('early', 1n)]);
    assert.deepEqual(await store.commit(round, early), { kind: 'stale' });
    assert.equal(await store.readRound(round), null);
    assertCommitted(await store.commit(round, openingOf([])));
    assertCommitted(await store.commit(round, changeOf(first, [])));
    for (const version of [0, 1, 3, 22]) {
      const change = changeOf({ ...first, version }, [take('late', 1n)]);
      assert.deepEqual(await store.commit(round, change), { kind: 'stale' });
    }
    const { head, entries } = await snapshotOf(store, round, ['early', 'late']);
    assert.deepEqual([head.version, entries.size], [2, 0]);
    assert.equal((await purseOf(store, round)).real, 100n);
  });

  check('a stale commit is stale also where its movement would be refused', async (store) => {
    const round = await playerWith(store, 0n);
    assertCommitted(await store.commit(round, openingOf([])));
    const change = openingOf([take('d', 1n)]);
    assert.deepEqual(await store.commit(round, change), { kind: 'stale' });
  });

  check('the same commit executed twice changes nothing', async (store) => {
    const round = await playerWith(store, 100n, 50n);
    const change = openingOf([take('d', 30n), give('c', { real: 1n, bonus: 2n })]);
    assertCommitted(await store.commit(round, change));
    const once = [await store.readRound(round), await purseOf(store, round)];
    assert.deepEqual(await store.commit(round, change), { kind: 'stale' });
    assert.deepEqual([await store.readRound(round), await purseOf(store, round)], once);
  });

  check('of concurrent commits on one version exactly one is written', async (store) => {
    const round = await playerWith(store, 100n);
    let before = unseenRound;
    for (const turn of [1, 2, 3]) {
      const changes = Array.from({ length: 8 }, (_, at) =>
        changeOf(before, [take(`${turn}-${at}`, 1n)]),
      );
      const results = await Promise.all(changes.map((change) => store.commit(round, change)));
      assert.deepEqual(countKinds(results), { committed: 1, stale: 7 });
      before = (await snapshotOf(store, round)).head;
      assert.deepEqual(before.debits, real(BigInt(turn)));
    }
    const report = await store.readRound(round);
    assert.equal(report?.entries.size, 3);
    assert.equal((await purseOf(store, round)).real, 97n);
  });
}

/** All or nothing, and the funds guard. */
export function fundsRules(check: Case): void {
  check('a refused movement leaves nothing of those before it', async (store) => {
    const round = await playerWith(store, 100n, 10n);
    const refusals = [
      { last: take('last', 51n), reason: 'tooLow' },
      { last: take('last', 1n, { currency: 'USD' }), reason: 'noCurrency' },
      { last: give('last', real(1n), 'USD'), reason: 'noCurrency' },
      { last: reverse('last', real(1n), 'USD'), reason: 'noCurrency' },
    ];
    for (const { last, reason } of refusals) {
      const change = openingOf([take('first', 60n), give('second', { real: 0n, bonus: 0n }), last]);
      const refused = await store.commit(round, change);
      assert.deepEqual(refused, { kind: 'refused', hash: 'last', reason });
    }
    assert.deepEqual(await purseOf(store, round), { real: 100n, bonus: 10n });
    const { head, entries } = await snapshotOf(store, round, ['first', 'second', 'last']);
    assert.deepEqual([head, entries.size], [unseenRound, 0]);
  });

  check('every movement of an unknown player is refused', async (store) => {
    const round = freshRound();
    for (const part of [take('x', 0n), give('x', real(1n)), reverse('x', real(1n))]) {
      const refused = await store.commit(round, openingOf([part]));
      assert.deepEqual(refused, { kind: 'refused', hash: 'x', reason: 'noPlayer' });
    }
    assert.deepEqual(await store.accounts(round), { kind: 'known', accounts: null });
  });

  check('a movement counts on those before it in the change', async (store) => {
    const round = await playerWith(store, 0n);
    const refused = await store.commit(round, openingOf([take('d', 5n), give('c', real(5n))]));
    assert.deepEqual(refused, { kind: 'refused', hash: 'd', reason: 'tooLow' });
    assertCommitted(await store.commit(round, openingOf([give('c', real(5n)), take('d', 5n)])));
    assert.equal((await purseOf(store, round)).real, 0n);
  });

  check('one change may move money in two currencies', async (store) => {
    const round = await playerWith(store, 10n);
    await open(store, round, 'USD', 10n);
    const change = openingOf([give('c', real(1n)), take('d', 4n, { currency: 'USD' })]);
    const accounts = assertCommitted(await store.commit(round, change));
    assert.deepEqual(
      accounts.map((account) => account.real),
      [11n, 6n],
    );
  });

  check('many rounds of one player at once overdraw nothing', async (store) => {
    const player = await playerWith(store, 70n, 25n);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        store.commit(
          anotherRound(player),
          openingOf([take('d', 10n, { bonusFirst: at % 2 === 0 })]),
        ),
      ),
    );
    assert.deepEqual(countKinds(results), { committed: 9, refused: 11 });
    const { real: units, bonus } = await purseOf(store, player);
    assert.equal(units + bonus, 5n);
    assert.ok(units >= 0n && bonus >= 0n, 'neither balance may be overdrawn');
  });

  check('rounds and withdrawals at once overdraw nothing', async (store) => {
    const player = await playerWith(store, 95n);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0
          ? store.withdraw(orderOf(player, 10n))
          : store.commit(anotherRound(player), openingOf([take('d', 10n)])),
      ),
    );
    assert.equal(countKinds(results)['refused'], 11);
    assert.equal((await purseOf(store, player)).real, 5n);
  });

  check(
    'a reversal is never refused for funds, and the balance may go below zero (D5.2)',
    async (store) => {
      const round = await playerWith(store, 10n, 5n);
      const back = { real: -30n, bonus: -20n };
      assertCommitted(await store.commit(round, openingOf([reverse('v', back)])));
      assert.deepEqual(await purseOf(store, round), { real: -20n, bonus: -15n });
      const after = (await snapshotOf(store, round)).head;
      const refused = await store.commit(round, changeOf(after, [take('d', 1n)]));
      assert.deepEqual(refused, { kind: 'refused', hash: 'd', reason: 'tooLow' });
      assertCommitted(await store.commit(round, changeOf(after, [take('free', 0n)])));
    },
  );
}

/** How a debit is paid from real and bonus money. */
export function splitRules(check: Case): void {
  const table = [
    { has: [100n, 40n], amount: 30n, bonusFirst: false, takes: [30n, 0n] },
    { has: [100n, 40n], amount: 30n, bonusFirst: true, takes: [0n, 30n] },
    { has: [100n, 40n], amount: 120n, bonusFirst: false, takes: [100n, 20n] },
    { has: [100n, 40n], amount: 120n, bonusFirst: true, takes: [80n, 40n] },
    { has: [100n, 40n], amount: 140n, bonusFirst: false, takes: [100n, 40n] },
    { has: [100n, 40n], amount: 0n, bonusFirst: true, takes: [0n, 0n] },
    { has: [-50n, 40n], amount: 40n, bonusFirst: false, takes: [0n, 40n] },
    { has: [50n, -40n], amount: 50n, bonusFirst: true, takes: [50n, 0n] },
  ] as const;
  for (const { has, amount, bonusFirst, takes } of table) {
    const order = bonusFirst ? 'bonus first' : 'real first';
    check(`${amount} units of ${has.join(' real and ')} bonus are paid ${order}`, async (store) => {
      const round = await playerWith(store, 0n, 0n);
      const [purse, taken] = [toPurse(has), toPurse(takes)];
      assertCommitted(await store.commit(anotherRound(round), openingOf([reverse('set', purse)])));
      const change = openingOf([take('d', amount, { bonusFirst })]);
      assertCommitted(await store.commit(round, change));
      const left = { real: purse.real - taken.real, bonus: purse.bonus - taken.bonus };
      assert.deepEqual(await purseOf(store, round), left);
      const { head, entries } = await snapshotOf(store, round, ['d']);
      assert.deepEqual(entries.get('d')?.transaction, debitRecord(amount, { purse: taken }));
      assert.deepEqual(head.debits, taken);
    });
  }

  check('a balance below zero pays nothing for the other', async (store) => {
    const round = await playerWith(store, 0n, 0n);
    const purse = { real: -50n, bonus: 40n };
    assertCommitted(await store.commit(round, openingOf([reverse('set', purse)])));
    for (const bonusFirst of [true, false]) {
      const change = openingOf([take('d', 41n, { bonusFirst })]);
      const refused = await store.commit(anotherRound(round), change);
      assert.deepEqual(refused, { kind: 'refused', hash: 'd', reason: 'tooLow' });
    }
  });

  check('what each debit took is in its record, and the sum in the head', async (store) => {
    const round = await playerWith(store, 100n, 40n);
    const before = openingOf([take('1', 30n, { bonusFirst: true })]);
    assertCommitted(await store.commit(round, before));
    const { head } = await snapshotOf(store, round);
    const change = changeOf(head, [
      take('2', 60n, { bonusFirst: true }),
      give('3', { real: 3n, bonus: 4n }),
      take('4', 50n),
    ]);
    assertCommitted(await store.commit(round, change));
    const after = await snapshotOf(store, round, ['1', '2', '4']);
    const purses = ['1', '2', '4'].map((hash) => {
      const record = after.entries.get(hash)?.transaction;
      return record?.type === 'debit' ? record.purse : null;
    });
    const paid = [toPurse([0n, 30n]), toPurse([50n, 10n]), toPurse([50n, 0n])];
    assert.deepEqual(purses, paid);
    assert.deepEqual(after.head.debits, { real: 100n, bonus: 40n });
    assert.deepEqual(after.head.credits, { real: 3n, bonus: 4n });
    assert.deepEqual(await purseOf(store, round), { real: 3n, bonus: 4n });
  });

  check('a credit to bonus money begins a bonus balance', async (store) => {
    const round = await playerWith(store, 1n);
    const change = openingOf([give('c', { real: 0n, bonus: 2n })]);
    const accounts = assertCommitted(await store.commit(round, change));
    assert.deepEqual(accounts, [{ currency: 'EUR', real: 1n, bonus: 2n }]);
  });

  check('a debit that moves nothing keeps the record that it came with', async (store) => {
    const round = await playerWith(store, 100n);
    const record = debitRecord(7n, { outcome: 'BALANCETOOLOW' });
    const change = openingOf([{ record: { hash: 'd', record } }, take('e', 1n)]);
    assertCommitted(await store.commit(round, change));
    const { entries } = await snapshotOf(store, round, ['d']);
    assert.deepEqual(entries.get('d'), { transaction: record });
  });
}

function toPurse([units, bonus]: readonly [bigint, bigint]) {
  return { real: units, bonus };
}
