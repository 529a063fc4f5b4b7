import assert from 'node:assert/strict';
import { maxUnits } from '../money';
import type { AccountStore, CashOrder, NewPlayer, PlayerKey } from '../wallet';
import {
  accountsOf,
  countKinds,
  freshRound,
  open,
  orderOf,
  playerWith,
  purseOf,
  snapshotOf,
} from './contract-case';
import type { Case } from './contract-suite';
import { give, openingOf, real, reverse, take } from './contract-changes';

/** Players: opening, and who is known. */
export function playerRules(check: Case<AccountStore>): void {
  check('an account is opened once, and what it holds stays', async (store) => {
    const player = await playerWith(store, 100n, 5n);
    await store.deposit(orderOf(player, 7n));
    const again = await store.openPlayer({
      ...playerKey(player),
      currency: 'EUR',
      balances: { real: 1n },
    });
    const account = { currency: 'EUR', real: 107n, bonus: 5n };
    assert.deepEqual(again, { kind: 'existed', account });
    assert.deepEqual(await accountsOf(store, player), [account]);
  });

  check('of many openings at once one counts', async (store) => {
    const player = { ...playerKey(freshRound()), currency: 'EUR' };
    const results = await Promise.all(
      [1n, 2n, 3n, 4n, 5n].map((units) => store.openPlayer({ ...player, balances: real(units) })),
    );
    assert.deepEqual(countKinds(results), { opened: 1, existed: 4 });
    const opened = results.find(({ kind }) => kind === 'opened');
    const [account] = await accountsOf(store, player);
    assert.ok(opened?.kind === 'opened');
    assert.deepEqual(account, opened.account);
  });

  check('an empty bonus balance is told from none', async (store) => {
    const player = freshRound();
    await open(store, player, 'EUR', 1n, 0n);
    await open(store, player, 'USD', 2n);
    assert.deepEqual(await accountsOf(store, player), [
      { currency: 'EUR', real: 1n, bonus: 0n },
      { currency: 'USD', real: 2n, bonus: null },
    ]);
  });

  check('an unknown player has null accounts, also beside a round', async (store) => {
    const round = freshRound();
    assert.deepEqual(await store.accounts(round), { kind: 'known', accounts: null });
    assert.equal((await snapshotOf(store, round)).accounts, null);
    const result = await store.commit(round, openingOf([], { state: 'closed' }));
    assert.deepEqual(result, { kind: 'committed', accounts: null });
    assert.deepEqual(await store.accounts(round), { kind: 'known', accounts: null });
  });

  check('a blocked player takes nothing, and credits and reversals go on (D4.9)', async (store) => {
    const round = await playerWith(store, 100n);
    assert.deepEqual(await store.setBlocked(round, true), { kind: 'done' });
    const refused = await store.commit(round, openingOf([take('d', 1n)]));
    assert.deepEqual(refused, { kind: 'refused', hash: 'd', reason: 'blocked' });
    const change = openingOf([give('c', real(5n)), reverse('v', real(-200n))]);
    assert.equal((await store.commit(round, change)).kind, 'committed');
    assert.equal((await purseOf(store, round)).real, -95n);
    assert.deepEqual(await accountsOf(store, round), [
      { currency: 'EUR', real: -95n, bonus: null },
    ]);
  });

  check('a block that is lifted lets debits through again', async (store) => {
    const round = await playerWith(store, 100n);
    await store.setBlocked(round, true);
    assert.deepEqual(await store.setBlocked(round, false), { kind: 'done' });
    assert.equal((await store.commit(round, openingOf([take('d', 1n)]))).kind, 'committed');
  });

  check('blocking an unknown player blocks nobody and makes no player', async (store) => {
    const player = freshRound();
    assert.deepEqual(await store.setBlocked(player, true), { kind: 'noPlayer' });
    assert.deepEqual(await store.accounts(player), { kind: 'known', accounts: null });
  });
}

/** Input: amounts with decimals, and what is a programmer's mistake. */
export function inputRules(check: Case<AccountStore>): void {
  for (const [decimals, units] of [
    [4, 105_000n],
    [2, 1_050n],
  ] as const) {
    check(
      `amounts are texts with up to ${decimals} decimals where the store keeps so many`,
      async (store) => {
        assert.equal(store.decimals, decimals);
        const player = freshRound();
        const balances = { real: '10.50', bonus: '0' };
        const result = await store.openPlayer({
          ...playerKey(player),
          currency: 'EUR',
          balances,
        });
        const account = { currency: 'EUR', real: units, bonus: 0n };
        assert.deepEqual(result, { kind: 'opened', account });
        const order = { ...orderOf(player, 1n), amount: '10.5' };
        await store.deposit(order);
        assert.equal((await purseOf(store, player)).real, 2n * units);
        const finer = { ...order, amount: `0.${'0'.repeat(decimals)}1` };
        await assert.rejects(store.deposit(finer), { name: 'TypeError' });
      },
      { decimals },
    );
  }

  check('a mistake in an order is a TypeError, and nothing moves', async (store) => {
    const player = await playerWith(store, 100n);
    const order = orderOf(player, 1n);
    const mistakes: Partial<Record<keyof CashOrder, unknown>>[] = [
      ...[0n, -1n, maxUnits + 1n, '-1', '1,5', '', 'ten', 1, null].map((amount) => ({ amount })),
      ...['eur', 'EURO', '', 'E R'].map((currency) => ({ currency })),
      ...['', 'a#b', 'a\nb', 'x'.repeat(129), '\ud800', 7].map((reference) => ({ reference })),
      { operatorId: '' },
      { playerId: 'a\u0000' },
      { balance: 'demo' },
    ];
    for (const mistake of mistakes) {
      const wrong = { ...order, ...mistake } as CashOrder;
      await assert.rejects(store.deposit(wrong), { name: 'TypeError' });
      await assert.rejects(store.withdraw(wrong), { name: 'TypeError' });
    }
    assert.equal((await purseOf(store, player)).real, 100n);
  });

  check('a mistake in a player is a TypeError, and nobody is opened', async (store) => {
    const player = { ...playerKey(freshRound()), currency: 'EUR', balances: { real: 1n } };
    const mistakes: Partial<Record<keyof NewPlayer, unknown>>[] = [
      { playerId: '' },
      { operatorId: 'x'.repeat(129) },
      { currency: 'eur' },
      ...[-1n, maxUnits + 1n, '1.00001', 1].map((units) => ({ balances: { real: units } })),
      { balances: { real: 1n, bonus: -1n } },
    ];
    for (const mistake of mistakes) {
      const wrong = { ...player, ...mistake } as NewPlayer;
      await assert.rejects(store.openPlayer(wrong), { name: 'TypeError' });
    }
    await assert.rejects(store.setBlocked({ ...player, playerId: '' }, true), {
      name: 'TypeError',
    });
    assert.deepEqual(await store.accounts(player), { kind: 'known', accounts: null });
  });
}

function playerKey({ operatorId, playerId }: PlayerKey): PlayerKey {
  return { operatorId, playerId };
}
