import assert from 'node:assert/strict';
import { emptyPurse } from '../../../protocol/money/purse';
import { maxUnits } from '../../../protocol/money/amount';
import { assertCommitted, assertRefused, playerWith, purseOf, snapshotOf } from '../case';
import {
  changeOf,
  creditRecord,
  debitRecord,
  give,
  real,
  take,
  takeMore,
  commitVoids,
  commitFirst,
} from '../changes';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';

/** Amounts are exact up to 2^53-1 units, and end there. */
export function rangeRules(it: Case<ContractWallet>): void {
  it('the largest amounts move exactly', async ({ store, players }) => {
    const round = await playerWith(players, maxUnits);
    await commitFirst(store, round, [take('d', maxUnits), give('c', real(maxUnits - 2n))]);
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

  it('a credit that lifts the balance above 2^53-1 units is refused', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, maxUnits);
    await commitFirst(store, round, [take('d', 0n)]);
    let { head } = await snapshotOf(store, round);
    for (const [hash, amount] of Object.entries({ c1: 1n, c2: maxUnits })) {
      const refused = await store.rounds.commit(round, changeOf(head, [give(hash, real(amount))]));
      head = assertRefused(refused, hash, 'outOfRange') ?? head;
      const record = creditRecord(real(0n), { amount, outcome: 'CREDITREFUSED' });
      assertCommitted(
        await store.rounds.commit(round, changeOf(head, [{ record: { hash, record } }])),
      );
      head = (await snapshotOf(store, round)).head;
    }
    assert.deepEqual(await purseOf(store, round), real(maxUnits));
  });

  it('a sum of the round above 2^53-1 units is refused as out of range', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 10n);
    const almost = { debits: real(maxUnits - 5n), credits: real(maxUnits - 5n) };
    await commitFirst(store, round, [], almost);
    let { head } = await snapshotOf(store, round);
    for (const part of [takeMore('x', 6n), give('x', real(6n))]) {
      const refused = await store.rounds.commit(round, changeOf(head, [part]));
      head = assertRefused(refused, 'x', 'outOfRange') ?? head;
    }
    assertCommitted(await store.rounds.commit(round, changeOf(head, [takeMore('y', 5n)])));
    assert.deepEqual((await snapshotOf(store, round)).head.debits, real(maxUnits));
    assert.deepEqual(await purseOf(store, round), real(5n));
  });
  it('what comes before it in the change is not out of range (D4.6)', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 10n);
    const almost = { debits: real(maxUnits - 5n), credits: real(maxUnits - 5n) };
    await commitFirst(store, round, [], almost);
    const { head } = await snapshotOf(store, round);
    const fits = [takeMore('d', 2n), give('c', real(5n))];
    for (const part of [takeMore('x', 4n), give('x', real(1n))]) {
      assertRefused(
        await store.rounds.commit(round, changeOf(head, [...fits, part])),
        'x',
        'outOfRange',
      );
    }
    assertCommitted(await store.rounds.commit(round, changeOf(head, fits)));
    assert.deepEqual(await purseOf(store, round), real(13n));
  });

  it('of a debit that is above the funds too, that is the reason', async ({ store, players }) => {
    const round = await playerWith(players, 10n);
    const almost = { debits: real(maxUnits - 5n) };
    await commitFirst(store, round, [], almost);
    const { head } = await snapshotOf(store, round);
    const before = [takeMore('x', 2n), give('c', real(3n))];
    const late = await store.rounds.commit(round, changeOf(head, [...before, takeMore('y', 12n)]));
    const now = assertRefused(late, 'y', 'tooLow') ?? head;
    const last = await store.rounds.commit(round, changeOf(now, [...before, takeMore('z', 11n)]));
    assertRefused(last, 'z', 'outOfRange');
  });
}

/** Each balance has its own sum. */
export function bonusRangeRules(it: Case<ContractWallet>): void {
  for (const balance of ['real', 'bonus'] as const) {
    it(`a round that would take more than 2^53-1 units of ${balance} money is refused`, async (wallet) => {
      const { store, players } = wallet;
      const round = await playerWith(players, 10n, 10n);
      const almost = { debits: { ...emptyPurse, [balance]: maxUnits - 5n } };
      await commitFirst(store, round, [], almost);
      const { head } = await snapshotOf(store, round);
      const bonusFirst = balance === 'bonus';
      const refused = await store.rounds.commit(
        round,
        changeOf(head, [takeMore('x', 6n, { bonusFirst })]),
      );
      const now = assertRefused(refused, 'x', 'outOfRange') ?? head;
      assertCommitted(
        await store.rounds.commit(round, changeOf(now, [takeMore('y', 5n, { bonusFirst })])),
      );
      const { debits } = (await snapshotOf(store, round)).head;
      assert.deepEqual(debits, { ...emptyPurse, [balance]: maxUnits });
    });
  }
}
