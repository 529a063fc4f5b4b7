import assert from 'node:assert/strict';
import { atomicRules } from './commits';
import { makeContractWallet } from '../../subject/one-operator';
import {
  type ContractWallet,
  isAtomic,
  type ContractPlayers,
  type MovedRow,
  type StoreSuiteOptions,
} from '../../subject/players';
import { defineSuite, type Rules, type Case } from '../suite';
import type { PlayerKey, WalletStore } from '../../../operator/wallet';
import {
  accountsOf,
  assertCommitted,
  playerWith,
  snapshotOf,
  anotherRound,
  assertRefused,
  countKinds,
  freshRound,
  open,
} from '../case';
import {
  changeOf,
  end,
  give,
  openingOf,
  real,
  reverse,
  take,
  takeMore,
  commitVoids,
  commitFirst,
  commitNext,
} from '../changes';
import { unseenRound } from '../../../operator/gameround';

/** Options of {@link ownTablesContract}: its stores are over the platform's tables, and its players have `moved`. */
export interface OwnTablesContractOptions extends StoreSuiteOptions {
  /** Whether players may have bonus money besides real money; true unless set. */
  readonly hasBonus?: boolean;
}

/**
 * Defines what money in tables of the platform's own must pass in addition to `walletStoreContract`: a commit is all or
 * nothing with the balances and with the rows that `move_money` writes, and these rows add up to the balances. It finds a
 * function that writes and then refuses, a lock that is missing, a row that is. No case can be left out.
 */
export function ownTablesContract({
  runner,
  createStore,
  hasBonus = true,
}: OwnTablesContractOptions): void {
  const rules: Rules<OwnTablesWallet> = {
    'all or nothing': (it) => atomicRules(it, hasBonus),
    'what is undone': undoneRules,
    'what is written': writtenRules,
    ...(hasBonus ? { 'what is written of bonus money': writtenBonusRules } : {}),
  };
  defineSuite(runner, "money in the platform's own tables", rules, {
    make: async (options) => {
      const wallet = await makeContractWallet(createStore, options);
      assert.ok(isAtomic(wallet), 'the wallet must have isAtomic: true');
      assert.ok(hasRows(wallet), 'its players must have the method moved');
      return wallet;
    },
    close: ({ store }) => store.close(),
  });
}

function hasRows(wallet: ContractWallet): wallet is OwnTablesWallet {
  return wallet.players.moved !== undefined;
}

/** A wallet over tables of the platform's own, which shows its rows. */
interface OwnTablesWallet extends ContractWallet {
  readonly players: ContractPlayers & Required<Pick<ContractPlayers, 'moved'>>;
}

/** What a platform has of a player: accounts and rows. */
interface PlatformState {
  readonly balances: readonly string[];
  /** In no order: platforms need not keep one. */
  readonly rows: readonly string[];
}

/** The player's balances and rows now. */
export async function stateOf(wallet: OwnTablesWallet, player: PlayerKey): Promise<PlatformState> {
  const accounts = await accountsOf(wallet.store, player);
  return {
    balances: accounts.map((one) => `${one.currency} ${one.real} ${one.bonus ?? 'none'}`),
    rows: (await wallet.players.moved(player)).map(textOf).toSorted(),
  };
}

/** A row in words. */
function textOf(row: MovedRow): string {
  return `${row.hash} ${row.currency} ${row.real} ${row.bonus}`;
}

/** Asserts that the rows of the player add up to what the balance in EUR is above its start. */
async function assertSum(
  { store, players }: { readonly store: WalletStore; readonly players: OwnTablesWallet['players'] },
  player: PlayerKey,
  start: { readonly real: bigint; readonly bonus: bigint },
): Promise<void> {
  const [account] = await accountsOf(store, player);
  const rows = await players.moved(player);
  const sum = rows.reduce(
    (total, row) => ({ real: total.real + row.real, bonus: total.bonus + row.bonus }),
    start,
  );
  const now = { real: account?.real ?? 0n, bonus: account?.bonus ?? 0n };
  assert.deepEqual(now, sum, 'the balance must be its start and the sum of the rows');
}

