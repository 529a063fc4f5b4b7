import { beforeEach, describe, expect, test } from '@jest/globals';

import { type RoundHead, unseenRound } from '../../../lib/operator/gameround';
import { answers, balanceIn, credit, debit, doubt, first, Rig, round, voidOf, writes } from './rig';
import { tripMs } from './scripted-store';

let rig: Rig;

beforeEach(async () => {
  rig = await Rig.create();
});

describe('the outcome of a call', () => {
  test('has the state and the currency of the round after it, where it is known', async () => {
    const opened = await rig.call([first()]);
    const voided = await rig.call([voidOf('d1')]);
    const never = await rig.callOf({ ...round, gameRound: 'other' }, [credit('c1')]);
    const facts = [opened, voided, never].map(({ state, currency }) => ({ state, currency }));
    expect(facts).toEqual([
      { state: 'open', currency: 'EUR' },
      { state: 'voided', currency: 'EUR' },
      { state: 'none', currency: null },
    ]);
  });

  test('has neither balances nor a state where a transaction is left out', async () => {
    const cancelled = rig.delivery();
    await rig.call([first()], { delivery: cancelled });
    await rig.mark([first()], cancelled);
    const outcome = await rig.call([credit('c1')]);
    const { accounts, state, currency } = outcome;
    expect({ doubt: doubt(outcome), accounts, state, currency }).toEqual({
      doubt: 'The call or its round waits for the void of a debit (D4.6, D7).',
      accounts: null,
      state: null,
      currency: 'EUR',
    });
  });

  test('has what an engineer should see of a void once, however often it was decided (D5.6)', async () => {
    await rig.call([first()]);
    rig.store.next('commit', 'stale', 'unknown', 'stale');
    const outcome = await rig.call([{ ...voidOf('d1'), amount: 7n }, voidOf('d9')]);
    const { notes } = outcome;
    expect({ notes, commits: rig.store.commits.length, balance: balanceIn(outcome) }).toEqual({
      notes: ['The void has another amount than its debit.'],
      commits: 4,
      balance: 1000n,
    });
  });

  test('has the notes of all its commits, in order', async () => {
    const outcome = await rig.call([voidOf('d9'), first(), { ...voidOf('d1'), amount: 7n }]);
    expect({ notes: outcome.notes, commits: rig.store.commits.length }).toEqual({
      notes: [
        'The void is for an unknown round: too early, or after its retention.',
        'The void has another amount than its debit.',
      ],
      commits: 3,
    });
  });
});

describe('what is recorded', () => {
  test('bears the time of the wall clock at its own decision, not of the first attempt', async () => {
    const startedAt = rig.clock.now();
    rig.clock.setWallClock(3_600_000);
    rig.store.next('commit', 'unknown');
    await rig.call([first()]);
    const times = rig.store.commits.map(({ records }) => records[0]?.record.at);
    const retryAfterMs = 10 + 2 * tripMs; // the pause after the commit that was in doubt, and the load
    expect(times).toEqual([startedAt + 3_600_000, startedAt + 3_600_000 + retryAfterMs]);
  });

  test('is under the round, the game and the delivery of its own call', async () => {
    const delivery = rig.delivery();
    await rig.call([first(), debit('d2')], { delivery });
    const [change] = rig.store.commits;
    expect({
      gameCode: change?.after.gameCode,
      deliveries: change?.records.map(({ record }) => 'delivery' in record && record.delivery),
    }).toEqual({ gameCode: 'bells', deliveries: [delivery.id, delivery.id] });
  });
});

describe('a store that moves money one by one', () => {
  /** The round as such a store says it is, when it refuses a movement after others. */
  const withPending: RoundHead = { ...unseenRound, version: 4, gameCode: 'bells' };

  test('and refuses one tells the round as it is by then: what is decided next stands on that, without a load', async () => {
    const refused = { kind: 'refused', hash: 'd1', reason: 'tooLow', head: withPending } as const;
    rig.store.next('commit', refused, 'unknown, give up');
    await rig.call([first(), credit('c1')]);
    expect({
      trips: rig.store.trips,
      before: rig.store.commits.map(({ before }) => before.version),
      writes: rig.store.commits.map(writes),
    }).toEqual({
      trips: ['commit', 'commit'],
      before: [0, 4],
      writes: [
        ['d1 accepted', 'c1 accepted'],
        ['d1 BALANCETOOLOW', 'c1 DEBITFAILEDBEFORE'],
      ],
    });
  });

  test('and then knows of nothing any more is loaded again once the round is stale', async () => {
    const refused = { kind: 'refused', hash: 'd1', reason: 'tooLow', head: withPending } as const;
    rig.store.next('commit', refused);
    const outcome = await rig.call([first()]);
    expect({
      trips: rig.store.trips,
      answers: answers(outcome),
      balance: balanceIn(outcome),
    }).toEqual({
      trips: ['commit', 'commit', 'load', 'commit'],
      answers: ['d1 processed'],
      balance: 990n,
    });
  });
});

describe('a store that has lost a record', () => {
  test('which a void is to take back leaves the outcome unknown at once: nothing is taken back by half (D5.3)', async () => {
    await rig.call([first()]);
    await rig.call([debit('d2'), credit('c2')]);
    rig.store.lost.add('c2');
    const outcome = await rig.call([voidOf('d2')]);
    expect({
      trips: rig.store.trips,
      answers: answers(outcome),
      doubt: doubt(outcome),
      balance: await rig.balance(),
    }).toEqual({
      trips: ['load', 'load'],
      answers: [],
      doubt: 'The store does not have a record that a debit of the round names.',
      balance: 985n,
    });
  });
});
