import { beforeEach, describe, expect, test } from '@jest/globals';

import type { DiscountCheck } from '../../../lib/operator/wallet';
import {
  answers,
  balanceIn,
  callOf,
  credit,
  deadlineMs,
  debit,
  doubt,
  first,
  Rig,
  round,
} from './rig';
import { tripMs } from './scripted-store';

let rig: Rig;
let asked: string[];

beforeEach(async () => {
  rig = await Rig.create();
  asked = [];
});

const discounted = first('d1', 10n, { discount: 4n });

/** A check that records the hashes it is asked for, with the given answer. */
function checkThat(answer: DiscountCheck): DiscountCheck {
  return (request) => {
    asked.push(request.debit.hash);
    return answer(request);
  };
}

describe('the check of a discount', () => {
  test('is asked once for each discounted debit, with the round and the call, before any trip to the store', async () => {
    const transactions = [discounted, debit('d2'), debit('d3', 5n, { discount: 5n }), credit('c1')];
    const requests: unknown[] = [];
    const discountCheck: DiscountCheck = (request) => {
      requests.push({ ...request, trips: rig.store.trips.length });
      return true;
    };
    const outcome = await rig.call(transactions, { discountCheck });
    const call = callOf(...transactions);
    expect({ requests, balance: balanceIn(outcome) }).toEqual({
      requests: [
        { round, call, debit: transactions[0], trips: 0 },
        { round, call, debit: transactions[2], trips: 0 },
      ],
      balance: 1000n - 6n - 10n - 0n + 5n,
    });
  });

  test('is not asked for a call without a discount', async () => {
    const outcome = await rig.call([first(), credit('c1')], {
      discountCheck: checkThat(() => true),
    });
    expect({ asked, answers: answers(outcome) }).toEqual({
      asked: [],
      answers: ['d1 processed', 'c1 processed'],
    });
  });

  test('is asked once for a call that is decided many times', async () => {
    rig.store.next('commit', 'stale', 'unknown', 'stale');
    const outcome = await rig.call([discounted], { discountCheck: checkThat(() => true) });
    expect({ asked, answers: answers(outcome), balance: balanceIn(outcome) }).toEqual({
      asked: ['d1'],
      answers: ['d1 processed'],
      balance: 994n,
    });
  });

  test.each<[string, DiscountCheck | undefined]>([
    ['says no', () => false],
    ['says no later', async () => false],
    ['is absent', undefined],
  ])(
    'that %s makes the debit refused, starts no round, and D4.5 for what follows it',
    async (_, discountCheck) => {
      const outcome = await rig.call([discounted, credit('c1')], { discountCheck });
      expect({
        trips: rig.store.trips,
        answers: answers(outcome),
        balance: balanceIn(outcome),
        state: outcome.state,
      }).toEqual({
        trips: ['commit'],
        answers: ['d1 DISCOUNTNOTELIGIBLE', 'c1 DEBITFAILEDBEFORE'],
        balance: 1000n,
        state: 'none',
      });
    },
  );

  test('that says no to one debit of a call lets the others fall with it (D4.6)', async () => {
    const transactions = [discounted, debit('d2', 10n, { discount: 10n })];
    const outcome = await rig.call(transactions, {
      discountCheck: checkThat(({ debit: { hash } }) => hash === 'd1'),
    });
    expect({ answers: answers(outcome), balance: balanceIn(outcome) }).toEqual({
      answers: ['d1 DEBITFAILEDBEFORE', 'd2 DISCOUNTNOTELIGIBLE'],
      balance: 1000n,
    });
  });

  test.each<[string, DiscountCheck]>([
    [
      'throws',
      () => {
        throw new Error('The check is broken.');
      },
    ],
    ['rejects', () => Promise.reject(new Error('The check is broken.'))],
  ])('that %s leaves the outcome unknown, and the store is not asked (D7)', async (_, check) => {
    const outcome = await rig.call([discounted], { discountCheck: checkThat(check) });
    expect({
      trips: rig.store.trips,
      answers: answers(outcome),
      doubt: doubt(outcome),
      kept: await rig.kept(),
    }).toEqual({
      trips: [],
      answers: [],
      doubt: 'The check is broken.',
      kept: { state: null, outcomes: {} },
    });
  });

  test('that never answers leaves the outcome unknown at the deadline, and its late answer moves nothing', async () => {
    const late: (() => void)[] = [];
    const discountCheck = checkThat(() => new Promise((resolve) => late.push(() => resolve(true))));
    const startedAt = rig.clock.monotonicMs();
    const outcome = await rig.call([discounted], { discountCheck });
    const tookMs = rig.clock.monotonicMs() - startedAt;
    for (const answer of late) answer();
    await rig.clock.pass(deadlineMs);
    expect({
      tookMs,
      answered: late.length,
      trips: rig.store.trips,
      answers: answers(outcome),
      doubt: doubt(outcome),
    }).toEqual({
      tookMs: deadlineMs,
      answered: 1,
      trips: [],
      answers: [],
      doubt: 'The discount check did not answer in time.',
    });
  });

  test('takes its time from the call: the store has what is left until the deadline', async () => {
    const discountCheck: DiscountCheck = async () => {
      await rig.clock.pause(deadlineMs - 2 * tripMs);
      return true;
    };
    rig.store.always('commit', 'unknown').always('load', 'unknown');
    const startedAt = rig.clock.monotonicMs();
    const outcome = await rig.call([discounted], { discountCheck });
    expect({
      tookMs: rig.clock.monotonicMs() - startedAt,
      trips: rig.store.trips,
      doubt: doubt(outcome),
    }).toEqual({ tookMs: deadlineMs, trips: ['commit'], doubt: 'commit is in doubt.' });
  });

  test('that throws what is no Error leaves the outcome unknown for a reason that can be logged', async () => {
    const discountCheck = checkThat(() => Promise.reject('no error'));
    const outcome = await rig.call([discounted], { discountCheck });
    expect(outcome.unknown?.cause).toEqual(new Error('A value that is not an Error was thrown.'));
  });
});
