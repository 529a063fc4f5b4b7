import assert from 'node:assert/strict';
import { emptyPurse, type Purse, splitDebit, subtractPurses } from '../../../protocol/money/purse';
import { maxUnits } from '../../../protocol/money/amount';
import type { RoundKey } from '../../../operator/wallet';
import {
  accountsOf,
  anotherRound,
  assertCommitted,
  assertRefused,
  countKinds,
  freshRound,
  open,
  playerWith,
  purseOf,
  snapshotOf,
} from '../case';
import {
  changeOf,
  debitRecord,
  give,
  openingOf,
  take,
  takeMore,
  commitVoids,
  commitFirst,
} from '../changes';
import type { ContractWallet } from '../../subject/players';
import {
  bonusFunds,
  type Funds,
  fundsInDebt,
  nameOf,
  realFunds,
  splitRowsOf,
} from '../split-table';
import type { Case } from '../suite';

/** How a debit is paid from real and bonus money. */
export function splitRules(it: Case<ContractWallet>): void {
  it('what each debit took is in its record, and the sum in the head', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n, 40n);
    await commitFirst(store, round, [take('1', 30n, { bonusFirst: true })]);
    const { head } = await snapshotOf(store, round);
    const change = changeOf(head, [
      takeMore('2', 60n, { bonusFirst: true }),
      give('3', { real: 3n, bonus: 4n }),
      takeMore('4', 50n),
    ]);
    assertCommitted(await store.rounds.commit(round, change));
    const after = await snapshotOf(store, round);
    const purses = await takenBy(store, round, ['1', '2', '4']);
    assert.deepEqual(purses, [toPurse([0n, 30n]), toPurse([50n, 10n]), toPurse([50n, 0n])]);
    assert.deepEqual(after.head.debits, { real: 100n, bonus: 40n });
    assert.deepEqual(after.head.credits, { real: 3n, bonus: 4n });
    assert.deepEqual(await purseOf(store, round), { real: 3n, bonus: 4n });
    await commitVoids(store, round, '2');
    assert.deepEqual(await purseOf(store, round), { real: 53n, bonus: 14n });
    await commitVoids(store, round, '1');
    assert.deepEqual(await purseOf(store, round), { real: 100n, bonus: 40n });
  });

  it('an empty bonus balance differs from none', async ({ store, players }) => {
    const player = freshRound();
    await open(players, player, 'EUR', 1n, 0n);
    await open(players, player, 'USD', 2n);
    assert.deepEqual(await accountsOf(store, player), [
      { currency: 'EUR', real: 1n, bonus: 0n },
      { currency: 'USD', real: 2n, bonus: null },
    ]);
  });

  it('concurrent rounds overdraw neither balance', async ({ store, players }) => {
    const player = await playerWith(players, 70n, 25n);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, at) => {
        const debit = take('d', 10n, { bonusFirst: at % 2 === 0 });
        return store.rounds.commit(anotherRound(player), openingOf([debit]));
      }),
    );
    assert.deepEqual(countKinds(results), { committed: 9, refused: 11 });
    const { real: units, bonus } = await purseOf(store, player);
    assert.equal(units + bonus, 5n);
    assert.ok(units >= 0n && bonus >= 0n, 'neither balance may be overdrawn');
  });

  it('the largest debit is split exactly', async ({ store, players }) => {
    const [units, bonus] = [4_503_599_627_370_497n, 4_503_599_627_370_495n];
    const round = await playerWith(players, units, bonus);
    await commitFirst(store, round, [take('d', maxUnits)]);
    const taken = { real: units, bonus: maxUnits - units };
    assert.deepEqual((await snapshotOf(store, round)).head.debits, taken);
    assert.deepEqual(await purseOf(store, round), { real: 0n, bonus: 1n });
  });
}

