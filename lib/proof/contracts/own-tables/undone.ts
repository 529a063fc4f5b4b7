import assert from 'node:assert/strict';
import { unseenRound } from '../../../operator/gameround';
import {
  anotherRound,
  assertCommitted,
  assertRefused,
  countKinds,
  freshRound,
  open,
  playerWith,
  snapshotOf,
} from '../case';
import { changeOf, give, openingOf, real, reverse, take, takeMore } from '../changes';
import type { Case } from '../suite';
import { assertSum, type OwnTablesWallet, stateOf } from './rows';

/** What is not committed has written nothing, neither in the balances nor in the platform's own rows. */
export function undoneRules(check: Case<OwnTablesWallet>): void {
  check('a movement that is refused leaves balances and rows as they were', async (wallet) => {
    const { store, players } = wallet;
    const player = await playerWith(players, 100n);
    const before = await stateOf(wallet, player);
    const refusals = [
      { part: take('x', 101n), reason: 'tooLow' },
      { part: take('x', 1n, { currency: 'USD' }), reason: 'noCurrency' },
      { part: give('x', real(1n), 'USD'), reason: 'noCurrency' },
      { part: reverse('x', real(1n), 'USD'), reason: 'noCurrency' },
    ];
    for (const { part, reason } of refusals) {
      const result = await store.commit(anotherRound(player), openingOf([part]));
      assertRefused(result, 'x', reason);
      assert.deepEqual(await stateOf(wallet, player), before);
    }
  });

  check('a debit of a blocked player is refused, and writes nothing', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    assertCommitted(await store.commit(round, openingOf([take('d', 30n)])));
    await players.setBlocked(round, true);
    const before = await stateOf(wallet, round);
    const { head } = await snapshotOf(store, round);
    for (const amount of [0n, 1n, 100n]) {
      assertRefused(
        await store.commit(round, changeOf(head, [takeMore('e', amount)])),
        'e',
        'blocked',
      );
      assert.deepEqual(await stateOf(wallet, round), before);
    }
    const paid = changeOf(head, [give('c', real(5n)), reverse('v', real(1n))]);
    assertCommitted(await store.commit(round, paid));
    await assertSum(wallet, round, { real: 100n, bonus: 0n });
  });

  check('a later movement that is refused undoes the first and its rows', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    const before = await stateOf(wallet, round);
    const change = openingOf([take('d', 60n), give('c', real(5n)), takeMore('e', 46n)]);
    assertRefused(await store.commit(round, change), 'e', 'tooLow');
    assert.deepEqual(await stateOf(wallet, round), before);
    assert.equal(await store.readRound(round), null);
    const credit = openingOf([take('d', 60n), give('c', real(5n), 'USD')]);
    assertRefused(await store.commit(round, credit), 'c', 'noCurrency');
    assert.deepEqual(await stateOf(wallet, round), before);
  });

  check('a stale commit undoes its money and its rows', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    const opening = openingOf([take('d', 30n), give('c', real(3n))]);
    assertCommitted(await store.commit(round, opening));
    const before = await stateOf(wallet, round);
    const late = [opening, openingOf([take('other', 1n)]), openingOf([take('high', 1000n)])];
    const { head } = await snapshotOf(store, round);
    const wrong = { ...head, version: head.version + 1 };
    for (const change of [...late, changeOf(wrong, [takeMore('e', 1n)])]) {
      assert.deepEqual(await store.commit(round, change), { kind: 'stale' });
      assert.deepEqual(await stateOf(wallet, round), before);
    }
  });

  check(
    'of concurrent commits of one round one has moved money and written rows',
    async (wallet) => {
      const { store, players } = wallet;
      const round = await playerWith(players, 1000n);
      let before = unseenRound;
      for (const turn of [1, 2, 3, 4]) {
        const changes = Array.from({ length: 6 }, (_, at) =>
          changeOf(before, [take(`${turn}-${at}`, 7n), give(`c-${turn}-${at}`, real(2n))]),
        );
        const results = await Promise.all(changes.map((change) => store.commit(round, change)));
        assert.deepEqual(countKinds(results), { committed: 1, stale: 5 });
        const { rows, balances } = await stateOf(wallet, round);
        assert.equal(rows.length, 2 * turn, 'a row for each movement of the commits that count');
        assert.deepEqual(balances, [`EUR ${1000 - 5 * turn} none`]);
        before = (await snapshotOf(store, round)).head;
      }
      await assertSum(wallet, round, { real: 1000n, bonus: 0n });
    },
  );

  check('two rounds of one player at once overdraw nothing', async (wallet) => {
    const { store, players } = wallet;
    for (const turn of Array.from({ length: 15 }, (_, at) => at)) {
      const player = await playerWith(players, 10n);
      const debits = Array.from({ length: 8 }, (_, at) =>
        store.commit(anotherRound(player), openingOf([take(`d${at}`, 10n)])),
      );
      const kinds = countKinds(await Promise.all(debits));
      assert.deepEqual(kinds, { committed: 1, refused: 7 }, `turn ${turn}`);
      assert.deepEqual((await stateOf(wallet, player)).balances, ['EUR 0 none']);
      await assertSum(wallet, player, { real: 10n, bonus: 0n });
    }
  });

  check('two rounds of one player at once lose no movement', async (wallet) => {
    const { store, players } = wallet;
    const player = await playerWith(players, 1000n);
    await open(players, player, 'USD', 5n);
    const commits = Array.from({ length: 40 }, (_, at) => {
      const parts = [take('d', 3n), give('c', real(at % 2 === 0 ? 1n : 4n))];
      return store.commit(anotherRound(player), openingOf(parts));
    });
    assert.deepEqual(countKinds(await Promise.all(commits)), { committed: 40 });
    const { balances, rows } = await stateOf(wallet, player);
    assert.deepEqual([balances, rows.length], [['EUR 980 none', 'USD 5 none'], 80]);
    const unknownPlayer = freshRound();
    assert.deepEqual(await players.moved(unknownPlayer), []);
  });
}
