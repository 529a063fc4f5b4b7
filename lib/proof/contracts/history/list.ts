import assert from 'node:assert/strict';
import { createRoundSummary } from '../../../operator/wallet';
import { anotherRound, freshRound, forgotten, shortRetention, inTurns } from '../case';
import { freshId } from '../../subject/runner';
import { changeOf, end, openHead, real, note, endRecord, commitNext } from '../changes';
import { credit, debit, RoundPlay, voidOf } from '../repairs/round-play';
import { oddIds } from '../samples';
import { type Case, wrongUse } from '../suite';
import { allRounds, type HistoryWallet, namesOf, openRound, pageOf, found } from './case';

/** What is listed of a player, and in which order. */
export function listRules(it: Case<HistoryWallet>): void {
  it('a player who is unknown has an empty page, and no other', async ({ store }) => {
    assert.deepEqual(await pageOf(store, freshRound()), { kind: 'known', rounds: [], next: null });
  });

  it('rounds are listed by their first commit, the newest first', async ({ store }) => {
    const player = freshRound();
    const rounds = Array.from({ length: 5 }, () => anotherRound(player));
    for (const round of rounds) await openRound(store, round, { state: 'open' });
    for (const round of [rounds[3], rounds[0], rounds[2]]) {
      if (round === undefined) continue;
      await commitNext(store, round, [end('late')], { state: 'closed' });
    }
    const expected = rounds.map(({ gameRound }) => gameRound).toReversed();
    assert.deepEqual(await namesOf(store, player), expected);
  });

  it('the rounds beside each are its neighbours in the list', async ({ store }) => {
    const hourMs = 3_600_000;
    for (const [count, stepMs] of [
      [205, 0],
      [12, hourMs],
    ] as const) {
      const player = freshRound();
      const rounds = Array.from({ length: count }, () => anotherRound(player));
      for (const [at, round] of rounds.entries()) {
        const record = endRecord({ at: at * stepMs });
        await openRound(store, round, { state: 'closed' }, [note(`end ${at}`, record)]);
      }
      for (const at of [0, 1, 5, count - 2, count - 1]) {
        const { gameRound = '' } = rounds[at] ?? {};
        const sides = await store.history.beside({ ...player, gameRound }, at * stepMs);
        assert.ok(sides.kind === 'known', `round ${at} must be found, not ${sides.kind}`);
        assert.deepEqual(
          [sides.before?.gameRound, sides.after?.gameRound],
          [rounds[at - 1]?.gameRound, rounds[at + 1]?.gameRound],
          `beside ${at} of ${count}`,
        );
      }
    }
  });

  it('a round that is not in the list has none beside it', async ({ store }) => {
    const round = freshRound();
    assert.deepEqual(await store.history.beside(round, 0), { kind: 'notFound' });
    await openRound(store, anotherRound(round));
    assert.deepEqual(await store.history.beside(round, 0), { kind: 'notFound' });
    for (const at of [-1, 0.5, Number.NaN, 8.65e15]) {
      await assert.rejects(Promise.resolve(store.history.beside(round, at)), wrongUse, `${at}`);
    }
  });

  it('a listed round has the same outcome as the whole round', async (wallet) => {
    const { store } = wallet;
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true));
    await play.call(credit('c', 25n));
    await play.call({ type: 'end', hash: 'e' });
    const [summary, ...others] = await allRounds(store, play.round);
    const report = await store.rounds.readRound(play.round);
    assert.ok(summary !== undefined && report !== null && others.length === 0);
    assert.deepEqual(summary, createRoundSummary(play.round, report));
    const { state, gameCode, currency, debits, credits, openedAt, lastAt, stateSince } = summary;
    assert.deepEqual(
      [state, gameCode, currency, debits, credits],
      ['closed', 'game', 'EUR', real(10n), real(25n)],
    );
    assert.deepEqual([lastAt, openedAt < lastAt], [stateSince, true]);
  });

  it('a round that never started is listed, with what was refused', async (wallet) => {
    const { store } = wallet;
    const play = await RoundPlay.open(wallet);
    await play.call(debit('too much', 1000n, true));
    const [summary] = await allRounds(store, play.round);
    assert.equal(summary?.gameRound, play.round.gameRound);
    assert.deepEqual([summary.state, summary.currency], ['closed', null]);
    assert.deepEqual([summary.debits, summary.credits], [real(0n), real(0n)]);
  });

  it('a round that a person repaired stays where it was', async (wallet) => {
    const { store } = wallet;
    const play = await RoundPlay.stranded(wallet);
    const later = anotherRound(play.round);
    await openRound(store, later);
    await play.repaired({ kind: 'pay', hash: 'c' });
    const listed = await allRounds(store, play.round);
    assert.deepEqual(
      listed.map(({ gameRound, state }) => [gameRound, state]),
      [
        [later.gameRound, 'closed'],
        [play.round.gameRound, 'closed'],
      ],
    );
  });

  it('neither another player nor another operator has the rounds', async ({ store }) => {
    const round = freshRound();
    await openRound(store, round);
    const { operatorId, playerId } = round;
    assert.deepEqual(await namesOf(store, { operatorId, playerId: freshId('player') }), []);
    assert.deepEqual(await namesOf(store, { operatorId: freshId('operator'), playerId }), []);
    assert.deepEqual(await namesOf(store, { operatorId: playerId, playerId: operatorId }), []);
  });

  it('rounds and players with any identifier are listed apart', async ({ store }) => {
    const { operatorId } = freshRound();
    const expected = oddIds.toReversed();
    for (const playerId of oddIds.slice(0, 12)) {
      for (const gameRound of oddIds) await openRound(store, { operatorId, playerId, gameRound });
    }
    for (const playerId of oddIds.slice(0, 12)) {
      assert.deepEqual(await namesOf(store, { operatorId, playerId }), expected);
    }
  });

  it('a commit that is not written lists nothing', async ({ store }) => {
    const round = freshRound();
    const stale = changeOf({ ...openHead, version: 7 }, [end('e')]);
    assert.equal((await store.rounds.commit(round, stale)).kind, 'stale');
    assert.deepEqual(await namesOf(store, round), []);
  });

  it(
    'a round is gone from the list with its retention, and one that is kept for ever stays',
    async ({ store }) => {
      const player = freshRound();
      const names: string[] = [];
      for (const state of ['open', 'closed', 'stranded', 'closed', 'voided', 'open'] as const) {
        const round = anotherRound(player);
        await openRound(store, round, { state });
        if (state === 'open' || state === 'stranded') names.unshift(round.gameRound);
        else await forgotten(store, round);
      }
      assert.deepEqual(await namesOf(store, player), names);
      assert.deepEqual(await namesOf(store, player, 1), names);
    },
    shortRetention,
  );
}

