import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import {
  answers,
  balanceIn,
  credit,
  deadlineMs,
  debit,
  doubt,
  end,
  first,
  Rig,
  voidOf,
  writes,
} from './rig';
import { tripMs } from './scripted-store';

let rig: Rig;

beforeEach(async () => {
  rig = await Rig.create();
});

describe('a load that is unknown', () => {
  test('is repeated, after a pause that doubles, until it is answered', async () => {
    await rig.call([first()]);
    rig.store.next('load', 'unknown', 'unknown', 'unknown');
    const outcome = await rig.call([credit('c1')]);
    const gaps = rig.store.tripsAt.map((at, index) => at - (rig.store.tripsAt[index - 1] ?? at));
    expect({ trips: rig.store.trips, gaps, answers: answers(outcome) }).toEqual({
      trips: ['load', 'load', 'load', 'load', 'commit'],
      gaps: [0, 10 + tripMs, 20 + tripMs, 40 + tripMs, tripMs],
      answers: ['c1 processed'],
    });
  });

  test('is repeated no more than every quarter second, and until the deadline alone', async () => {
    rig.store.always('load', 'unknown');
    const outcome = await rig.call([credit('c1')], { deadlineMs: 10_000 });
    const gaps = rig.store.tripsAt.map((at, index) => at - (rig.store.tripsAt[index - 1] ?? at));
    expect({
      longest: Math.max(...gaps),
      commits: rig.store.commits,
      doubt: doubt(outcome),
    }).toEqual({ longest: 250 + tripMs, commits: [], doubt: 'load is in doubt.' });
  });

  test('that is of no use to repeat ends the call at once', async () => {
    rig.store.next('load', 'unknown, give up');
    const startedAt = rig.clock.monotonicMs();
    const outcome = await rig.call([credit('c1')]);
    expect({
      trips: rig.store.trips,
      tookMs: rig.clock.monotonicMs() - startedAt,
      answers: answers(outcome),
      doubt: doubt(outcome),
    }).toEqual({ trips: ['load'], tookMs: tripMs, answers: [], doubt: 'load is in doubt.' });
  });
});

describe('a commit that is unknown', () => {
  test.each<['was done' | 'was not done', 'done, unknown' | 'unknown', string]>([
    ['was done', 'done, unknown', 'd1 processed again'],
    ['was not done', 'unknown', 'd1 processed'],
  ])('and %s has one effect, and a definite answer: %s, %s', async (_, script, answer) => {
    rig.store.next('commit', script);
    const outcome = await rig.call([first()]);
    expect({
      answers: answers(outcome),
      balance: balanceIn(outcome),
      kept: await rig.kept(),
    }).toEqual({
      answers: [answer],
      balance: 990n,
      kept: { state: 'open', outcomes: { d1: 'accepted' } },
    });
  });

  test('and lands before the call loads again has one effect', async () => {
    rig.store.next('commit', 'unknown, done late').next('load', () => rig.store.land());
    const outcome = await rig.call([first(), credit('c1')]);
    expect({
      trips: rig.store.trips,
      answers: answers(outcome),
      balance: balanceIn(outcome),
    }).toEqual({
      trips: ['commit', 'load'],
      answers: ['d1 processed again', 'c1 processed again'],
      balance: 995n,
    });
  });

  test('and lands between the load and the commit of the repetition has one effect', async () => {
    rig.store.next('commit', 'unknown, done late', () => rig.store.land());
    const outcome = await rig.call([first(), credit('c1')]);
    expect({
      trips: rig.store.trips,
      answers: answers(outcome),
      balance: balanceIn(outcome),
    }).toEqual({
      trips: ['commit', 'load', 'commit', 'load'],
      answers: ['d1 processed again', 'c1 processed again'],
      balance: 995n,
    });
  });

  test('and lands after the call was answered has no second effect: safe to execute twice', async () => {
    rig.store.next('commit', 'unknown, done late');
    const outcome = await rig.call([first(), credit('c1')]);
    await rig.store.land();
    expect({ told: balanceIn(outcome), kept: await rig.balance() }).toEqual({
      told: 995n,
      kept: 995n,
    });
  });

  test('and executed once more by the network, long after it was answered, changes nothing', async () => {
    await rig.call([first(), credit('c1')]);
    const [change] = rig.store.commits;
    await rig.call([credit('c2')]);
    if (change === undefined) throw new Error('no commit');
    const repeated = await rig.clock.run(
      rig.store.rounds.commit({ operatorId: 'casino', playerId: 'ann', gameRound: 'r' }, change),
    );
    expect({ repeated, balance: await rig.balance() }).toEqual({
      repeated: { kind: 'stale' },
      balance: 1000n,
    });
  });

  test('and useless to retry ends the call at once, without verdicts', async () => {
    rig.store.next('commit', 'unknown, give up');
    const outcome = await rig.call([first()]);
    expect({
      trips: rig.store.trips,
      answers: answers(outcome),
      doubt: doubt(outcome),
      balance: balanceIn(outcome),
    }).toEqual({ trips: ['commit'], answers: [], doubt: 'commit is in doubt.', balance: null });
  });

  test('forgets a refusal before it: what is decided next stands on a new load', async () => {
    rig.store.next('commit', 'answers', 'unknown');
    const outcome = await rig.call([first('d1', 2000n)]);
    expect({
      trips: rig.store.trips,
      commits: rig.store.commits.map(writes),
      answers: answers(outcome),
    }).toEqual({
      trips: ['commit', 'commit', 'load', 'commit', 'commit'],
      commits: [['d1 accepted'], ['d1 BALANCETOOLOW'], ['d1 accepted'], ['d1 BALANCETOOLOW']],
      answers: ['d1 BALANCETOOLOW'],
    });
  });

  test('and wrote a refusal is answered by it', async () => {
    rig.store.next('commit', 'answers', 'done, unknown');
    const outcome = await rig.call([first('d1', 2000n), credit('c1')]);
    expect({ answers: answers(outcome), balance: balanceIn(outcome) }).toEqual({
      answers: ['d1 BALANCETOOLOW again', 'c1 DEBITFAILEDBEFORE again'],
      balance: 1000n,
    });
  });
});