/** The platform's own rows: one for each bet, win and reversal, of what it moved. */
function writtenRules(it: Case<OwnTablesWallet>): void {
  it('each bet, win and reversal has its own row of what it moved', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    const parts = [take('bet', 30n), give('win', real(7n)), takeMore('more', 20n), end('end')];
    await commitFirst(store, round, parts);
    const rows = ['bet EUR -30 0', 'more EUR -20 0', 'win EUR 7 0'];
    assert.deepEqual(await stateOf(wallet, round), { balances: ['EUR 57 none'], rows });
    await commitVoids(store, round, 'bet');
    const { balances, rows: after } = await stateOf(wallet, round);
    assert.deepEqual(balances, ['EUR 100 none']);
    assert.ok(after.length > rows.length, 'a reversal must have a row');
    await assertSum(wallet, round, { real: 100n, bonus: 0n });
  });

  it('a reversal takes the balance below zero, and its row says so (D5.2)', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 10n);
    await commitFirst(store, round, [reverse('v', real(-30n))]);
    const expected = { balances: ['EUR -20 none'], rows: ['v EUR -30 0'] };
    assert.deepEqual(await stateOf(wallet, round), expected);
    await commitNext(store, round, [give('c', real(5n))]);
    assert.deepEqual((await stateOf(wallet, round)).balances, ['EUR -15 none']);
    await assertSum(wallet, round, { real: 10n, bonus: 0n });
  });

  it('a commit without money writes no row', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 10n);
    await commitFirst(store, round, [], { state: 'closed' });
    assert.deepEqual(await stateOf(wallet, round), { balances: ['EUR 10 none'], rows: [] });
  });
}

/** The same with bonus money. */
function writtenBonusRules(it: Case<OwnTablesWallet>): void {
  it('a row says what was moved on each balance', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n, 40n);
    const parts = [take('d', 120n), give('c', { real: 3n, bonus: 4n })];
    await commitFirst(store, round, parts);
    const expected = { balances: ['EUR 3 24'], rows: ['c EUR 3 4', 'd EUR -100 -20'] };
    assert.deepEqual(await stateOf(wallet, round), expected);
    await commitVoids(store, round, 'd');
    assert.deepEqual((await stateOf(wallet, round)).balances, ['EUR 100 40']);
    await assertSum(wallet, round, { real: 100n, bonus: 40n });
  });

  it('both balances may be below zero, and the rows add up to them', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 10n, 5n);
    const back = { real: -30n, bonus: -20n };
    await commitFirst(store, round, [reverse('v', back)]);
    assert.deepEqual((await stateOf(wallet, round)).balances, ['EUR -20 -15']);
    await assertSum(wallet, round, { real: 10n, bonus: 5n });
  });
}