/** A player's round that is known by one of its hashes. */
export function findingRules(it: Case<HistoryWallet>): void {
  it('a round is found by the hash of each of its transactions', async (wallet) => {
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

  it('a round is found by what was refused in it, and by its voids', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('refused', 1000n, true));
    await play.call(voidOf('never seen'));
    for (const hash of ['refused', 'never seen']) {
      assert.equal(await found(wallet.store, play.round, hash), play.round.gameRound, hash);
    }
    await play.call(voidOf('refused'));
    assert.equal(await found(wallet.store, play.round, 'refused'), play.round.gameRound);
  });

  it('a hash that no round of the player has is not found', async ({ store }) => {
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

  it('a hash is found byte for byte, whatever it is', async ({ store }) => {
    const player = freshRound();
    const rounds = oddIds.map((hash) => ({ hash, round: anotherRound(player) }));
    await inTurns(rounds, ({ hash, round }) =>
      openRound(store, round, {}, [note(hash, endRecord())]),
    );
    for (const { hash, round } of rounds) {
      assert.equal(await found(store, player, hash), round.gameRound, hash);
    }
  });

  it('a search continues until every round was searched', async ({ store }) => {
    const player = freshRound();
    const oldest = anotherRound(player);
    await openRound(store, oldest, {}, [note('the oldest', endRecord())]);
    const rounds = Array.from({ length: 450 }, () => anotherRound(player));
    await inTurns(rounds, (round) => openRound(store, round));
    assert.equal(await found(store, player, 'the oldest'), oldest.gameRound);
    assert.equal(await found(store, player, 'of none'), null);
  });

  it('of several rounds with the hash the newest is found', async ({ store }) => {
    const player = freshRound();
    const newest = anotherRound(player);
    for (const round of [anotherRound(player), anotherRound(player), newest]) {
      await openRound(store, round, {}, [note('same', endRecord())]);
    }
    assert.equal(await found(store, player, 'same'), newest.gameRound);
  });
}