/** The split of each amount, order and balance is that of `splitDebit`. */
export function splitTableRules(it: Case<ContractWallet>): void {
  for (const funds of [...bonusFunds, ...fundsInDebt]) checkSplit(it, funds);

  it('the debits of one commit are split one after another', async ({ store, players }) => {
    const has = { real: 30n, bonus: 20n };
    const round = await playerWith(players, has.real, has.bonus);
    const pairs = [
      [10n, 20n],
      [20n, 30n],
      [25n, 25n],
      [40n, 10n],
      [0n, 50n],
    ] as const;
    const orders = [
      [false, false],
      [false, true],
      [true, false],
      [true, true],
    ] as const;
    for (const [[one, other], [d, e]] of pairs.flatMap((pair) =>
      orders.map((order) => [pair, order] as const),
    )) {
      const first = splitDebit(one, has, d) ?? assert.fail();
      const second = splitDebit(other, subtractPurses(has, first), e) ?? assert.fail();
      const opened = anotherRound(round);
      const debits = [take('d', one, { bonusFirst: d }), takeMore('e', other, { bonusFirst: e })];
      await commitFirst(store, opened, debits);
      const name = `${one} and ${other} units, bonus first: ${d} and ${e}`;
      assert.deepEqual(await takenBy(store, opened, ['d', 'e']), [first, second], name);
      await commitVoids(store, opened, 'd');
      assert.deepEqual(await purseOf(store, round), has, name);
    }
  });

  it('bonus money of another currency pays nothing', async ({ store, players }) => {
    const round = await playerWith(players, 10n);
    await open(players, round, 'USD', 0n, 100n);
    const [tooMuch, exact] = [11n, 10n].map((amount) =>
      openingOf([take('d', amount, { bonusFirst: true })]),
    );
    assert.ok(tooMuch !== undefined && exact !== undefined);
    assertRefused(await store.rounds.commit(anotherRound(round), tooMuch), 'd', 'tooLow');
    assertCommitted(await store.rounds.commit(anotherRound(round), exact));
    assert.deepEqual(await accountsOf(store, round), [
      { currency: 'EUR', real: 0n, bonus: null },
      { currency: 'USD', real: 0n, bonus: 100n },
    ]);
  });
}

/** A debit of a player without bonus money is paid from the real balance, whatever the requested order. */
export function realOnlyRules(it: Case<ContractWallet>): void {
  for (const funds of realFunds) checkSplit(it, funds);
}

/** Each debit of the table is committed, compared and voided. */
function checkSplit(it: Case<ContractWallet>, funds: Funds): void {
  it(`debits of ${nameOf(funds)} are split as splitDebit says`, async (wallet) => {
    const { store } = wallet;
    const player = await playerInDebt(wallet, funds);
    const before = { real: funds.real, bonus: funds.bonus ?? 0n };
    for (const { amount, bonusFirst, takes, name } of splitRowsOf(funds)) {
      const round = anotherRound(player);
      const result = await store.rounds.commit(
        round,
        openingOf([take('d', amount, { bonusFirst })]),
      );
      if (takes === null) {
        assertRefused(result, 'd', 'tooLow');
      } else {
        assertCommitted(result);
        const { head, entries } = await snapshotOf(store, round, ['d']);
        assert.deepEqual(entries.get('d'), { transaction: debitRecord(amount, { purse: takes }) });
        assert.deepEqual(head.debits, takes, name);
      }
      const after = subtractPurses(before, takes ?? emptyPurse);
      assert.deepEqual(await purseOf(store, player), after, name);
      if (takes !== null) await commitVoids(store, round, 'd');
    }
    assert.deepEqual(await purseOf(store, player), before);
  });
}

/** What each of these debits took by its record; null if there is none. */
async function takenBy(
  store: ContractWallet['store'],
  round: RoundKey,
  hashes: readonly string[],
): Promise<(Purse | null)[]> {
  const { entries } = await snapshotOf(store, round, hashes);
  return hashes.map((hash) => {
    const record = entries.get(hash)?.transaction;
    return record?.type === 'debit' ? record.purse : null;
  });
}

/**
 * A new round of a player with these balances. One below zero comes from a credit that was spent in
 * another round before its own was voided.
 */
async function playerInDebt({ store, players }: ContractWallet, funds: Funds): Promise<RoundKey> {
  const purse = { real: funds.real, bonus: funds.bonus ?? 0n };
  const debt = { real: below(purse.real), bonus: below(purse.bonus) };
  const has = { real: purse.real + debt.real, bonus: purse.bonus + debt.bonus };
  const round = await playerWith(players, has.real, funds.bonus === null ? undefined : has.bonus);
  const owed = debt.real + debt.bonus;
  if (owed === 0n) return round;
  const [credited, spent] = [anotherRound(round), anotherRound(round)];
  await commitFirst(store, credited, [take('d', 0n), give('c', debt)]);
  const spending = [take('d', debt.real), takeMore('e', debt.bonus, { bonusFirst: true })];
  await commitFirst(store, spent, spending);
  await commitVoids(store, credited, 'd');
  assert.deepEqual(await purseOf(store, round), purse);
  return round;
}

function below(units: bigint): bigint {
  return units < 0n ? -units : 0n;
}

function toPurse([units, bonus]: readonly [bigint, bigint]): Purse {
  return { real: units, bonus };
}
