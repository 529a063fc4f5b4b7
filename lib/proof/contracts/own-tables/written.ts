import assert from 'node:assert/strict';
import { assertCommitted, playerWith, snapshotOf } from '../case';
import { changeOf, end, give, openingOf, real, reverse, take, takeMore } from '../changes';
import type { Case } from '../suite';
import { commitVoids } from '../voids';
import { assertSum, type OwnTablesWallet, stateOf } from './rows';

/** The platform's own rows: one for each bet, win and reversal, of what it moved. */
export function writtenRules(check: Case<OwnTablesWallet>): void {
  check('each bet, win and reversal has its own row of what it moved', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    const parts = [take('bet', 30n), give('win', real(7n)), takeMore('more', 20n), end('end')];
    assertCommitted(await store.commit(round, openingOf(parts)));
    const rows = ['bet EUR -30 0', 'more EUR -20 0', 'win EUR 7 0'];
    assert.deepEqual(await stateOf(wallet, round), { balances: ['EUR 57 none'], rows });
    await commitVoids(store, round, 'bet');
    const { balances, rows: after } = await stateOf(wallet, round);
    assert.deepEqual(balances, ['EUR 100 none']);
    assert.ok(after.length > rows.length, 'a reversal must have a row');
    await assertSum(wallet, round, { real: 100n, bonus: 0n });
  });

  check('a reversal takes the balance below zero, and its row says so (D5.2)', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 10n);
    assertCommitted(await store.commit(round, openingOf([reverse('v', real(-30n))])));
    const expected = { balances: ['EUR -20 none'], rows: ['v EUR -30 0'] };
    assert.deepEqual(await stateOf(wallet, round), expected);
    const { head } = await snapshotOf(store, round);
    assertCommitted(await store.commit(round, changeOf(head, [give('c', real(5n))])));
    assert.deepEqual((await stateOf(wallet, round)).balances, ['EUR -15 none']);
    await assertSum(wallet, round, { real: 10n, bonus: 0n });
  });

  check('a commit without money writes no row', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 10n);
    assertCommitted(await store.commit(round, openingOf([], { state: 'closed' })));
    assert.deepEqual(await stateOf(wallet, round), { balances: ['EUR 10 none'], rows: [] });
  });
}

/** The same with bonus money. */
export function writtenBonusRules(check: Case<OwnTablesWallet>): void {
  check('a row says what was moved on each balance', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n, 40n);
    const parts = [take('d', 120n), give('c', { real: 3n, bonus: 4n })];
    assertCommitted(await store.commit(round, openingOf(parts)));
    const expected = { balances: ['EUR 3 24'], rows: ['c EUR 3 4', 'd EUR -100 -20'] };
    assert.deepEqual(await stateOf(wallet, round), expected);
    await commitVoids(store, round, 'd');
    assert.deepEqual((await stateOf(wallet, round)).balances, ['EUR 100 40']);
    await assertSum(wallet, round, { real: 100n, bonus: 40n });
  });

  check('both balances may be below zero, and the rows add up to them', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 10n, 5n);
    const back = { real: -30n, bonus: -20n };
    assertCommitted(await store.commit(round, openingOf([reverse('v', back)])));
    assert.deepEqual((await stateOf(wallet, round)).balances, ['EUR -20 -15']);
    await assertSum(wallet, round, { real: 10n, bonus: 5n });
  });
}
