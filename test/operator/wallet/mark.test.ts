import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { unsignedDelivery } from '../../../lib/operator/gameround';
import { answers, credit, debit, doubt, end, first, Rig, voidOf, writes } from './rig';
import { tripMs } from './scripted-store';

let rig: Rig;
const own = unsignedDelivery('own');

beforeEach(async () => {
  rig = await Rig.create();
});

/** The kept round, and the player's money: what a mark must not move. */
async function kept(): Promise<{ state: string | null; outcomes: object; balance?: bigint }> {
  const balance = await rig.balance();
  return { ...(await rig.kept()), ...(balance === undefined ? {} : { balance }) };
}

describe('the mark of a round after a 5xx answer (D7)', () => {
  test('is one load of its hashes and one commit that moves nothing', async () => {
    await rig.call([first(), credit('c1'), debit('d2')], { delivery: own });
    const isMarked = await rig.mark([first(), credit('c1'), debit('d2')], own);
    expect({
      isMarked,
      loads: rig.store.loads,
      writes: rig.store.commits.map(writes),
      movements: rig.store.commits.map(({ movements }) => movements),
      kept: await kept(),
    }).toEqual({
      isMarked: true,
      loads: [['d1', 'c1', 'd2']],
      writes: [['d1 unanswered', 'd2 unanswered']],
      movements: [[]],
      kept: {
        state: 'cancelled',
        outcomes: { d1: 'unanswered', c1: 'accepted', d2: 'unanswered' },
        balance: 985n,
      },
    });
  });

  test('is set on a debit that never came, and that debit has no effect when it comes late', async () => {
    rig.store.next('commit', 'unknown, done late', 'unknown, give up');
    await rig.call([first()], { delivery: own });
    await rig.mark([first()], own);
    await rig.store.land();
    expect(await kept()).toEqual({
      state: 'cancelled',
      outcomes: { d1: 'unanswered' },
      balance: 1000n,
    });
  });

  test('declines the win after a debit that never came, so that it is not paid after the void', async () => {
    const call = [first(), credit('c1'), end('e1')];
    await rig.mark(call, own);
    await rig.call([voidOf('d1')]);
    await rig.mark([debit('d2'), credit('c2')], own);
    expect(await kept()).toEqual({
      state: 'voided',
      outcomes: {
        d1: 'unanswered, voided',
        c1: 'DEBITFAILEDBEFORE',
        e1: 'DEBITFAILEDBEFORE',
      },
      balance: 1000n,
    });
  });

  test('declines the win after a follow-up debit that never came, and keeps the round open (D4.7)', async () => {
    await rig.call([first()]);
    await rig.mark([debit('d2'), credit('c2')], own);
    const waiting = await rig.call([credit('c2')]);
    await rig.call([voidOf('d2')]);
    const late = await rig.call([credit('c2')]);
    const other = await rig.call([credit('c3')]);
    expect({
      answers: [waiting, late, other].map(answers),
      kept: await kept(),
    }).toEqual({
      answers: [['c2 DEBITFAILEDBEFORE again'], ['c2 DEBITFAILEDBEFORE again'], ['c3 processed']],
      kept: {
        state: 'open',
        outcomes: {
          d1: 'accepted',
          d2: 'unanswered, voided',
          c2: 'DEBITFAILEDBEFORE',
          c3: 'accepted',
        },
        balance: 995n,
      },
    });
  });

  test('comes to the same, net of the void, whether the debit happened or not (O4, O5)', async () => {
    const outcomes: unknown[] = [];
    for (const script of ['done, unknown', 'unknown'] as const) {
      rig = await Rig.create();
      rig.store.next('commit', script).always('load', 'unknown');
      await rig.call([first(), credit('c1')], { delivery: own });
      rig.store.heal();
      await rig.mark([first(), credit('c1')], own);
      const voided = await rig.call([voidOf('d1')]);
      outcomes.push({
        answers: answers(voided),
        state: (await rig.kept()).state,
        balance: await rig.balance(),
      });
    }
    const expected = { answers: ['d1 processed'], state: 'voided', balance: 1000n };
    expect(outcomes).toEqual([expected, expected]);
  });

  test.each<[string, Transaction[], Transaction[]]>([
    ['an accepted initial debit', [], [first()]],
    ['an accepted follow-up debit', [first()], [debit('d2')]],
    ['a declined initial debit', [], [first('d1', 2000n)]],
    ['a declined follow-up debit', [first()], [debit('d2', 2000n)]],
  ])(
    'is not set on %s of another delivery, which may have been answered',
    async (_, before, call) => {
      if (before.length > 0) await rig.call(before);
      await rig.call(call, { delivery: unsignedDelivery('other') });
      const was = await kept();
      const isMarked = await rig.mark(call, own);
      expect({ isMarked, commits: rig.store.commits, kept: await kept() }).toEqual({
        isMarked: true,
        commits: [],
        kept: was,
      });
    },
  );

  test('is set on its own debit, and not on one of another delivery in the same call', async () => {
    await rig.call([first()], { delivery: unsignedDelivery('other') });
    await rig.call([first(), debit('d2')], { delivery: own });
    await rig.mark([first(), debit('d2')], own);
    expect((await kept()).outcomes).toEqual({ d1: 'accepted', d2: 'unanswered' });
  });

  test.each<[string, Transaction[], Transaction[], object]>([
    [
      'a declined initial debit',
      [],
      [first('d1', 2000n)],
      { state: 'cancelled', outcomes: { d1: 'unanswered' } },
    ],
    [
      'a declined follow-up debit',
      [first()],
      [debit('d2', 2000n)],
      { state: 'cancelled', outcomes: { d1: 'accepted', d2: 'unanswered' } },
    ],
  ])(
    'is set on %s of the same delivery: the RGS has not seen the decline',
    async (_, before, call, expected) => {
      if (before.length > 0) await rig.call(before);
      await rig.call(call, { delivery: own });
      await rig.mark(call, own);
      expect(await rig.kept()).toEqual(expected);
    },
  );

  test('set twice is the mark set once', async () => {
    await rig.call([first()], { delivery: own });
    await rig.mark([first()], own);
    const was = await kept();
    const isMarked = await rig.mark([first()], own);
    expect({ isMarked, trips: rig.store.trips, kept: await kept() }).toEqual({
      isMarked: true,
      trips: ['load'],
      kept: was,
    });
  });

  test('is not needed where the void came before it', async () => {
    await rig.call([first()], { delivery: own });
    await rig.call([voidOf('d1')]);
    const was = await kept();
    const isMarked = await rig.mark([first()], own);
    expect({ isMarked, trips: rig.store.trips, kept: await kept() }).toEqual({
      isMarked: true,
      trips: ['load'],
      kept: was,
    });
  });

  test('is not set where the round has ended, on a follow-up debit that never came', async () => {
    await rig.call([first(), end('e1')]);
    const isMarked = await rig.mark([debit('d2')], own);
    expect({ isMarked, state: (await rig.kept()).state }).toEqual({
      isMarked: true,
      state: 'closed',
    });
  });

  test('is not set by a body that its signature does not name (D1.8)', async () => {
    await rig.call([first()], { delivery: own });
    const isMarked = await rig.mark([first()], { ...own, isOtherBody: true });
    expect({ isMarked, state: (await rig.kept()).state }).toEqual({
      isMarked: true,
      state: 'open',
    });
  });

  test('makes credits wait for the void, and lets the round continue after it (D4.1)', async () => {
    await rig.call([first()]);
    await rig.call([debit('d2')], { delivery: own });
    await rig.mark([debit('d2')], own);
    const waiting = await rig.call([credit('c1')]);
    await rig.call([voidOf('d2')]);
    const after = await rig.call([credit('c1')]);
    expect({
      waiting: answers(waiting),
      isUnknown: doubt(waiting) !== null,
      after: answers(after),
      kept: await kept(),
    }).toEqual({
      waiting: [],
      isUnknown: true,
      after: ['c1 processed'],
      kept: {
        state: 'open',
        outcomes: { d1: 'accepted', d2: 'unanswered, voided', c1: 'accepted' },
        balance: 995n,
      },
    });
  });

  test('costs a resend of a debit that is voided since no write (D3.1)', async () => {
    await rig.call([first()], { delivery: own });
    await rig.call([debit('d2')], { delivery: own });
    await rig.mark([debit('d2')], own);
    await rig.call([voidOf('d2')]);
    const resent = await rig.call([debit('d2')]);
    expect(answers(resent)).toEqual(['d2 GAMEROUNDVOIDED again']);
    expect(rig.store.commits).toEqual([]);
  });
});

