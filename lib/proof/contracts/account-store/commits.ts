import assert from 'node:assert/strict';
import { unseenRound } from '../../../operator/gameround';
import { nextTurn } from '../../../platform/turn';
import {
  accountsOf,
  anotherRound,
  assertCommitted,
  freshRound,
  open,
  playerWith,
  purseOf,
  snapshotOf,
} from '../case';
import { changeOf, give, openingOf, real, reverse, take, commitFirst } from '../changes';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';

/** All or nothing: a commit is one moment of the round and of the money. */
export function atomicRules(it: Case<ContractWallet>, hasBonus = true): void {
  /** The bonus balance with which a case begins. */
  const bonusOf = (units: bigint) => (hasBonus ? units : undefined);

  it('a refused movement leaves nothing of those before it', async ({ store, players }) => {
    const round = await playerWith(players, 100n, bonusOf(10n));
    const refusals = [
      { last: take('last', hasBonus ? 51n : 41n), reason: 'tooLow' },
      { last: take('last', 1n, { currency: 'USD' }), reason: 'noCurrency' },
      { last: give('last', real(1n), 'USD'), reason: 'noCurrency' },
      { last: reverse('last', real(1n), 'USD'), reason: 'noCurrency' },
    ];
    for (const { last, reason } of refusals) {
      const change = openingOf([take('first', 60n), give('second', { real: 0n, bonus: 0n }), last]);
      const refused = await store.rounds.commit(round, change);
      assert.deepEqual(refused, { kind: 'refused', hash: 'last', reason });
    }
    assert.deepEqual(await purseOf(store, round), { real: 100n, bonus: bonusOf(10n) ?? 0n });
    const { head, entries } = await snapshotOf(store, round, ['first', 'second', 'last']);
    assert.deepEqual([head, entries.size], [unseenRound, 0]);
    assert.equal(await store.rounds.readRound(round), null);
  });

  it('every movement of an unknown player is refused', async ({ store }) => {
    const round = freshRound();
    for (const part of [take('x', 0n), give('x', real(1n)), reverse('x', real(1n))]) {
      const refused = await store.rounds.commit(round, openingOf([part]));
      assert.deepEqual(refused, { kind: 'refused', hash: 'x', reason: 'noPlayer' });
    }
    assert.deepEqual(await store.rounds.accounts(round), { kind: 'known', accounts: null });
  });

  it('one change may move money in two currencies', async ({ store, players }) => {
    const round = await playerWith(players, 10n);
    await open(players, round, 'USD', 10n);
    const change = openingOf([give('c', real(1n)), take('d', 4n, { currency: 'USD' })]);
    const accounts = assertCommitted(await store.rounds.commit(round, change));
    assert.deepEqual(
      accounts.map((account) => account.real),
      [11n, 6n],
    );
  });

  it('a reversal is never refused for funds, and the balance may go below zero (D5.2)', async ({
    store,
    players,
  }) => {
    const round = await playerWith(players, 10n, bonusOf(5n));
    const back = { real: -30n, bonus: hasBonus ? -20n : 0n };
    await commitFirst(store, round, [reverse('v', back)]);
    assert.deepEqual(await purseOf(store, round), { real: -20n, bonus: hasBonus ? -15n : 0n });
    const after = (await snapshotOf(store, round)).head;
    const refused = await store.rounds.commit(round, changeOf(after, [take('d', 1n)]));
    assert.deepEqual(refused, { kind: 'refused', hash: 'd', reason: 'tooLow' });
    assertCommitted(await store.rounds.commit(round, changeOf(after, [take('free', 0n)])));
  });

  const checkBonus = hasBonus ? it : () => {};
  checkBonus('a credit to bonus money begins a bonus balance', async ({ store, players }) => {
    const round = await playerWith(players, 1n);
    const accounts = await commitFirst(store, round, [give('c', { real: 0n, bonus: 2n })]);
    assert.deepEqual(accounts, [{ currency: 'EUR', real: 1n, bonus: 2n }]);
  });

  it('a commit increments the version by one, and returns the accounts', async ({
    store,
    players,
  }) => {
    const round = await playerWith(players, 100n);
    await open(players, round, 'USD', 7n, bonusOf(8n));
    const change = openingOf([take('d', 30n)]);
    const accounts = assertCommitted(await store.rounds.commit(round, change));
    assert.deepEqual(accounts, [
      { currency: 'EUR', real: 70n, bonus: null },
      { currency: 'USD', real: 7n, bonus: bonusOf(8n) ?? null },
    ]);
    assert.deepEqual(await accountsOf(store, round), accounts);
    const { head } = await snapshotOf(store, round);
    assert.deepEqual(head, { ...change.after, debits: real(30n) });
    assertCommitted(await store.rounds.commit(round, changeOf(change.after, [])));
    assert.equal((await snapshotOf(store, round)).head.version, 2);
  });

  it('a round is loaded with the accounts of the same moment', async ({ store, players }) => {
    const round = await playerWith(players, 100n, bonusOf(3n));
    const bonus = bonusOf(3n) ?? null;
    const { accounts } = await snapshotOf(store, round);
    assert.deepEqual(accounts, [{ currency: 'EUR', real: 100n, bonus }]);
    let before = unseenRound;
    const done = new AbortController();
    const committing = async (): Promise<void> => {
      for (const turn of Array.from({ length: 30 }, (_, at) => at)) {
        const change = changeOf(before, [take(`d-${turn}`, 1n)]);
        assertCommitted(await store.rounds.commit(round, change));
        before = (await snapshotOf(store, round)).head;
      }
    };
    const loading = async (): Promise<void> => {
      while (!done.signal.aborted) {
        const seen = await snapshotOf(store, round);
        const taken = seen.head.debits.real;
        assert.deepEqual(seen.accounts, [{ currency: 'EUR', real: 100n - taken, bonus }]);
        await nextTurn();
      }
    };
    await Promise.all([committing().finally(() => done.abort()), loading(), loading()]);
  });

  it('a round of another player moves nothing of this one', async ({ store, players }) => {
    const [one, other] = [await playerWith(players, 5n), await playerWith(players, 5n)];
    await commitFirst(store, one, [take('d', 5n)]);
    await commitFirst(store, anotherRound(other), [give('c', real(1n))]);
    assert.deepEqual(await purseOf(store, one), real(0n));
    assert.deepEqual(await purseOf(store, other), real(6n));
  });
}