describe('a call in two commits, the second of which stays unknown', () => {
  const call = [first(), credit('c1'), voidOf('d1')];

  test.each([
    ['load', 'unknown'],
    ['load', 'unknown, give up'],
    ['load', 'hangs'],
    ['load', 'throws'],
  ] as const)(
    'by the %s before it (%s), tells what was committed and leaves out the rest (D6.1)',
    async (method, script) => {
      rig.store.always(method, script);
      const outcome = await rig.call(call);
      expect({
        answers: answers(outcome),
        isUnknown: doubt(outcome) !== null,
        balance: balanceIn(outcome),
        state: outcome.state,
        kept: await rig.balance(),
      }).toEqual({
        answers: ['d1 processed', 'c1 processed'],
        isUnknown: true,
        balance: null,
        state: null,
        kept: 995n,
      });
    },
  );

  test.each(['unknown', 'done, unknown', 'hangs', 'stale', 'throws', 'done, throws'] as const)(
    'by the commit itself (%s), tells what was committed and leaves out the rest (D6.1)',
    async (script) => {
      rig.store.next('commit', 'answers').always('commit', script).next('load', 'answers');
      rig.store.always('load', 'hangs');
      const outcome = await rig.call(call);
      expect({
        answers: answers(outcome),
        isUnknown: doubt(outcome) !== null,
        balance: balanceIn(outcome),
      }).toEqual({
        answers: ['d1 processed', 'c1 processed'],
        isUnknown: true,
        balance: null,
      });
    },
  );

  test('is answered in full when it is sent again, and nothing moves twice', async () => {
    rig.store.always('load', 'unknown');
    await rig.call(call);
    rig.store.heal();
    const again = await rig.call(call);
    expect({
      doubt: doubt(again),
      processed: answers(again).length,
      balance: balanceIn(again),
      kept: await rig.kept(),
    }).toEqual({
      doubt: null,
      processed: 3,
      balance: 1000n,
      kept: { state: 'voided', outcomes: { d1: 'accepted, voided', c1: 'accepted' } },
    });
  });
});

describe('a store that throws, which the port does not allow,', () => {
  test.each<[string, 'load' | 'commit' | 'accounts', Transaction[]]>([
    ['load', 'load', [credit('c1')]],
    ['commit', 'commit', [credit('c1')]],
    ['commit of a call that opens a round', 'commit', [first('d2')]],
    ['accounts', 'accounts', [credit('c1')]],
  ])(
    'at %s leaves the outcome unknown, as a third outcome and no error (D7)',
    async (_, method, call) => {
      await rig.call([first()]);
      rig.store.readsAccountsApart = true;
      rig.store.always(method, 'throws');
      const outcome = await rig.call(call);
      expect({
        answers: answers(outcome),
        doubt: doubt(outcome),
        balance: balanceIn(outcome),
      }).toEqual({ answers: [], doubt: `${method} is broken.`, balance: null });
    },
  );
});

describe('a transaction that waits for a void', () => {
  test('is left out, what came before it is answered, and processing stops there (D4.1, D6.1)', async () => {
    const open = rig.delivery();
    await rig.call([first(), credit('c1')], { delivery: open });
    await rig.mark([first()], open);
    const outcome = await rig.call([credit('c1'), credit('c2'), end('e1'), credit('c1')]);
    expect({
      answers: answers(outcome),
      isUnknown: doubt(outcome) !== null,
      writes: rig.store.commits.map(writes),
    }).toEqual({ answers: ['c1 processed again'], isUnknown: true, writes: [] });
  });

  test('does not keep what comes before it in its call from being committed (D6.1)', async () => {
    const followUp = rig.delivery();
    await rig.call([first()]);
    await rig.call([debit('d2')], { delivery: followUp });
    await rig.mark([debit('d2')], followUp);
    const outcome = await rig.call([voidOf('d9'), credit('c2')]);
    expect({
      answers: answers(outcome),
      isUnknown: doubt(outcome) !== null,
      kept: (await rig.kept()).outcomes['d9'],
    }).toEqual({ answers: ['d9 processed'], isUnknown: true, kept: 'not seen, voided' });
  });
});

test('an unknown outcome is answered at the deadline, not a pause later', async () => {
  rig.store.always('commit', 'unknown').always('load', 'unknown');
  const startedAt = rig.clock.monotonicMs();
  const outcome = await rig.call([first()]);
  expect({ doubt: doubt(outcome), tookMs: rig.clock.monotonicMs() - startedAt }).toEqual({
    doubt: 'load is in doubt.',
    tookMs: deadlineMs,
  });
});