/** What is not committed has written nothing, neither in the balances nor in the platform's own rows. */
function undoneRules(it: Case<OwnTablesWallet>): void {
  it('a movement that is refused leaves balances and rows as they were', async (wallet) => {
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
      const result = await store.rounds.commit(anotherRound(player), openingOf([part]));
      assertRefused(result, 'x', reason);
      assert.deepEqual(await stateOf(wallet, player), before);
    }
  });

  it('a debit of a blocked player is refused, and writes nothing', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    await commitFirst(store, round, [take('d', 30n)]);
    await players.setBlocked(round, true);
    const before = await stateOf(wallet, round);
    const { head } = await snapshotOf(store, round);
    for (const amount of [0n, 1n, 100n]) {
      assertRefused(
        await store.rounds.commit(round, changeOf(head, [takeMore('e', amount)])),
        'e',
        'blocked',
      );
      assert.deepEqual(await stateOf(wallet, round), before);
    }
    const paid = changeOf(head, [give('c', real(5n)), reverse('v', real(1n))]);
    assertCommitted(await store.rounds.commit(round, paid));
    await assertSum(wallet, round, { real: 100n, bonus: 0n });
  });

  it('a later movement that is refused undoes the first and its rows', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    const before = await stateOf(wallet, round);
    const change = openingOf([take('d', 60n), give('c', real(5n)), takeMore('e', 46n)]);
    assertRefused(await store.rounds.commit(round, change), 'e', 'tooLow');
    assert.deepEqual(await stateOf(wallet, round), before);
    assert.equal(await store.rounds.readRound(round), null);
    const credit = openingOf([take('d', 60n), give('c', real(5n), 'USD')]);
    assertRefused(await store.rounds.commit(round, credit), 'c', 'noCurrency');
    assert.deepEqual(await stateOf(wallet, round), before);
  });

  it('a stale commit undoes its money and its rows', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    const opening = openingOf([take('d', 30n), give('c', real(3n))]);
    assertCommitted(await store.rounds.commit(round, opening));
    const before = await stateOf(wallet, round);
    const late = [opening, openingOf([take('other', 1n)]), openingOf([take('high', 1000n)])];
    const { head } = await snapshotOf(store, round);
    const wrong = { ...head, version: head.version + 1 };
    for (const change of [...late, changeOf(wrong, [takeMore('e', 1n)])]) {
      assert.deepEqual(await store.rounds.commit(round, change), { kind: 'stale' });
      assert.deepEqual(await stateOf(wallet, round), before);
    }
  });

  it('of concurrent commits of one round one has moved money and written rows', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 1000n);
    let before = unseenRound;
    for (const turn of [1, 2, 3, 4]) {
      const changes = Array.from({ length: 6 }, (_, at) =>
        changeOf(before, [take(`${turn}-${at}`, 7n), give(`c-${turn}-${at}`, real(2n))]),
      );
      const results = await Promise.all(
        changes.map((change) => store.rounds.commit(round, change)),
      );
      assert.deepEqual(countKinds(results), { committed: 1, stale: 5 });
      const { rows, balances } = await stateOf(wallet, round);
      assert.equal(rows.length, 2 * turn, 'a row for each movement of the commits that count');
      assert.deepEqual(balances, [`EUR ${1000 - 5 * turn} none`]);
      before = (await snapshotOf(store, round)).head;
    }
    await assertSum(wallet, round, { real: 1000n, bonus: 0n });
  });

  it('two rounds of one player at once overdraw nothing', async (wallet) => {
    const { store, players } = wallet;
    for (const turn of Array.from({ length: 15 }, (_, at) => at)) {
      const player = await playerWith(players, 10n);
      const debits = Array.from({ length: 8 }, (_, at) =>
        store.rounds.commit(anotherRound(player), openingOf([take(`d${at}`, 10n)])),
      );
      const kinds = countKinds(await Promise.all(debits));
      assert.deepEqual(kinds, { committed: 1, refused: 7 }, `turn ${turn}`);
      assert.deepEqual((await stateOf(wallet, player)).balances, ['EUR 0 none']);
      await assertSum(wallet, player, { real: 10n, bonus: 0n });
    }
  });

  it('two rounds of one player at once lose no movement', async (wallet) => {
    const { store, players } = wallet;
    const player = await playerWith(players, 1000n);
    await open(players, player, 'USD', 5n);
    const commits = Array.from({ length: 40 }, (_, at) => {
      const parts = [take('d', 3n), give('c', real(at % 2 === 0 ? 1n : 4n))];
      return store.rounds.commit(anotherRound(player), openingOf(parts));
    });
    assert.deepEqual(countKinds(await Promise.all(commits)), { committed: 40 });
    const { balances, rows } = await stateOf(wallet, player);
    assert.deepEqual([balances, rows.length], [['EUR 980 none', 'USD 5 none'], 80]);
    const unknownPlayer = freshRound();
    assert.deepEqual(await players.moved(unknownPlayer), []);
  });
}
