import { beforeEach, describe, expect, test } from '@jest/globals';

import { unknownStatus } from '../../../lib/operator/http/call-reply';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { unhandledIn } from '../../support/unhandled';
import {
  answers,
  balanceIn,
  callOf,
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

let rig: Rig;

beforeEach(async () => {
  rig = await Rig.create();
});

const kinds: [string, Transaction[], 400 | 503][] = [
  ['an initial debit', [first('d2')], 503],
  ['a follow-up debit', [debit('d2')], 503],
  ['a debit, a credit and an end', [debit('d2'), credit('c2'), end('e2')], 503],
  ['a credit', [credit('c2')], 400],
  ['a credit and an end', [credit('c2'), end('e2')], 400],
  ['a credit and a void', [voidOf('d1'), credit('c2')], 400],
  ['an end', [end('e2')], 503],
  ['a void', [voidOf('d1')], 503],
  ['a void and an end', [voidOf('d1'), end('e2')], 503],
];

describe('a store that never answers', () => {
  test.each(kinds)(
    'ends a call that holds %s at the deadline, with nothing told, by the table of D7',
    async (_, call, status) => {
      await rig.call([first()]);
      rig.store.always('load', 'hangs').always('commit', 'hangs');
      const startedAt = rig.clock.monotonicMs();
      const outcome = await rig.call(call);
      expect({
        tookMs: rig.clock.monotonicMs() - startedAt,
        trips: rig.store.trips.length,
        answers: answers(outcome),
        doubt: doubt(outcome),
        accounts: outcome.accounts,
        state: outcome.state,
        status: unknownStatus(callOf(...call)),
      }).toEqual({
        tookMs: deadlineMs,
        trips: 1,
        answers: [],
        doubt: 'The store did not answer in time.',
        accounts: null,
        state: null,
        status,
      });
    },
  );

  test.each(kinds)(
    'and yet does what it is asked, makes of a call that holds %s, sent again, what one call makes (O2, O3)',
    async (_, call) => {
      const well = await Rig.create();
      await well.call([first()]);
      const once = await well.call(call);
      await rig.call([first()]);
      rig.store.always('commit', 'done, hangs');
      await rig.call(call);
      rig.store.heal();
      const again = await rig.call(call);
      expect({
        answers: answers(again).map((answer) => answer.replace(' again', '')),
        told: balanceIn(again),
        balance: await rig.balance(),
        kept: await rig.kept(),
      }).toEqual({
        answers: answers(once),
        told: balanceIn(once),
        balance: await well.balance(),
        kept: await well.kept(),
      });
    },
  );
});

describe('an answer that comes after the deadline', () => {
  test('of a load does not continue the call', async () => {
    await rig.call([first()]);
    rig.store.next('load', 'late');
    const outcome = await rig.call([credit('c1')]);
    await rig.store.land();
    await rig.clock.pass(deadlineMs);
    expect({
      trips: rig.store.trips,
      answers: answers(outcome),
      balance: await rig.balance(),
    }).toEqual({ trips: ['load'], answers: [], balance: 990n });
  });

  test('of a commit, even though it happened, does not change what was told', async () => {
    rig.store.next('commit', 'late');
    const outcome = await rig.call([first()]);
    await rig.store.land();
    await rig.clock.pass(deadlineMs);
    expect({
      trips: rig.store.trips,
      answers: answers(outcome),
      doubt: doubt(outcome),
      balance: await rig.balance(),
    }).toEqual({
      trips: ['commit'],
      answers: [],
      doubt: 'The store did not answer in time.',
      balance: 990n,
    });
  });

  test('of the balances does not bring them, and tells no hash (D6.2)', async () => {
    rig.store.readsAccountsApart = true;
    rig.store.next('accounts', 'late');
    const outcome = await rig.call([first()]);
    await rig.store.land();
    expect({
      trips: rig.store.trips,
      answers: answers(outcome),
      accounts: outcome.accounts,
    }).toEqual({
      trips: ['commit', 'accounts'],
      answers: [],
      accounts: null,
    });
  });

  test.each(['load', 'commit', 'accounts'] as const)(
    'of %s is ignored also where it is an error',
    async (method) => {
      rig.store.readsAccountsApart = true;
      await rig.call([first()]);
      rig.store.next(method, 'throws late');
      const outcome = await rig.call([credit('c1')]);
      const unhandled = await unhandledIn(() => rig.store.land());
      expect({ doubt: doubt(outcome), unhandled }).toEqual({
        doubt: 'The store did not answer in time.',
        unhandled: [],
      });
    },
  );

  test('leaves no timer, nor does a call that was answered in time', async () => {
    await rig.call([first()]);
    const afterAnswer = rig.clock.waiting;
    rig.store.next('load', 'late');
    await rig.call([credit('c1')]);
    await rig.store.land();
    expect({ afterAnswer, afterDeadline: rig.clock.waiting }).toEqual({
      afterAnswer: 0,
      afterDeadline: 0,
    });
  });
});

describe('the deadline', () => {
  test('is that of the whole call, whatever its commits took before', async () => {
    const slow = () => rig.clock.pause(600);
    rig.store.next('commit', slow, slow);
    const startedAt = rig.clock.monotonicMs();
    const outcome = await rig.call([first(), voidOf('d1')]);
    expect({
      tookMs: rig.clock.monotonicMs() - startedAt,
      answers: answers(outcome),
      isUnknown: doubt(outcome) !== null,
    }).toEqual({ tookMs: deadlineMs, answers: ['d1 processed'], isUnknown: true });
  });

  test('once passed lets nothing more be asked of the store', async () => {
    rig.store.next('commit', async () => rig.clock.pause(deadlineMs - 4));
    rig.store.always('load', 'unknown');
    await rig.call([first(), voidOf('d1')]);
    const trips = [...rig.store.trips];
    await rig.clock.pass(10 * deadlineMs);
    expect({ trips, later: rig.store.trips }).toEqual({ trips, later: trips });
  });

  test('of one call is not that of another: what was in doubt is answered once the store is well', async () => {
    rig.store.always('commit', 'hangs').always('load', 'hangs');
    await rig.call([first(), credit('c1')]);
    rig.store.heal();
    const again = await rig.call([first(), credit('c1')]);
    expect({ answers: answers(again), writes: rig.store.commits.map(writes) }).toEqual({
      answers: ['d1 processed', 'c1 processed'],
      writes: [['d1 accepted', 'c1 accepted']],
    });
  });
});

describe('the balances of an answer (D6.2)', () => {
  const followUp: [string, Transaction[], string, bigint][] = [
    ['all of it processed', [debit('d2'), credit('c2')], 'd2 processed', 985n],
    ['a debit declined', [debit('d2', 5000n)], 'd2 BALANCETOOLOW', 990n],
    ['a debit refused by the round', [first('d2')], 'd2 GAMEROUNDALREADYSTARTED', 990n],
    ['a hash with another content', [debit('d1', 11n)], 'd1 TRANSACTIONALREADYEXISTS', 990n],
    [
      'a credit in another currency',
      [credit('c2', 5n, { currency: 'USD' })],
      'c2 CURRENCYNOTSUPPORTED',
      990n,
    ],
    ['a void', [voidOf('d1')], 'd1 processed', 1000n],
  ];

  test.each(followUp)('come with %s, as they are after it', async (_, call, answer, balance) => {
    await rig.call([first()]);
    const outcome = await rig.call(call);
    expect({ answer: answers(outcome)[0], balance: balanceIn(outcome) }).toEqual({
      answer,
      balance,
    });
  });

  test.each(followUp)(
    'come with %s also from a store that reads them apart, by one more trip',
    async (_, call, answer, balance) => {
      rig.store.readsAccountsApart = true;
      await rig.call([first()]);
      const outcome = await rig.call(call);
      expect({
        answer: answers(outcome)[0],
        balance: balanceIn(outcome),
        reads: rig.store.trips.filter((trip) => trip === 'accounts').length,
      }).toEqual({ answer, balance, reads: 1 });
    },
  );

  test('are the current ones in a replay (D3.1)', async () => {
    await rig.call([first()]);
    await rig.call([debit('d2')]);
    const again = await rig.call([first()]);
    expect({ answers: answers(again), balance: balanceIn(again) }).toEqual({
      answers: ['d1 processed again'],
      balance: 980n,
    });
  });

  test('are none for a player who is not known, and the refusal is told all the same', async () => {
    const nobody = { operatorId: 'casino', playerId: 'nobody', gameRound: 'r' };
    const outcome = await rig.callOf(nobody, [first()]);
    expect({
      answers: answers(outcome),
      accounts: outcome.accounts,
      doubt: doubt(outcome),
    }).toEqual({
      answers: ['d1 PLAYERNOTFOUND'],
      accounts: null,
      doubt: null,
    });
  });
});
