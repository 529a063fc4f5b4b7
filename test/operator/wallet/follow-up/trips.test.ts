import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';
import { answers, balanceIn, credit, debit, doubt, end, first, Rig, voidOf, writes } from '../rig';

let rig: Rig;

beforeEach(async () => {
  rig = await Rig.create();
  rig.store.follows();
});

describe('a call that only adds to a running round, at a store that follows', () => {
  test.each<[string, Transaction[]]>([
    ['a follow-up debit', [debit('d2')]],
    [
      'a debit that does not say whether it is the first',
      [debit('d2', 10n, { isFirstDebit: null })],
    ],
    ['a credit', [credit('c1')]],
    ['a credit and an end', [credit('c1'), end('e1')]],
    ['a debit, its credit and the end', [debit('d2'), credit('c2'), end('e1')]],
    ['a credit of nothing', [credit('c1', 0n)]],
    ['a debit that says that its hash is the gameRound', [debit('r')]],
    ['a hash that it names twice', [credit('c1'), credit('c1')]],
  ])('%s is one trip', async (_, transactions) => {
    await rig.call([first()]);
    const outcome = await rig.call(transactions);
    expect({ trips: rig.store.trips, doubt: doubt(outcome) }).toEqual({
      trips: ['follow'],
      doubt: null,
    });
  });

  test('is answered, recorded and paid as at a store that is loaded from', async () => {
    const calls = [
      [first()],
      [debit('d2', 7n), credit('c2', 3n)],
      [debit('d3', 1n), debit('d4', 2n)],
      [credit('c3', 20n), credit('c4', 0n), end('e1')],
    ];
    const loaded = await Rig.create();
    const told: unknown[] = [];
    for (const played of [rig, loaded]) {
      const outcomes = [];
      for (const call of calls) outcomes.push(await played.call(call));
      const report = await played.store.rounds.readRound({
        operatorId: 'casino',
        playerId: 'ann',
        gameRound: 'r',
      });
      const times = JSON.stringify(report?.toJSON(), (key, value: unknown) =>
        key === 'at' || key === 'stateSince' ? null : value,
      );
      told.push({
        answers: outcomes.map(answers),
        balances: outcomes.map(balanceIn),
        states: outcomes.map(({ state, currency }) => [state, currency]),
        round: times,
      });
    }
    expect(told[0]).toEqual(told[1]);
    expect(rig.store.trips).toEqual(['follow']);
    expect(loaded.store.trips).toEqual(['load', 'commit']);
  });

  test('is one trip for the 100th call of a round, which names its own hashes alone', async () => {
    await rig.call([first()]);
    for (let at = 2; at < 100; at++) await rig.call([debit(`d${at}`), credit(`c${at}`)]);
    await rig.call([debit('d100'), credit('c100')]);
    const [followUp] = rig.store.followUps;
    expect({ trips: rig.store.trips, hashes: followUp?.hashes }).toEqual({
      trips: ['follow'],
      hashes: ['d100', 'c100'],
    });
  });

  test('a round of two calls is two trips, its repeat one more, and its void two', async () => {
    await rig.call([first()]);
    expect(rig.store.trips).toEqual(['commit']);
    await rig.call([credit('c1'), end('e1')]);
    expect(rig.store.trips).toEqual(['follow']);
    const again = await rig.call([credit('c1'), end('e1')]);
    expect({ trips: rig.store.trips, answers: answers(again), balance: balanceIn(again) }).toEqual({
      trips: ['follow'],
      answers: ['c1 processed again', 'e1 processed again'],
      balance: 995n,
    });
    await rig.call([voidOf('d1')]);
    expect(rig.store.trips).toEqual(['load', 'commit']);
  });

  test('reads the balances apart where the store has them apart', async () => {
    rig.store.readsAccountsApart = true;
    await rig.call([first()]);
    const outcome = await rig.call([credit('c1')]);
    expect({ trips: rig.store.trips, balance: balanceIn(outcome) }).toEqual({
      trips: ['follow', 'accounts'],
      balance: 995n,
    });
  });
});

