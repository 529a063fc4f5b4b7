import assert from 'node:assert/strict';
import { createRoundReport } from '../../../operator/wallet';
import { emptyPurse } from '../../../protocol/money/purse';
import { assertCommitted, assertHead, freshRound, playerWith, purseOf, snapshotOf } from '../case';
import {
  type ChangePart,
  changeOf,
  creditRecord,
  debitRecord,
  end,
  give,
  note,
  openHead,
  real,
  take,
  takeMore,
  voidRecord,
  commitVoids,
  commitFirst,
} from '../changes';
import { entryOf, everyHead, everyRefusal, oddIds } from '../samples';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';

/** Records and heads are read as they were written. */
export function recordRules(it: Case<ContractWallet>): void {
  it('every refusal comes back exactly', async ({ store, players }) => {
    const round = await playerWith(players, 1000n);
    const written = everyRefusal();
    const parts: ChangePart[] = written.map((record) => ({ record }));
    await commitFirst(store, round, parts);
    const expected = new Map(written.map(({ hash, record }) => [hash, entryOf(record)]));
    const { entries } = await snapshotOf(store, round, [...expected.keys()]);
    assert.deepEqual(entries, expected);
    assert.deepEqual((await store.rounds.readRound(round))?.entries, expected);
    assert.deepEqual(await purseOf(store, round), real(1000n));
  });

  it('debits, credits, ends and voids come back exactly', async ({ store, players }) => {
    const round = await playerWith(players, 1000n);
    const [serial, other] = [oddIds.join(''), oddIds.toReversed().join('')];
    const discounted = debitRecord(50n, { first: false, discount: 20n, serial, at: 0 });
    const credit = creditRecord(real(9n), { serial: other, at: 8_640_000_000_000_000 });
    const parts = [
      take('d', 100n),
      { ...takeMore('e', 30n), record: { hash: 'e', record: discounted } },
      { ...give('c', real(9n)), record: { hash: 'c', record: credit } },
      give('zero', emptyPurse),
      end('end'),
    ];
    await commitFirst(store, round, parts, { state: 'closed' });
    assert.deepEqual(await purseOf(store, round), real(879n));
    await commitVoids(store, round, 'e', 'early');
    const report = await store.rounds.readRound(round);
    const now = voidRecord(real(30n));
    const expected = new Map([
      ['d', { transaction: debitRecord(100n, { purse: real(100n) }) }],
      ['e', { transaction: { ...discounted, purse: real(30n) }, void: now }],
      ['c', { transaction: credit }],
      ['zero', { transaction: creditRecord(emptyPurse) }],
      ['end', entryOf(end('end').record.record)],
      ['early', { void: voidRecord(emptyPurse) }],
    ]);
    assert.deepEqual(report?.entries, expected);
    const { head, entries } = await snapshotOf(store, round, [...expected.keys()]);
    assert.deepEqual(entries, expected);
    const view = { head, entries: expected };
    const same = createRoundReport(round, view, store.decimals, report?.balances);
    assert.equal(JSON.stringify(report), JSON.stringify(same));
  });

  it('every head comes back exactly', async ({ store }) => {
    for (const head of everyHead()) {
      const round = freshRound();
      await commitFirst(store, round, [], head);
      const expected = { ...openHead, ...head };
      const loaded = (await snapshotOf(store, round)).head;
      assertHead(loaded, expected);
      const report = createRoundReport(round, { head: loaded, entries: new Map() }, store.decimals);
      const read = await store.rounds.readRound(round);
      assert.deepEqual({ ...read }, { ...report });
      assert.equal(JSON.stringify(read), JSON.stringify(report));
    }
  });

  it('only the hashes asked for are loaded, and readRound reads all', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 3000n);
    const hashes = Array.from({ length: 1200 }, (_, at) => `hash-${at}`);
    await commitFirst(store, round, [take('d', 1n), takeMore('e', 2n)]);
    const { head } = await snapshotOf(store, round);
    const refused = debitRecord(9n, { first: false, outcome: 'BALANCETOOLOW' });
    const many = changeOf(
      head,
      hashes.map((hash) => note(hash, refused)),
    );
    assertCommitted(await store.rounds.commit(round, many));
    const some = await snapshotOf(store, round, ['hash-0', 'd', 'hash-1199', 'other']);
    assert.deepEqual([...some.entries.keys()].toSorted(), ['d', 'hash-0', 'hash-1199']);
    const all = await snapshotOf(store, round, [...hashes, 'd', 'e']);
    const report = await store.rounds.readRound(round);
    assert.deepEqual(report?.entries, all.entries);
    assert.deepEqual(report?.head, all.head);
    assert.equal(all.entries.size, 1202);
    assert.equal((await purseOf(store, round)).real, 2997n);
  });
}
