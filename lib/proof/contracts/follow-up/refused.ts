import assert from 'node:assert/strict';
import { maxUnits } from '../../../protocol/money/amount';
import {
  accountsOf,
  anotherRound,
  freshRound,
  open,
  playerWith,
  purseOf,
  snapshotOf,
} from '../case';
import { end, give, real, take, takeMore, commitFirst, commitNext } from '../changes';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';
import { assertFollowed, assertOther, follow, followUpOf, runningRound } from './case';

/** What the account refuses is not written at all: another decision has to be made. */
export function refusedRules(it: Case<ContractWallet>): void {
  it('a debit that is too high writes nothing, nor does what is beside it', async (wallet) => {
    const { store } = wallet;
    const round = await runningRound(wallet);
    const high = takeMore('e', 91n);
    for (const parts of [
      [high],
      [high, give('c', real(50n)), end('x')],
      [takeMore('f', 20n), takeMore('e', 71n)],
      [give('c', real(50n)), takeMore('e', 141n), end('x')],
      [takeMore('f', 90n), give('c', real(1n)), takeMore('e', 2n), give('g', real(9n))],
    ]) {
      await assertOther(wallet, round, followUpOf(parts), 'too high');
    }
    assertFollowed(await follow(store, round, followUpOf([takeMore('e', 90n)])));
    assert.deepEqual(await purseOf(store, round), real(0n));
  });

  it('a blocked player is given credits, and makes no debits', async (wallet) => {
    const { store, players } = wallet;
    const round = await runningRound(wallet);
    await players.setBlocked(round, true);
    const parts = [takeMore('e', 1n), give('c', real(5n))];
    await assertOther(wallet, round, followUpOf(parts), 'blocked');
    await assertOther(wallet, round, followUpOf(parts.toReversed()), 'blocked');
    await assertOther(wallet, round, followUpOf([takeMore('e', 0n)]), 'blocked');
    assertFollowed(await follow(store, round, followUpOf([give('w', real(5n))])));
    await players.setBlocked(round, false);
    assertFollowed(await follow(store, round, followUpOf(parts)));
    assert.deepEqual(await purseOf(store, round), real(99n));
  });

  it('a player without the account, or without any, is given nothing', async (wallet) => {
    const { store, players } = wallet;
    const other = freshRound();
    await open(players, other, 'USD', 100n);
    for (const round of [other, freshRound()]) {
      await commitFirst(store, round, []);
      for (const parts of [[give('c', real(5n))], [takeMore('e', 0n)], [give('c', real(0n))]]) {
        await assertOther(wallet, round, followUpOf(parts), 'no account');
      }
      assertFollowed(await follow(store, round, followUpOf([end('x')])));
    }
    const accounts = [{ currency: 'USD', real: 100n, bonus: null }];
    assert.deepEqual(await accountsOf(store, other), accounts);
  });

  it('a balance never leaves the range of amounts', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, maxUnits);
    await commitFirst(store, round, [take('d', 10n)]);
    for (const parts of [[give('c', real(11n))], [takeMore('e', 1n), give('c', real(12n))]]) {
      await assertOther(wallet, round, followUpOf(parts), 'beyond the range');
    }
    assertFollowed(await follow(store, round, followUpOf([give('c', real(10n))])));
    assert.deepEqual(await purseOf(store, round), real(maxUnits));
  });

  it('neither do the sums of a round', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    const high = { debits: real(maxUnits - 5n), credits: real(maxUnits - 5n) };
    await commitFirst(store, round, [], high);
    await assertOther(wallet, round, followUpOf([give('c', real(6n))]), 'credits');
    await assertOther(wallet, round, followUpOf([takeMore('e', 6n)]), 'debits');
    assertFollowed(await follow(store, round, followUpOf([give('c', real(5n))])));
    assertFollowed(await follow(store, round, followUpOf([takeMore('e', 5n)])));
    const { head } = await snapshotOf(store, round);
    assert.deepEqual([head.debits, head.credits], [real(maxUnits), real(maxUnits)]);
  });

  it('what was refused may be played later, by a commit or again', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 10n);
    await commitFirst(store, round, [take('d', 10n)]);
    const followUp = followUpOf([takeMore('e', 5n)]);
    await assertOther(wallet, round, followUp, 'too low');
    const other = anotherRound(round);
    await commitFirst(store, other, [give('win', real(7n))]);
    assertFollowed(await follow(store, round, followUp));
    await assertOther(wallet, round, followUp, 'executed twice');
    await commitNext(store, round, [takeMore('f', 2n)]);
    assert.deepEqual(await purseOf(store, round), real(0n));
  });
}
