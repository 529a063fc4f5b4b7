import assert from 'node:assert/strict';
import { anotherRound, freshRound, inTurns } from '../case';
import { note, endRecord } from '../changes';
import { credit, debit, RoundPlay, voidOf } from '../repairs/round-play';
import { oddIds } from '../samples';
import type { Case } from '../suite';
import { found, type HistoryWallet, openRound } from './case';

/** A player's round that is known by one of its hashes. */
export function findingRules(check: Case<HistoryWallet>): void {
  check('a round is found by the hash of each of its transactions', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await openRound(wallet.store, anotherRound(play.round));
    await play.call(debit('d', 10n, true), credit('c', 4n));
    await play.call(debit('d2', 2n));
    await play.call({ type: 'end', hash: 'e' });
    await openRound(wallet.store, anotherRound(play.round));
    for (const hash of ['d', 'c', 'd2', 'e']) {
      assert.equal(await found(wallet.store, play.round, hash), play.round.gameRound, hash);
    }
  });

  check('a round is found by what was refused in it, and by its voids', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('refused', 1000n, true));
    await play.call(voidOf('never seen'));
    for (const hash of ['refused', 'never seen']) {
      assert.equal(await found(wallet.store, play.round, hash), play.round.gameRound, hash);
    }
    await play.call(voidOf('refused'));
    assert.equal(await found(wallet.store, play.round, 'refused'), play.round.gameRound);
  });

  check('a hash that no round of the player has is not found', async ({ store }) => {
    const round = freshRound();
    const parts = [note('known', endRecord())];
    await openRound(store, round, {}, parts);
    const { operatorId, playerId, gameRound } = round;
    for (const hash of ['unknown', 'know', 'known ', 'KNOWN', gameRound, playerId, 'h', 'g']) {
      assert.equal(await found(store, round, hash), null, hash);
    }
    const otherPlayer = { operatorId, playerId: anotherRound(round).gameRound };
    assert.equal(await found(store, otherPlayer, 'known'), null);
    assert.equal(await found(store, { operatorId: playerId, playerId: operatorId }, 'known'), null);
    assert.equal(await found(store, round, 'known'), gameRound);
  });

  check('a hash is found byte for byte, whatever it is', async ({ store }) => {
    const player = freshRound();
    const rounds = oddIds.map((hash) => ({ hash, round: anotherRound(player) }));
    await inTurns(rounds, ({ hash, round }) =>
      openRound(store, round, {}, [note(hash, endRecord())]),
    );
    for (const { hash, round } of rounds) {
      assert.equal(await found(store, player, hash), round.gameRound, hash);
    }
  });

  check('a search goes on until it has searched every round', async ({ store }) => {
    const player = freshRound();
    const oldest = anotherRound(player);
    await openRound(store, oldest, {}, [note('the oldest', endRecord())]);
    const rounds = Array.from({ length: 450 }, () => anotherRound(player));
    await inTurns(rounds, (round) => openRound(store, round));
    assert.equal(await found(store, player, 'the oldest'), oldest.gameRound);
    assert.equal(await found(store, player, 'of none'), null);
  });

  check('of several rounds with the hash the newest is found', async ({ store }) => {
    const player = freshRound();
    const newest = anotherRound(player);
    for (const round of [anotherRound(player), anotherRound(player), newest]) {
      await openRound(store, round, {}, [note('same', endRecord())]);
    }
    assert.equal(await found(store, player, 'same'), newest.gameRound);
  });
}
