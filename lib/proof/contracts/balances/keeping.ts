import assert from 'node:assert/strict';
import { unseenRound } from '../../../operator/gameround';
import { anotherRound, assertCommitted, freshRound, playerWith } from '../case';
import { changeOf, end, openHead, take } from '../changes';
import { type ContractWallet, keepsMoney } from '../../subject/players';
import { debit, RoundPlay } from '../repairs/round-play';
import { oddIds } from '../samples';
import type { Case } from '../suite';
import { forgotten, shortRetention } from '../waiting';
import { assertLines, deposit } from './lines';

/** Balances belong to a commit of a round. */
export function keepingRules(check: Case<ContractWallet>): void {
  check('a commit that is not written, or is executed again, keeps nothing', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    const change = changeOf(unseenRound, [take('d', 10n)]);
    assertCommitted(await store.commit(round, change));
    const kept = await balancesOf(wallet, round);
    if (keepsMoney(wallet)) {
      assert.deepEqual(kept, [[1, [{ currency: 'EUR', real: 90n, bonus: null }]]]);
    }
    assert.equal((await store.commit(round, change)).kind, 'stale');
    const poor = changeOf({ ...openHead, debits: { real: 10n, bonus: 0n } }, [take('e', 1000n)]);
    await store.commit(round, poor);
    assert.deepEqual(await balancesOf(wallet, round), kept);
  });

  check('a player without an account has none', async (wallet) => {
    const round = freshRound();
    assertCommitted(await wallet.store.commit(round, changeOf(unseenRound, [end('e')])));
    const report = await wallet.store.readRound(round);
    assert.equal(report?.toJSON().transactions[0]?.balance, undefined);
  });

  check('rounds and players with any identifier have their own', async (wallet) => {
    const first = await RoundPlay.open(wallet);
    for (const [at, gameRound] of oddIds.entries()) {
      const play = first.other({ ...first.round, gameRound });
      await play.call(debit(gameRound, 1n, true));
      await assertLines(play, [`${gameRound} ${99 - at}`]);
    }
  });

  check(
    'they are gone with their round',
    async (wallet) => {
      const play = await RoundPlay.open(wallet);
      await play.call(debit('d', 10n, true), { type: 'end', hash: 'e' });
      await forgotten(wallet.store, play.round);
      await deposit(play, 5n);
      const next = play.other(play.round);
      await next.call(debit('f', 10n, true)); // a ledger knows the key of d for ever
      await assertLines(next, ['f 85']);
      const kept = await balancesOf(wallet, play.round);
      assert.ok(kept.length <= 1, 'a round that begins anew must keep nothing of the earlier one');
      await next.other(anotherRound(play.round)).call(debit('f', 10n, true));
      await assertLines(next, ['f 85']);
    },
    shortRetention,
  );
}

async function balancesOf({ store }: ContractWallet, round: Parameters<typeof store.readRound>[0]) {
  const report = await store.readRound(round);
  return (report?.balances ?? []).map(({ version, accounts }) => [version, accounts]);
}
