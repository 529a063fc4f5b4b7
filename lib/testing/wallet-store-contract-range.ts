import assert from 'node:assert/strict';
import { maxUnits } from '../money';
import {
  anotherRound,
  assertCommitted,
  type Case,
  playerWith,
  purseOf,
  snapshotOf,
} from './wallet-store-contract-case';
import {
  changeOf,
  creditRecord,
  debitRecord,
  give,
  openingOf,
  real,
  reverse,
  take,
} from './wallet-store-contract-changes';

/** Amounts are exact up to 2^53-1 units, and end there. */
export function rangeRules(check: Case): void {
  check('the largest amounts move exactly', async (store) => {
    const round = await playerWith(store, maxUnits, maxUnits - 1n);
    const opening = openingOf([take('d', maxUnits), give('c', real(maxUnits - 2n))]);
    assertCommitted(await store.commit(round, opening));
    const { head, entries } = await snapshotOf(store, round, ['d', 'c']);
    assert.deepEqual([head.debits, head.credits], [real(maxUnits), real(maxUnits - 2n)]);
    const credit = creditRecord(real(maxUnits - 2n));
    assert.deepEqual(entries.get('c')?.transaction, credit);
    const debit = debitRecord(maxUnits, { purse: real(maxUnits) });
    assert.deepEqual(entries.get('d')?.transaction, debit);
    assert.deepEqual(await purseOf(store, round), { real: maxUnits - 2n, bonus: maxUnits - 1n });
  });

  check('the largest debit is split exactly', async (store) => {
    const [units, bonus] = [4_503_599_627_370_497n, 4_503_599_627_370_495n];
    const round = await playerWith(store, units, bonus);
    assertCommitted(await store.commit(round, openingOf([take('d', maxUnits)])));
    assert.deepEqual((await snapshotOf(store, round)).head.debits, {
      real: units,
      bonus: maxUnits - units,
    });
    assert.deepEqual(await purseOf(store, round), { real: 0n, bonus: 1n });
  });

  check('a reversal may go down to -(2^53-1) units, and no further', async (store) => {
    const round = await playerWith(store, 0n);
    const down = openingOf([reverse('v', real(-maxUnits))]);
    assertCommitted(await store.commit(round, down));
    assert.equal((await purseOf(store, round)).real, -maxUnits);
    const further = await store.commit(anotherRound(round), openingOf([reverse('w', real(-1n))]));
    assert.deepEqual(further, { kind: 'refused', hash: 'w', reason: 'outOfRange' });
    assert.equal((await purseOf(store, round)).real, -maxUnits);
  });

  check('a balance above 2^53-1 units is refused as out of range', async (store) => {
    const round = await playerWith(store, maxUnits, maxUnits);
    for (const purse of [real(1n), { real: 0n, bonus: 1n }, real(maxUnits)]) {
      const refused = await store.commit(round, openingOf([give('c', purse)]));
      assert.deepEqual(refused, { kind: 'refused', hash: 'c', reason: 'outOfRange' });
    }
    assert.deepEqual(await purseOf(store, round), { real: maxUnits, bonus: maxUnits });
  });

  check('a sum of the round above 2^53-1 units is refused as out of range', async (store) => {
    const round = await playerWith(store, 10n);
    const almost = { debits: real(maxUnits - 5n), credits: real(maxUnits - 5n) };
    assertCommitted(await store.commit(round, openingOf([], almost)));
    const { head } = await snapshotOf(store, round);
    for (const part of [take('x', 6n), give('x', real(6n))]) {
      const refused = await store.commit(round, changeOf(head, [part]));
      assert.deepEqual(refused, { kind: 'refused', hash: 'x', reason: 'outOfRange' });
    }
    assertCommitted(await store.commit(round, changeOf(head, [take('x', 5n)])));
    assert.deepEqual((await snapshotOf(store, round)).head.debits, real(maxUnits));
  });
}
