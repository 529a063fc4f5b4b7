import { beforeEach, describe, expect, test } from '@jest/globals';

import { type Delivery, unsignedDelivery } from '../../../lib/operator/gameround';
import { answers, balanceIn, credit, debit, doubt, first, Rig, voidOf, writes } from './rig';

let rig: Rig;
const one = unsignedDelivery('one');
const two = unsignedDelivery('two');

beforeEach(async () => {
  rig = await Rig.create();
});

/** The debits' deliveries as recorded. */
async function owners(): Promise<Record<string, string>> {
  const round = await rig.store.rounds.readRound({
    operatorId: 'casino',
    playerId: 'ann',
    gameRound: 'r',
  });
  const found: Record<string, string> = {};
  for (const [hash, { transaction }] of round?.entries ?? []) {
    if (transaction?.type === 'debit') found[hash] = transaction.delivery;
  }
  return found;
}

describe('a debit that came with another delivery and is answered again (D7)', () => {
  test('belongs to no delivery from then on, so that no mark takes back the answer', async () => {
    await rig.call([first()], { delivery: one });
    const again = await rig.call([first()], { delivery: two });
    await rig.mark([first()], one);
    expect({ answers: answers(again), owners: await owners(), kept: await rig.kept() }).toEqual({
      answers: ['d1 processed again'],
      owners: { d1: '' },
      kept: { state: 'open', outcomes: { d1: 'accepted' } },
    });
  });

  test('is noted so once: what comes after that writes nothing', async () => {
    await rig.call([first()], { delivery: one });
    await rig.call([first()], { delivery: two });
    await rig.call([first()], { delivery: rig.delivery() });
    expect(rig.store.trips).toEqual(['commit', 'load']);
  });

  test('keeps its delivery where that itself repeats its commit', async () => {
    rig.store.next('commit', 'done, unknown');
    await rig.call([first()], { delivery: one });
    expect(await owners()).toEqual({ d1: 'one' });
  });

  test('is not answered as processed while a mark of the other delivery could still take it back', async () => {
    await rig.call([first()], { delivery: one });
    rig.store.next('commit', 'stale', 'unknown');
    const again = await rig.call([first()], { delivery: two });
    await rig.mark([first()], one); // the first delivery ended as unknown
    expect({ answers: answers(again), doubt: doubt(again), kept: await rig.kept() }).toEqual({
      answers: ['d1 processed again'],
      doubt: null,
      kept: { state: 'open', outcomes: { d1: 'accepted' } },
    });
  });

  test('is left out where the note stays unknown until the deadline: the RGS voids', async () => {
    await rig.call([first()], { delivery: one });
    rig.store.next('commit', 'stale').always('commit', 'unknown');
    const again = await rig.call([first()], { delivery: two });
    expect({ answers: answers(again), doubt: doubt(again), balance: balanceIn(again) }).toEqual({
      answers: [],
      doubt: 'commit is in doubt.',
      balance: null,
    });
  });
});

/** The arrival of a call with this fingerprint of signature and body. */
function signed(id: string, fingerprint: string): Delivery {
  return { ...unsignedDelivery(id), fingerprint };
}

describe('a note of the signature of a call with known outcomes (D1.8)', () => {
  test.each(['unknown', 'unknown, give up', 'throws', 'hangs'] as const)(
    'that is in doubt (%s) does not keep the call from its answer',
    async (script) => {
      await rig.call([first()]);
      await rig.call([credit('c1')], { delivery: signed('one', 'aaaaaabbbbbb') });
      rig.store.next('commit', script);
      const again = await rig.call([credit('c1')], { delivery: signed('two', 'ccccccdddddd') });
      expect({
        trips: rig.store.trips,
        writes: rig.store.commits.map(writes),
        answers: answers(again),
        balance: balanceIn(again),
      }).toEqual({
        trips: ['load', 'commit'],
        writes: [['c1 accepted']],
        answers: ['c1 processed again'],
        balance: 995n,
      });
    },
  );

  test('that is stale is made again on the round as it is', async () => {
    await rig.call([first()]);
    await rig.call([credit('c1')], { delivery: signed('one', 'aaaaaabbbbbb') });
    rig.store.next('commit', 'stale');
    const again = await rig.call([credit('c1')], { delivery: signed('two', 'ccccccdddddd') });
    expect({ trips: rig.store.trips, answers: answers(again) }).toEqual({
      trips: ['load', 'commit', 'load', 'commit'],
      answers: ['c1 processed again'],
    });
  });
});

describe('a body that its signature does not name (D1.8)', () => {
  const other = { ...unsignedDelivery('other'), isOtherBody: true };

  test('has no effect, and where this process knows of it a call that opens a round is no trip', async () => {
    const outcome = await rig.call([first()], { delivery: other });
    expect({
      admission: outcome.admission,
      trips: rig.store.trips,
      answers: answers(outcome),
    }).toEqual({
      admission: 'otherBody',
      trips: [],
      answers: [],
    });
  });

  test('that the record alone knows is found by the load, and nothing is written', async () => {
    const named = { ...unsignedDelivery('one'), fingerprint: 'aaaaaabbbbbb' };
    await rig.call([first()]);
    await rig.call([credit('c1', 5n)], { delivery: named });
    const forged = { ...unsignedDelivery('two'), fingerprint: 'aaaaaacccccc' };
    const outcome = await rig.call([credit('c1', 5n), debit('d2')], { delivery: forged });
    expect({
      admission: outcome.admission,
      trips: rig.store.trips,
      balance: await rig.balance(),
    }).toEqual({
      admission: 'otherBody',
      trips: ['load'],
      balance: 995n,
    });
  });

  test('marks nothing, also where its first transaction is no debit', async () => {
    const named = signed('one', 'aaaaaabbbbbb');
    await rig.call([voidOf('d0')], { delivery: named });
    const isMarked = await rig.mark([voidOf('d0'), first()], signed('two', 'aaaaaacccccc'));
    expect({ isMarked, loads: rig.store.loads, commits: rig.store.commits }).toEqual({
      isMarked: true,
      loads: [['d0', 'd1']],
      commits: [],
    });
  });
});

test('a mark of a call that never came keeps its signature from another body (D1.8)', async () => {
  await rig.mark([first()], signed('one', 'aaaaaabbbbbb'));
  const outcome = await rig.call([first(), credit('c1')], {
    delivery: signed('two', 'aaaaaacccccc'),
  });
  expect({ admission: outcome.admission, kept: await rig.kept() }).toEqual({
    admission: 'otherBody',
    kept: { state: 'cancelled', outcomes: { d1: 'unanswered' } },
  });
});
