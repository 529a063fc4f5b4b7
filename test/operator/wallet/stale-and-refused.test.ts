import { beforeEach, describe, expect, test } from '@jest/globals';

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
  round,
  voidOf,
  writes,
} from './rig';

let rig: Rig;

beforeEach(async () => {
  rig = await Rig.create();
});

describe('a commit that is stale', () => {
  test('makes the call load the round and decide again, without a pause', async () => {
    await rig.call([first()]);
    rig.store.next('commit', 'stale');
    const outcome = await rig.call([credit('c1')]);
    const took = rig.store.tripsAt.map((at) => at - (rig.store.tripsAt[0] ?? 0));
    expect({ trips: rig.store.trips, took, answers: answers(outcome) }).toEqual({
      trips: ['load', 'commit', 'load', 'commit'],
      took: [0, 3, 6, 9],
      answers: ['c1 processed'],
    });
  });

  test('twice makes it decide a third time, and the money moves once', async () => {
    await rig.call([first()]);
    rig.store.next('commit', 'stale', 'stale');
    const outcome = await rig.call([credit('c1')]);
    expect({
      commits: rig.store.commits.map(writes),
      answers: answers(outcome),
      balance: balanceIn(outcome),
    }).toEqual({
      commits: [['c1 accepted'], ['c1 accepted'], ['c1 accepted']],
      answers: ['c1 processed'],
      balance: 995n,
    });
  });

  test('until the deadline leaves the outcome unknown, and nothing moved', async () => {
    await rig.call([first()]);
    rig.store.always('commit', 'stale');
    const startedAt = rig.clock.monotonicMs();
    const outcome = await rig.call([credit('c1')]);
    expect({
      answers: answers(outcome),
      doubt: doubt(outcome),
      tookMs: rig.clock.monotonicMs() - startedAt,
      balanceIn: balanceIn(outcome),
      state: outcome.state,
      balance: await rig.balance(),
    }).toEqual({
      answers: [],
      doubt: 'The store did not answer in time.',
      tookMs: deadlineMs,
      balanceIn: null,
      state: null,
      balance: 990n,
    });
  });

  test('because the round was not new is decided again on the round as it is', async () => {
    await rig.call([first(), end('e1')]);
    const outcome = await rig.call([first(), credit('c1')]);
    expect({
      before: rig.store.commits.map(({ before }) => before.version),
      answers: answers(outcome),
      balance: balanceIn(outcome),
    }).toEqual({
      before: [0, 1],
      answers: ['d1 processed again', 'c1 GAMEROUNDNOTACTIVE'],
      balance: 990n,
    });
  });

  test('because another call was faster is decided again on what that call wrote', async () => {
    await rig.call([first()]);
    const rival = () => rig.start([end('e1')]);
    rig.store.next('commit', rival);
    const outcome = await rig.call([credit('c1')]);
    expect({ answers: answers(outcome), balance: balanceIn(outcome) }).toEqual({
      answers: ['c1 GAMEROUNDNOTACTIVE'],
      balance: 990n,
    });
  });

  test('because the same call was faster elsewhere has one effect, and both are answered alike (O2)', async () => {
    const call = [first(), credit('c1'), end('e1')];
    const rivals: Promise<unknown>[] = [];
    rig.store.next('commit', async () => {
      const rival = rig.start(call);
      rivals.push(rival);
      await rival;
    });
    const outcome = await rig.call(call);
    const rival = (await rivals[0]) as typeof outcome;
    expect({
      own: answers(outcome),
      rival: answers(rival),
      balances: [balanceIn(rival), balanceIn(outcome), await rig.balance()],
    }).toEqual({
      own: ['d1 processed again', 'c1 processed again', 'e1 processed again'],
      rival: ['d1 processed', 'c1 processed', 'e1 processed'],
      balances: [995n, 995n, 995n],
    });
  });

  test('in the second commit of a call keeps what the first has done', async () => {
    rig.store.next('commit', 'answers', 'stale');
    const outcome = await rig.call([first(), voidOf('d1')]);
    expect({
      commits: rig.store.commits.map(writes),
      answers: answers(outcome),
      balance: balanceIn(outcome),
    }).toEqual({
      commits: [['d1 accepted'], ['void d1'], ['void d1']],
      answers: ['d1 processed', 'd1 processed'],
      balance: 1000n,
    });
  });
});

