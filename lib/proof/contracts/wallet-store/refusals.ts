import assert from 'node:assert/strict';
import { type RoundHead, unseenRound } from '../../../operator/gameround';
import { emptyPurse } from '../../../protocol/money/purse';
import type { RoundKey, WalletStore } from '../../../operator/wallet';
import {
  anotherRound,
  assertCommitted,
  assertHead,
  assertRefused,
  countKinds,
  freshRound,
  orderOf,
  playerWith,
  purseOf,
  snapshotOf,
} from '../case';
import {
  type ChangePart,
  changeOf,
  creditRecord,
  debitRecord,
  give,
  note,
  openingOf,
  real,
  take,
  takeMore,
  commitFirst,
  commitNext,
} from '../changes';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';

/** What the account refuses, and what the next change, which knows the refusal, makes of the round. */
export function refusalRules(it: Case<ContractWallet>): void {
  it('a debit that is refused moves nothing, and is recorded so', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    const result = await store.rounds.commit(round, openingOf([take('d', 101n)]));
    const before = assertRefused(result, 'd', 'tooLow') ?? unseenRound;
    assert.equal((await purseOf(store, round)).real, 100n);
    await assertNothingDone(store, round, ['d']);
    const declined = note('d', debitRecord(101n, { outcome: 'BALANCETOOLOW' }));
    const change = changeOf(before, [declined], { state: 'closed', started: false });
    assertCommitted(await store.rounds.commit(round, change));
    await assertBooks(store, round, change.after, [declined], real(100n));
  });

  it('a debit needs funds, a known player and an account in the currency', async (wallet) => {
    const { store, players } = wallet;
    const player = await playerWith(players, 100n);
    const unknownPlayer = { ...freshRound(), operatorId: player.operatorId };
    const refusals = [
      { key: player, part: take('x', 101n), reason: 'tooLow' },
      { key: player, part: take('x', 1n, { currency: 'USD' }), reason: 'noCurrency' },
      { key: player, part: take('x', 0n, { currency: 'USD' }), reason: 'noCurrency' },
      { key: unknownPlayer, part: take('x', 1n), reason: 'noPlayer' },
      { key: unknownPlayer, part: take('x', 0n), reason: 'noPlayer' },
    ];
    for (const { key, part, reason } of refusals) {
      const round = anotherRound(key);
      assertRefused(await store.rounds.commit(round, openingOf([part])), 'x', reason);
      await assertNothingDone(store, round, ['x']);
    }
    assert.deepEqual(await purseOf(store, player), real(100n));
    assert.deepEqual(await store.rounds.accounts(unknownPlayer), { kind: 'known', accounts: null });
  });

  it('a credit needs an account in the currency', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    await commitFirst(store, round, [take('d', 10n)]);
    const { head } = await snapshotOf(store, round);
    const result = await store.rounds.commit(round, changeOf(head, [give('c', real(5n), 'USD')]));
    const before = assertRefused(result, 'c', 'noCurrency') ?? head;
    const refused = creditRecord(emptyPurse, {
      outcome: 'CURRENCYNOTSUPPORTED',
      amount: 5n,
      currency: 'USD',
    });
    const change = changeOf(before, [note('c', refused)], { state: 'stranded' });
    assertCommitted(await store.rounds.commit(round, change));
    await assertBooks(store, round, change.after, [note('c', refused)], real(90n));
  });

  it('of several movements the one refused is named, and nothing moves twice', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    const first = [take('d1', 60n), give('c1', real(5n)), takeMore('d2', 40n)];
    const opening = openingOf([...first, takeMore('d3', 6n), give('c2', real(50n))]);
    const before =
      assertRefused(await store.rounds.commit(round, opening), 'd3', 'tooLow') ?? opening.before;
    await assertNothingDone(store, round, ['d1', 'c1', 'd2', 'd3', 'c2']);
    const refused = [
      note('d3', debitRecord(6n, { first: false, outcome: 'BALANCETOOLOW' })),
      note('c2', creditRecord(emptyPurse, { amount: 50n, outcome: 'DEBITFAILEDBEFORE' })),
    ];
    const change = changeOf(before, [...first, ...refused], { declined: 'd3' });
    assertCommitted(await store.rounds.commit(round, change));
    const after = { ...change.after, debits: real(100n) };
    const parts = [
      note('d1', debitRecord(60n, { purse: real(60n) })),
      note('c1', creditRecord(real(5n))),
      note('d2', debitRecord(40n, { first: false, purse: real(40n) })),
      ...refused,
    ];
    await assertBooks(store, round, after, parts, real(5n));
    assert.deepEqual(await store.rounds.commit(round, change), { kind: 'stale' });
    await assertBooks(store, round, after, parts, real(5n));
  });

  it('a credit that is refused leaves the debits before it', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    const opening = openingOf([take('d', 60n), give('c', real(5n), 'USD')]);
    const before =
      assertRefused(await store.rounds.commit(round, opening), 'c', 'noCurrency') ?? opening.before;
    const refused = note('c', creditRecord(emptyPurse, { amount: 5n, outcome: 'CREDITREFUSED' }));
    const change = changeOf(before, [take('d', 60n), refused], { state: 'stranded' });
    assertCommitted(await store.rounds.commit(round, change));
    const parts = [note('d', debitRecord(60n, { purse: real(60n) })), refused];
    await assertBooks(store, round, { ...change.after, debits: real(60n) }, parts, real(40n));
  });

  it('a movement counts on those before it in the change', async ({ store, players }) => {
    const round = await playerWith(players, 0n);
    const free = take('free', 0n);
    const early = openingOf([free, takeMore('d', 5n), give('c', real(5n))]);
    const head = assertRefused(await store.rounds.commit(round, early), 'd', 'tooLow');
    const declined = [
      note('d', debitRecord(5n, { first: false, outcome: 'BALANCETOOLOW' })),
      note('c', creditRecord(emptyPurse, { amount: 5n, outcome: 'DEBITFAILEDBEFORE' })),
    ];
    const change = changeOf(head ?? unseenRound, [free, ...declined], { declined: 'd' });
    assertCommitted(await store.rounds.commit(round, change));
    const next = anotherRound(round);
    await commitFirst(store, next, [free, give('c', real(5n)), takeMore('d', 5n)]);
    assert.equal((await purseOf(store, next)).real, 0n);
  });

  it('many concurrent rounds of one player overdraw nothing', async ({ store, players }) => {
    const player = await playerWith(players, 95n);
    const results = await Promise.all(
      Array.from({ length: 20 }, () =>
        store.rounds.commit(anotherRound(player), openingOf([take('d', 10n)])),
      ),
    );
    assert.deepEqual(countKinds(results), { committed: 9, refused: 11 });
    assert.deepEqual(await purseOf(store, player), real(5n));
  });

  it('concurrent rounds and withdrawals overdraw nothing', async ({ store, players }) => {
    const player = await playerWith(players, 95n);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0
          ? players.withdraw(orderOf(player, 10n))
          : store.rounds.commit(anotherRound(player), openingOf([take('d', 10n)])),
      ),
    );
    assert.equal(countKinds(results)['refused'], 11);
    assert.equal((await purseOf(store, player)).real, 5n);
  });

  it('a blocked player cannot be debited, and credits go on (D4.9)', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    await commitFirst(store, round, [take('d', 10n)]);
    await players.setBlocked(round, true);
    await commitNext(store, round, [give('c', real(5n))]);
    assert.equal((await purseOf(store, round)).real, 95n);
    for (const amount of [1n, 0n]) {
      const other = anotherRound(round);
      assertRefused(
        await store.rounds.commit(other, openingOf([take('x', amount)])),
        'x',
        'blocked',
      );
    }
    assert.equal((await purseOf(store, round)).real, 95n);
    await players.setBlocked(round, false);
    await commitFirst(store, anotherRound(round), [take('x', 1n)]);
    assert.equal((await purseOf(store, round)).real, 94n);
  });
}

/** After a refusal nothing is recorded, except perhaps as pending, which nobody has seen. */
async function assertNothingDone(
  store: WalletStore,
  round: RoundKey,
  hashes: readonly string[],
): Promise<void> {
  const { head, entries } = await snapshotOf(store, round, hashes);
  const { version, gameCode, pending } = head;
  assert.deepEqual(head, { ...unseenRound, version, gameCode, pending });
  assert.deepEqual([...entries], []);
}

/** Asserts the round, its records and the money after the change is written. */
async function assertBooks(
  store: WalletStore,
  round: RoundKey,
  head: RoundHead,
  parts: readonly ChangePart[],
  purse: { readonly real: bigint; readonly bonus: bigint },
): Promise<void> {
  const entries = parts.map(({ record: { hash, record } }) => [hash, record] as const);
  const snapshot = await snapshotOf(
    store,
    round,
    entries.map(([hash]) => hash),
  );
  assertHead(snapshot.head, { ...head, pending: null });
  for (const [hash, record] of entries) {
    assert.deepEqual(snapshot.entries.get(hash), { transaction: record });
  }
  assert.deepEqual(await purseOf(store, round), purse);
}
