import assert from 'node:assert/strict';
import type { AccountStore } from '../../../operator/wallet';
import { assertCommitted, playerWith, purseOf, snapshotOf, anotherRound } from '../case';
import {
  changeOf,
  debitRecord,
  note,
  openingOf,
  real,
  reverse,
  take,
  voidRecord,
  give,
  commitFirst,
  commitNext,
} from '../changes';
import { entryOf, everyRecord, oddIds } from '../samples';
import type { Case } from '../suite';
import { maxUnits } from '../../../protocol/money/amount';

/** Records and heads of any content: a store that keeps the money returns what it was given. */
export function recordRules(it: Case<AccountStore>): void {
  it('every kind of record comes back exactly', async (store) => {
    const round = await playerWith(store.players, 1000n);
    const written = everyRecord();
    const parts = written.map((record) => ({ record }));
    await commitFirst(store, round, parts);
    const expected = new Map(written.map(({ hash, record }) => [hash, entryOf(record)]));
    const { entries } = await snapshotOf(store, round, [...expected.keys()]);
    assert.deepEqual(entries, expected);
    assert.deepEqual((await store.rounds.readRound(round))?.entries, expected);
  });

  it('voids and other records may be in one change (D3.3)', async (store) => {
    const round = await playerWith(store.players, 100n);
    const early = voidRecord(real(0n));
    await commitFirst(store, round, [take('a', 5n), note('b', early)]);
    const declined = debitRecord(9n, { outcome: 'GAMEROUNDVOIDED' });
    await commitNext(store, round, [reverse('a', real(5n)), note('b', declined)]);
    const { entries } = await snapshotOf(store, round, ['a', 'b']);
    const taken = debitRecord(5n, { purse: real(5n) });
    assert.deepEqual(entries.get('a'), { transaction: taken, void: voidRecord(real(5n)) });
    assert.deepEqual(entries.get('b'), { transaction: declined, void: early });
  });

  it('a debit and a void of each odd hash fit in one change', async (store) => {
    const round = await playerWith(store.players, 1000n);
    const parts = oddIds.flatMap((hash, at) => [
      take(hash, 1n),
      note(hash, voidRecord(real(BigInt(at)))),
    ]);
    await commitFirst(store, round, parts);
    const transaction = debitRecord(1n, { purse: real(1n) });
    const { entries } = await snapshotOf(store, round, oddIds);
    const expected = oddIds.map(
      (hash, at) => [hash, { transaction, void: voidRecord(real(BigInt(at))) }] as const,
    );
    assert.deepEqual(entries, new Map(expected));
  });

  it('a change may hold more debits than any call', async (store) => {
    const round = await playerWith(store.players, 3000n);
    const hashes = Array.from({ length: 1200 }, (_, at) => `hash-${at}`);
    await commitFirst(
      store,
      round,
      hashes.map((hash) => take(hash, 1n)),
    );
    const { head } = await snapshotOf(store, round);
    assert.deepEqual(head.debits, real(1200n));
    assertCommitted(await store.rounds.commit(round, changeOf(head, [take('later', 1n)])));
    const some = await snapshotOf(store, round, ['hash-0', 'hash-1199', 'other']);
    assert.deepEqual([...some.entries.keys()].toSorted(), ['hash-0', 'hash-1199']);
    const all = await snapshotOf(store, round, [...hashes, 'later']);
    assert.deepEqual((await store.rounds.readRound(round))?.entries, all.entries);
    assert.equal(all.entries.size, 1201);
    assert.equal((await purseOf(store, round)).real, 1799n);
  });
}

/** Balances are exact down to -(2^53-1) units and up to 2^53-1, and end there. */
export function rangeRules(it: Case<AccountStore>): void {
  it('a reversal may go down to -(2^53-1) units, and no further', async (store) => {
    const round = await playerWith(store.players, 0n);
    const down = openingOf([reverse('v', real(-maxUnits))]);
    assertCommitted(await store.rounds.commit(round, down));
    assert.equal((await purseOf(store, round)).real, -maxUnits);
    const further = await store.rounds.commit(
      anotherRound(round),
      openingOf([reverse('w', real(-1n))]),
    );
    assert.deepEqual(further, { kind: 'refused', hash: 'w', reason: 'outOfRange' });
    assert.equal((await purseOf(store, round)).real, -maxUnits);
  });

  it('a balance above 2^53-1 units is refused as out of range', async (store) => {
    const round = await playerWith(store.players, maxUnits, maxUnits);
    for (const purse of [real(1n), { real: 0n, bonus: 1n }, real(maxUnits)]) {
      const refused = await store.rounds.commit(round, openingOf([give('c', purse)]));
      assert.deepEqual(refused, { kind: 'refused', hash: 'c', reason: 'outOfRange' });
    }
    assert.deepEqual(await purseOf(store, round), { real: maxUnits, bonus: maxUnits });
  });
}