describe('a commit that is refused', () => {
  test('is decided again with the refusal known: the refused debit, and D4.5 for the rest of its call', async () => {
    const outcome = await rig.call([first('d1', 2000n), credit('c1'), debit('d2'), end('e1')]);
    expect({
      trips: rig.store.trips,
      commits: rig.store.commits.map(writes),
      answers: answers(outcome),
      balance: balanceIn(outcome),
      state: outcome.state,
    }).toEqual({
      trips: ['commit', 'commit'],
      commits: [
        ['d1 accepted', 'c1 accepted', 'd2 accepted', 'e1 accepted'],
        [
          'd1 BALANCETOOLOW',
          'c1 DEBITFAILEDBEFORE',
          'd2 DEBITFAILEDBEFORE',
          'e1 DEBITFAILEDBEFORE',
        ],
      ],
      answers: [
        'd1 BALANCETOOLOW',
        'c1 DEBITFAILEDBEFORE',
        'd2 DEBITFAILEDBEFORE',
        'e1 DEBITFAILEDBEFORE',
      ],
      balance: 1000n,
      state: 'closed',
    });
  });

  test('at a later debit lets the call fall from its first debit on, in one commit (D4.6, D4.2)', async () => {
    const call = [first(), credit('c1'), debit('d2', 2000n), credit('c2'), end('e1')];
    const answered = [
      'd1 DEBITFAILEDBEFORE',
      'c1 DEBITFAILEDBEFORE',
      'd2 BALANCETOOLOW',
      'c2 DEBITFAILEDBEFORE',
      'e1 DEBITFAILEDBEFORE',
    ];
    const outcome = await rig.call(call);
    expect({
      trips: rig.store.trips,
      written: rig.store.commits.map(writes).at(-1),
      answers: answers(outcome),
      balance: balanceIn(outcome),
      state: outcome.state,
    }).toEqual({
      trips: ['commit', 'commit'],
      written: answered,
      answers: answered,
      balance: 1000n,
      state: 'closed',
    });
  });

  test('at a later debit keeps what came before the first of the call (D4.6), and the round continues (D4.4)', async () => {
    await rig.call([first()]);
    const outcome = await rig.call([credit('c1'), debit('d2'), debit('d3', 2000n)]);
    expect({
      answers: answers(outcome),
      balance: balanceIn(outcome),
      state: outcome.state,
    }).toEqual({
      answers: ['c1 processed', 'd2 DEBITFAILEDBEFORE', 'd3 BALANCETOOLOW'],
      balance: 995n,
      state: 'open',
    });
  });

  test('is not committed, and leaves the outcome unknown, where a debit of the call stands (D4.6, D7)', async () => {
    await rig.call([first('d1', 0n)]);
    const policy = { useBonusFirst: true, creditTo: 'stakeShares' } as const;
    const call = [debit('d2'), credit('c1'), debit('d3', 2000n), end('e1')];
    const delivery = rig.delivery();
    const outcome = await rig.call(call, { policy, delivery });
    const written = (await rig.kept()).outcomes;
    await rig.mark(call, delivery);
    await rig.call([voidOf('d2'), voidOf('d3')]);
    expect({
      answers: answers(outcome),
      isUnknown: doubt(outcome) !== null,
      written,
      balance: await rig.balance(),
      state: (await rig.kept()).state,
    }).toEqual({
      answers: ['d2 processed'],
      isUnknown: true,
      written: { d1: 'accepted', d2: 'accepted' },
      balance: 1000n,
      state: 'open',
    });
  });

  test('leaves the outcome unknown though the commit of the debit that stands was in doubt (D4.6)', async () => {
    await rig.call([first('d1', 0n)]);
    const policy = { useBonusFirst: true, creditTo: 'stakeShares' } as const;
    rig.store.next('commit', 'done, unknown');
    const outcome = await rig.call([debit('d2'), credit('c1'), debit('d3', 2000n)], { policy });
    expect({ answers: answers(outcome), isUnknown: doubt(outcome) !== null }).toEqual({
      answers: ['d2 processed again'],
      isUnknown: true,
    });
  });

  test('leaves a copy of the call unknown that comes before the first has marked its debits (D4.6, D7)', async () => {
    await rig.call([first('d1', 0n)]);
    const policy = { useBonusFirst: true, creditTo: 'stakeShares' } as const;
    const call = [debit('d2'), credit('c1'), debit('d3', 2000n)];
    const one = rig.delivery({ fingerprint: 'aaaaaabbbbbb' });
    const copy = rig.delivery({ fingerprint: 'aaaaaabbbbbb' });
    await rig.call(call, { policy, delivery: one });
    const outcome = await rig.call(call, { policy, delivery: copy });
    await rig.mark(call, one);
    await rig.call([voidOf('d2'), voidOf('d3')]);
    expect({
      isUnknown: doubt(outcome) !== null,
      hasRefusal: outcome.verdicts.some((verdict) => verdict.outcome === 'refused'),
      balance: await rig.balance(),
    }).toEqual({ isUnknown: true, hasRefusal: false, balance: 1000n });
  });

  test('is told again to a copy of the call whose known debit stood before it (D3.1, D4.6)', async () => {
    await rig.call([first('d1', 0n)]);
    const call = [first('d1', 0n), debit('d2', 2000n)];
    const copies = [0, 1].map(() => rig.delivery({ fingerprint: 'aaaaaabbbbbb' }));
    const outcomes = [];
    for (const delivery of copies) outcomes.push(answers(await rig.call(call, { delivery })));
    expect(outcomes).toEqual([
      ['d1 processed again', 'd2 BALANCETOOLOW'],
      ['d1 processed again', 'd2 BALANCETOOLOW again'],
    ]);
  });

  test('for a debit names that one, though another of the call would not be paid by then either', async () => {
    const order = { ...round, currency: 'EUR', amount: '9.95', reference: 'poor' };
    rig.store.next('commit', 'answers', () => rig.store.kept.players.withdraw(order));
    const outcome = await rig.call([first(), debit('d2', 995n), end('e1')]);
    expect({
      commits: rig.store.commits.map(writes),
      answers: answers(outcome),
      balance: balanceIn(outcome),
    }).toEqual({
      commits: [
        ['d1 accepted', 'd2 accepted', 'e1 accepted'],
        ['d1 DEBITFAILEDBEFORE', 'd2 BALANCETOOLOW', 'e1 DEBITFAILEDBEFORE'],
      ],
      answers: ['d1 DEBITFAILEDBEFORE', 'd2 BALANCETOOLOW', 'e1 DEBITFAILEDBEFORE'],
      balance: 5n,
    });
  });

  test.each([
    ['an unknown player', 'PLAYERNOTFOUND', async () => ({ ...round, playerId: 'nobody' })],
    [
      'a blocked player',
      'DEBITREFUSED',
      async () => {
        await rig.store.kept.players.setBlocked(round, true);
        return round;
      },
    ],
  ])('for %s names the reason: %s', async (_, code, key) => {
    const who = await key();
    const outcome = await rig.callOf(who, [first()]);
    expect({ trips: rig.store.trips, answers: answers(outcome) }).toEqual({
      trips: ['commit', 'commit'],
      answers: [`d1 ${code}`],
    });
  });

  test('for a currency that the player does not have names that', async () => {
    const outcome = await rig.call([first('d1', 10n, { currency: 'USD' })]);
    expect({ answers: answers(outcome), balance: balanceIn(outcome) }).toEqual({
      answers: ['d1 CURRENCYNOTSUPPORTED'],
      balance: 1000n,
    });
  });

  test('stays so for its hash, though money came since (D3.1)', async () => {
    await rig.call([first('d1', 2000n)]);
    await rig.store.kept.players.deposit({
      ...round,
      currency: 'EUR',
      amount: '100',
      reference: 'rich',
    });
    const again = await rig.call([first('d1', 2000n)]);
    expect({ answers: answers(again), balance: balanceIn(again) }).toEqual({
      answers: ['d1 BALANCETOOLOW again'],
      balance: 11_000n,
    });
  });

  test('and then stale is decided without that refusal: the debit may be paid by then', async () => {
    const rich = async () => {
      await rig.store.kept.players.deposit({
        ...round,
        currency: 'EUR',
        amount: '100',
        reference: 'rich',
      });
      await rig.start([voidOf('d9')]);
    };
    rig.store.next('commit', 'answers', rich);
    const outcome = await rig.call([first('d1', 2000n)]);
    expect({
      trips: rig.store.trips.length,
      commits: rig.store.commits.map(writes),
      answers: answers(outcome),
      balance: balanceIn(outcome),
    }).toEqual({
      trips: 6, // two of them the rival's
      commits: [['d1 accepted'], ['d1 BALANCETOOLOW'], ['void d9'], ['d1 accepted']],
      answers: ['d1 processed'],
      balance: 11_000n - 2000n,
    });
  });

  test('for ever, though the rules know the refusal, ends at the deadline as unknown, with pauses between', async () => {
    await rig.call([first()]);
    rig.store.always('commit', { kind: 'refused', hash: 'd1', reason: 'blocked' });
    const outcome = await rig.call([voidOf('d1')]);
    expect({
      answers: answers(outcome),
      doubt: doubt(outcome),
      isBusy: rig.store.trips.length > 50,
      balance: await rig.balance(),
    }).toEqual({
      answers: [],
      doubt: 'The store refuses a reversal.',
      isBusy: false,
      balance: 990n,
    });
  });
});