describe('the attempts to mark a round', () => {
  const call = [first()];

  beforeEach(async () => {
    await rig.call(call, { delivery: own });
  });

  test.each([
    ['a load that is unknown', 'load', 'unknown'],
    ['a load that throws', 'load', 'throws'],
    ['a commit that is stale', 'commit', 'stale'],
    ['a commit that is unknown', 'commit', 'unknown'],
    ['a commit that was done and is unknown', 'commit', 'done, unknown'],
    ['a commit that throws', 'commit', 'throws'],
    ['a commit that was done and throws', 'commit', 'done, throws'],
  ] as const)('begin again after %s, until the mark stands', async (_, method, script) => {
    rig.store.next(method, script);
    const isMarked = await rig.mark(call, own);
    expect({ isMarked, kept: await kept() }).toEqual({
      isMarked: true,
      kept: { state: 'cancelled', outcomes: { d1: 'unanswered' }, balance: 990n },
    });
  });

  test.each(['load', 'commit'] as const)(
    'give a %s that never answers five seconds, and begin again',
    async (method) => {
      rig.store.next(method, 'hangs');
      const startedAt = rig.clock.monotonicMs();
      const isMarked = await rig.mark(call, own);
      const marked = method === 'load' ? 2 * tripMs : 3 * tripMs;
      expect({ isMarked, tookMs: rig.clock.monotonicMs() - startedAt }).toEqual({
        isMarked: true,
        tookMs: 5000 + 50 + marked,
      });
    },
  );

  test('ignore what is answered late, also an error', async () => {
    rig.store.next('load', 'late', 'throws late');
    const marking = rig.mark(call, own);
    const isMarked = await marking;
    await rig.store.land();
    expect({ isMarked, kept: await kept() }).toEqual({
      isMarked: true,
      kept: { state: 'cancelled', outcomes: { d1: 'unanswered' }, balance: 990n },
    });
  });

  test('that a commit of an earlier attempt overtakes late mark the debit once', async () => {
    rig.store.next('commit', 'unknown, done late', () => rig.store.land());
    const isMarked = await rig.mark(call, own);
    const round = await rig.store.rounds.readRound({
      operatorId: 'casino',
      playerId: 'ann',
      gameRound: 'r',
    });
    expect({ isMarked, unanswered: round?.head.unanswered }).toEqual({
      isMarked: true,
      unanswered: 1,
    });
  });

  test('are eight, with pauses of about two minutes between them, and then end as not marked', async () => {
    rig.store.always('load', 'unknown');
    const isMarked = await rig.mark(call, own);
    const gaps = rig.store.tripsAt
      .slice(1)
      .map((at, index) => at - (rig.store.tripsAt[index] ?? 0) - tripMs);
    const endedAt = rig.clock.monotonicMs();
    expect({ isMarked, gaps, afterLastMs: endedAt - (rig.store.tripsAt.at(-1) ?? 0) }).toEqual({
      isMarked: false,
      gaps: [50, 200, 1000, 5000, 15_000, 30_000, 60_000],
      afterLastMs: tripMs,
    });
  });

  test('end soon when the wallet closes: one more, without waiting out the pause', async () => {
    const closing = new AbortController();
    rig.store.always('load', 'unknown');
    rig.clock.after(700, () => closing.abort());
    const startedAt = rig.clock.monotonicMs();
    const isMarked = await rig.mark(call, own, closing.signal);
    const tookMs = rig.clock.monotonicMs() - startedAt;
    expect({ isMarked, trips: rig.store.trips.length, tookMs }).toEqual({
      isMarked: false,
      trips: 4,
      tookMs: 700 + tripMs,
    });
  });

  test('are one where the wallet was closed before', async () => {
    rig.store.always('load', 'unknown');
    const isMarked = await rig.mark(call, own, AbortSignal.abort());
    expect({ isMarked, trips: rig.store.trips }).toEqual({ isMarked: false, trips: ['load'] });
  });
});
