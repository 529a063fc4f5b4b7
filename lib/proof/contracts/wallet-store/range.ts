import assert from 'node:assert/strict';
import { maxUnits } from '../../../protocol/money';
import { assertCommitted, assertRefused, playerWith, purseOf, snapshotOf } from '../case';
import {
  changeOf,
  creditRecord,
  debitRecord,
  give,
  openingOf,
  real,
  take,
  takeMore,
} from '../changes';
import type { ContractWallet } from '../players';
import type { Case } from '../suite';
import { commitVoids } from '../voids';

/** Amounts are exact up to 2^53-1 units, and end there. */
export function rangeRules(check: Case<ContractWallet>): void {
  check('the largest amounts move exactly', async ({ store, players }) => {
    const round = await playerWith(players, maxUnits);
    const opening = openingOf([take('d', maxUnits), give('c', real(maxUnits - 2n))]);
    assertCommitted(await store.commit(round, opening));
    const { head, entries } = await snapshotOf(store, round, ['d', 'c']);
    assert.deepEqual([head.debits, head.credits], [real(maxUnits), real(maxUnits - 2n)]);
    const credit = creditRecord(real(maxUnits - 2n));
    assert.deepEqual(entries.get('c')?.transaction, credit);
    const debit = debitRecord(maxUnits, { purse: real(maxUnits) });
    assert.deepEqual(entries.get('d')?.transaction, debit);
    assert.deepEqual(await purseOf(store, round), real(maxUnits - 2n));
    await commitVoids(store, round, 'd');
    assert.deepEqual(await purseOf(store, round), real(maxUnits));
  });

  check('a credit that lifts the balance above 2^53-1 units is refused', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, maxUnits);
    assertCommitted(await store.commit(round, openingOf([take('d', 0n)])));
    let { head } = await snapshotOf(store, round);
    for (const [hash, amount] of Object.entries({ c1: 1n, c2: maxUnits })) {
      const refused = await store.commit(round, changeOf(head, [give(hash, real(amount))]));
      head = assertRefused(refused, hash, 'outOfRange') ?? head;
      const record = creditRecord(real(0n), { amount, outcome: 'CREDITREFUSED' });
      assertCommitted(await store.commit(round, changeOf(head, [{ record: { hash, record } }])));
      head = (await snapshotOf(store, round)).head;
    }
    assert.deepEqual(await purseOf(store, round), real(maxUnits));
  });

  check('a sum of the round above 2^53-1 units is refused as out of range', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 10n);
    const almost = { debits: real(maxUnits - 5n), credits: real(maxUnits - 5n) };
    assertCommitted(await store.commit(round, openingOf([], almost)));
    let { head } = await snapshotOf(store, round);
    for (const part of [takeMore('x', 6n), give('x', real(6n))]) {
      const refused = await store.commit(round, changeOf(head, [part]));
      head = assertRefused(refused, 'x', 'outOfRange') ?? head;
    }
    assertCommitted(await store.commit(round, changeOf(head, [takeMore('y', 5n)])));
    assert.deepEqual((await snapshotOf(store, round)).head.debits, real(maxUnits));
    assert.deepEqual(await purseOf(store, round), real(5n));
  });
}
