import { beforeEach, describe, expect, test } from '@jest/globals';

import { unsignedDelivery } from '../../../../lib/operator/gameround';
import { answers, balanceIn, credit, debit, doubt, end, first, Rig, voidOf } from '../rig';

let rig: Rig;
const own = unsignedDelivery('own');

beforeEach(async () => {
  rig = await Rig.create();
  rig.store.follows();
  await rig.call([first()]);
});

async function kept(): Promise<object> {
  return { ...(await rig.kept()), balance: await rig.balance() };
}

describe('a follow-up with an unknown answer (D7)', () => {
  test.each(['unknown', 'throws'] as const)(
    '"%s" is not tried again: the call is loaded for',
    async (script) => {
      rig.store.next('follow', script);
      const outcome = await rig.call([credit('c1')]);
      const isDone = script === 'unknown';
      expect({ trips: rig.store.trips, answers: answers(outcome), doubt: doubt(outcome) }).toEqual({
        trips: isDone ? ['follow', 'load', 'commit'] : ['follow'],
        answers: isDone ? ['c1 processed'] : [],
        doubt: isDone ? null : 'follow is broken.',
      });
    },
  );

  test('and that was done is found by the load, and answered as done', async () => {
    rig.store.next('follow', 'done, unknown');
    const outcome = await rig.call([debit('d2'), credit('c2')], { delivery: own });
    expect({
      trips: rig.store.trips,
      answers: answers(outcome),
      balance: balanceIn(outcome),
    }).toEqual({
      trips: ['follow', 'load'],
      answers: ['d2 processed again', 'c2 processed again'],
      balance: 985n,
    });
  });

  test('says why the commit after it is made again', async () => {
    const repeats: string[] = [];
    rig.store.next('follow', 'unknown');
    await rig.call([credit('c1')], { onCommitRepeat: (reason) => repeats.push(reason) });
    await rig.call([credit('c2', 5n, { currency: 'USD' })], {
      onCommitRepeat: (reason) => repeats.push(reason),
    });
    expect(repeats).toEqual(['unknown']);
  });

  test('until the deadline leaves the call unknown', async () => {
    rig.store.always('follow', 'hangs').always('load', 'hangs');
    const outcome = await rig.call([debit('d2')]);
    expect({ trips: rig.store.trips, doubt: doubt(outcome) }).toEqual({
      trips: ['follow'],
      doubt: 'The store did not answer in time.',
    });
  });
});

describe('a follow-up that happens late moves nothing twice, and nothing that was given up', () => {
  test('after the commit of the same call', async () => {
    rig.store.next('follow', 'unknown, done late');
    await rig.call([debit('d2'), credit('c2'), end('e2')]);
    const before = await kept();
    await rig.store.land();
    expect(await kept()).toEqual(before);
  });

  test('after the mark of its debit', async () => {
    rig.store.next('follow', 'unknown, done late').always('load', 'unknown');
    await rig.call([debit('d2'), credit('c2')], { delivery: own });
    rig.store.heal();
    await rig.mark([debit('d2'), credit('c2')], own);
    await rig.store.land();
    expect(await kept()).toEqual({
      state: 'cancelled',
      outcomes: { d1: 'accepted', d2: 'unanswered', c2: 'DEBITFAILEDBEFORE' },
      balance: 990n,
    });
  });

  test.each([true, false])('after the void of its debit; marked before: %s', async (isMarked) => {
    rig.store.next('follow', 'unknown, done late').always('load', 'unknown');
    await rig.call([debit('d2'), credit('c2')], { delivery: own });
    rig.store.heal();
    if (isMarked) await rig.mark([debit('d2'), credit('c2')], own);
    await rig.call([voidOf('d2')]);
    await rig.store.land();
    expect(await kept()).toMatchObject({ state: 'open', balance: 990n });
  });

  test('after the void of the round', async () => {
    rig.store.next('follow', 'unknown, done late').always('load', 'unknown');
    await rig.call([credit('c2')]);
    rig.store.heal();
    await rig.call([voidOf('d1')]);
    await rig.store.land();
    expect(await kept()).toMatchObject({ state: 'voided', balance: 1000n });
  });

  test('before its resend, which finds it', async () => {
    rig.store.next('follow', 'unknown, done late').always('load', 'unknown');
    await rig.call([credit('c1')]);
    rig.store.heal();
    await rig.store.land();
    const outcome = await rig.call([credit('c1')]);
    expect({ answers: answers(outcome), balance: balanceIn(outcome) }).toEqual({
      answers: ['c1 processed again'],
      balance: 995n,
    });
  });

  test('after the end of the round, where its win is refused as a resend is', async () => {
    rig.store.next('follow', 'unknown, done late').always('load', 'unknown');
    await rig.call([credit('c1')]);
    rig.store.heal();
    await rig.call([end('e1')]);
    await rig.store.land();
    expect(await kept()).toEqual({
      state: 'closed',
      outcomes: { d1: 'accepted', e1: 'accepted' },
      balance: 990n,
    });
  });

  test('after a round of the same name that the store has forgotten', async () => {
    await rig.call([credit('c0'), end('e1')]);
    rig.store.next('follow', 'unknown, done late').always('load', 'unknown');
    await rig.call([debit('d2')]);
    rig.store.heal();
    rig.clock.setWallClock(400 * 24 * 3_600_000);
    await rig.store.land();
    expect(await rig.balance()).toBe(995n);
  });
});
