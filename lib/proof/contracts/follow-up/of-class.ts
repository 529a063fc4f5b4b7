import assert from 'node:assert/strict';
import { type RoundHead, roundStates } from '../../../operator/gameround';
import {
  anotherRound,
  assertCommitted,
  freshRound,
  playerWith,
  purseOf,
  snapshotOf,
  forgotten,
  shortRetention,
} from '../case';
import {
  changeOf,
  end,
  give,
  note,
  debitRecord,
  real,
  take,
  takeMore,
  commitFirst,
  commitNext,
} from '../changes';
import type { ContractWallet } from '../../subject/players';
import { credit, debit, RoundPlay } from '../repairs/round-play';
import type { Case } from '../suite';
import { assertFollowed, assertOther, follow, followUpOf, runningRound } from './case';

/** Heads that are not of the class, each by one member. */
const others: readonly (readonly [why: string, after: Partial<RoundHead>])[] = [
  ...roundStates
    .filter((state) => state !== 'open')
    .map((state) => [`the round is ${state}`, { state }] as const),
  ['the round is not started', { started: false }],
  ['a debit was declined', { declined: 'e' }],
  ['a debit waits for its void', { unanswered: 1 }],
  ['the round is in another currency', { currency: 'USD' }],
  ['the round has no currency', { currency: null }],
  ['the round is of another game', { gameCode: 'Game' }],
  ['the round has no game', { gameCode: null }],
];

const followUps = [
  followUpOf([give('1', real(5n))]),
  followUpOf([takeMore('1', 5n), give('2', real(5n)), end('3')]),
];

/** Only a round of the class may be added to. */
export function classRules(it: Case<ContractWallet>): void {
  for (const [why, after] of others) {
    it(`nothing is added if ${why}`, async (wallet) => {
      const { store, players } = wallet;
      const opened = await playerWith(players, 100n);
      await commitFirst(store, opened, [take('d', 10n)], after);
      const changed = await runningRound(wallet);
      await commitNext(store, changed, [note('e', debitRecord(9n, { first: false }))], after);
      // The game of a round is that of its first call, for ever.
      const rounds = 'gameCode' in after ? [opened] : [opened, changed];
      for (const followUp of followUps) {
        for (const round of rounds) await assertOther(wallet, round, followUp, why);
      }
    });
  }

  it('nothing is added while a posting is pending', async (wallet) => {
    const { store } = wallet;
    const round = await runningRound(wallet);
    const { head } = await snapshotOf(store, round);
    const pending = { since: 1, posts: [], reversals: ['z'] };
    assertCommitted(await store.rounds.commit(round, changeOf(head, [], { pending })));
    // Only a journal keeps pending work.
    if ((await snapshotOf(store, round)).head.pending === null) return;
    for (const followUp of followUps) await assertOther(wallet, round, followUp, 'pending');
  });

  it('nothing is added to a round with a repair, whatever became of it', async (wallet) => {
    if (wallet.store.repairs === undefined) return;
    const play = await RoundPlay.stranded(wallet);
    const { round } = play;
    const followUp = followUpOf([give('1', real(5n))]);
    const { head } = await snapshotOf(wallet.store, round);
    await assertOther(wallet, round, followUp, 'stranded');
    await play.propose({ kind: 'pay', hash: 'c' });
    const proposed = (await snapshotOf(wallet.store, round)).head;
    assert.ok(proposed.repairs !== undefined && head.repairs === undefined);
    const open = changeOf(proposed, [], { ...proposed, state: 'open', declined: null });
    assertCommitted(await wallet.store.rounds.commit(round, open));
    await assertOther(wallet, round, followUp, 'a repair');
  });

  it('nothing is added to a round that is not known', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    for (const followUp of followUps) {
      await assertOther(wallet, round, followUp, 'an unknown round');
      await assertOther(wallet, freshRound(), followUp, 'an unknown player');
    }
    assert.equal(await store.rounds.readRound(round), null);
    await commitFirst(store, anotherRound(round), [take('d', 10n)]);
    await assertOther(wallet, round, followUpOf([give('1', real(5n))]), 'another round is known');
  });

  it(
    'nothing is added to a round that is forgotten, and it does not begin anew',
    async (wallet) => {
      const { store } = wallet;
      const round = await runningRound(wallet);
      assertFollowed(await follow(store, round, followUpOf([give('c', real(5n)), end('x')])));
      await forgotten(store, round);
      for (const followUp of [...followUps, followUpOf([give('c', real(5n)), end('x')])]) {
        await assertOther(wallet, round, followUp, 'after the retention');
      }
      assert.deepEqual(await purseOf(store, round), real(95n));
    },
    shortRetention,
  );

  it(
    'a round that a follow-up leaves open is kept for ever',
    async (wallet) => {
      const { store } = wallet;
      const round = await runningRound(wallet);
      const other = await runningRound(wallet);
      assertFollowed(await follow(store, round, followUpOf([give('c', real(5n))])));
      assertFollowed(await follow(store, other, followUpOf([end('x')])));
      await forgotten(store, other);
      assert.equal((await snapshotOf(store, round)).head.state, 'open');
      assertFollowed(await follow(store, round, followUpOf([give('f', real(5n))])));
    },
    shortRetention,
  );

  it('a round that was cancelled and resumed is added to', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true));
    await play.call(credit('c', 1n));
    const { store } = wallet;
    const { head } = await snapshotOf(store, play.round);
    for (const after of [{ state: 'cancelled', resume: 'open' }, { resume: 'open' }] as const) {
      const now = (await snapshotOf(store, play.round)).head;
      assertCommitted(
        await store.rounds.commit(play.round, changeOf(now, [], { ...head, ...after })),
      );
    }
    assertFollowed(await follow(store, play.round, followUpOf([give('1', real(5n))])));
    const { credits, resume } = (await snapshotOf(store, play.round)).head;
    assert.deepEqual([credits, resume], [real(6n), 'open']);
  });
}