describe('a call that takes more trips than a follow-up, and no more than without it', () => {
  test('a debit that is too high: the answer brings what a load would', async () => {
    await rig.call([first()]);
    const outcome = await rig.call([debit('d2', 5000n)]);
    expect({
      trips: rig.store.trips,
      answers: answers(outcome),
      balance: balanceIn(outcome),
    }).toEqual({
      trips: ['follow', 'commit', 'commit'],
      answers: ['d2 BALANCETOOLOW'],
      balance: 990n,
    });
  });

  test('a credit after a declined debit strands the round, as always (D4.5)', async () => {
    await rig.call([first()]);
    await rig.call([debit('d2', 5000n)]);
    const outcome = await rig.call([credit('c2')]);
    expect({
      trips: rig.store.trips,
      answers: answers(outcome),
      state: outcome.state,
    }).toEqual({
      trips: ['follow', 'commit'],
      answers: ['c2 DEBITFAILEDBEFORE'],
      state: 'stranded',
    });
  });

  test.each<[string, Transaction[], string[]]>([
    ['a credit of a round that never started', [credit('c1')], ['c1 GAMEROUNDNOTSTARTED']],
    [
      'a debit that may open the round',
      [debit('d1', 10n, { isFirstDebit: null })],
      ['d1 processed'],
    ],
  ])('%s', async (_, transactions, expected) => {
    const outcome = await rig.call(transactions);
    expect({ trips: rig.store.trips, answers: answers(outcome) }).toEqual({
      trips: ['follow', 'commit'],
      answers: expected,
    });
  });

  test('a credit in another currency than the round strands it (D4.7)', async () => {
    await rig.call([first()]);
    const outcome = await rig.call([credit('c1', 5n, { currency: 'USD' })]);
    expect({ trips: rig.store.trips, state: outcome.state }).toEqual({
      trips: ['follow', 'commit'],
      state: 'stranded',
    });
  });

  test('a hash that a void was there for before, which the debit finds (D5.5)', async () => {
    await rig.call([first()]);
    await rig.call([voidOf('d2')]);
    const outcome = await rig.call([debit('d2')]);
    expect({
      trips: rig.store.trips,
      answers: answers(outcome),
      balance: balanceIn(outcome),
    }).toEqual({
      trips: ['follow', 'commit'],
      answers: ['d2 GAMEROUNDVOIDED'],
      balance: 990n,
    });
  });
});

describe('a call that is decided by more of the round is loaded for', () => {
  test.each<[string, Transaction[]]>([
    ['an end alone, which has no currency', [end('e1')]],
    ['a void of the first debit', [voidOf('d1')]],
    ['a debit and a void', [debit('d2'), voidOf('d1')]],
    ['two currencies', [credit('c1'), credit('c2', 1n, { currency: 'USD' })]],
    ['a credit behind the end', [end('e1'), credit('c1')]],
    ['a first debit behind another', [debit('d2'), first('d3')]],
    ['a discount that is not eligible', [debit('d2', 10n, { discount: 1n })]],
    ['one hash for two things', [debit('d2'), credit('d2')]],
  ])('%s', async (_, transactions) => {
    await rig.call([first()]);
    await rig.call(transactions);
    expect([rig.store.trips[0], rig.store.followUps]).toEqual(['load', []]);
  });

  test('a credit that is split by the stakes', async () => {
    const policy = { useBonusFirst: true, creditTo: 'stakeShares' } as const;
    await rig.call([first()], { policy });
    await rig.call([credit('c1')], { policy });
    expect(rig.store.trips).toEqual(['load', 'commit']);
  });

  test('a body that its signature does not name (D1.8)', async () => {
    await rig.call([first()]);
    const delivery = rig.delivery({ isOtherBody: true });
    const outcome = await rig.call([credit('c1')], { delivery });
    expect({ trips: rig.store.trips, admission: outcome.admission }).toEqual({
      trips: ['load'],
      admission: 'otherBody',
    });
  });

  test('a known signature with another body, as the record of the first hash shows (D1.8)', async () => {
    const one = 'signatureABCbody';
    const other = 'signatureABCoooo';
    await rig.call([first()]);
    await rig.call([credit('c1')], { delivery: rig.delivery({ fingerprint: one }) });
    const delivery = rig.delivery({ fingerprint: other });
    const outcome = await rig.call([credit('c1', 7n)], { delivery });
    expect({ trips: rig.store.trips, admission: outcome.admission }).toEqual({
      trips: ['follow'],
      admission: 'otherBody',
    });
  });
});

describe('what a follow-up writes', () => {
  test('the fingerprint of the call is in the record of its first hash (D1.8)', async () => {
    await rig.call([first()]);
    const delivery = rig.delivery({ fingerprint: 'a-signature-body' });
    await rig.call([credit('c1'), credit('c2')], { delivery });
    const [followUp] = rig.store.followUps;
    expect(followUp?.records.map(({ record }) => record.fingerprints)).toEqual([
      ['a-signature-body'],
      [],
    ]);
  });

  test('the record of a debit names what followed it, so that a void takes that back (D5.3)', async () => {
    await rig.call([first()]);
    await rig.call([debit('d2'), credit('c2'), end('e2')]);
    const outcome = await rig.call([voidOf('d2')]);
    expect({
      writes: rig.store.commits.map(writes),
      balance: balanceIn(outcome),
      state: outcome.state,
    }).toEqual({
      writes: [['void d2', 'c2 DEBITFAILEDBEFORE', 'e2 DEBITFAILEDBEFORE']],
      balance: 990n,
      state: 'open',
    });
  });
});
