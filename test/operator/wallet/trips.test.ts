import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { answers, balanceIn, credit, debit, doubt, end, first, Rig, voidOf, writes } from './rig';

let rig: Rig;

beforeEach(async () => {
  rig = await Rig.create();
});

describe('the trips of a call to the store: one for a call that opens a round, two for any other', () => {
  test.each<[string, Transaction[]]>([
    ['an initial debit alone', [first()]],
    ['a whole round', [first(), credit('c1'), end('e1')]],
    ['an initial debit and follow-ups', [first(), debit('d2'), debit('d3'), credit('c1')]],
    [
      'a first debit that only its hash tells, which is the gameRound',
      [first('r', 10n, { isFirstDebit: null })],
    ],
    ['a free play that opens the round', [first('d1', 0n, { serial: 'gift' })]],
  ])('%s is one commit, and nothing is loaded', async (_, transactions) => {
    const outcome = await rig.call(transactions);
    expect({ trips: rig.store.trips, doubt: doubt(outcome) }).toEqual({
      trips: ['commit'],
      doubt: null,
    });
  });

  test.each<[string, Transaction[]]>([
    ['a follow-up debit', [debit('d2')]],
    [
      'a debit that does not say whether it is the first',
      [debit('d2', 10n, { isFirstDebit: null })],
    ],
    ['a credit', [credit('c1')]],
    ['an end', [end('e1')]],
    ['a credit and an end', [credit('c1'), end('e1')]],
    ['a void of the first debit', [voidOf('d1')]],
    ['a void of a hash that was never seen', [voidOf('d9')]],
    ['two voids', [voidOf('d9'), voidOf('d1')]],
    ['a debit that the round refuses', [first('r', 10n, { isFirstDebit: false })]],
  ])('%s is one load and one commit', async (_, transactions) => {
    await rig.call([first()]);
    const outcome = await rig.call(transactions);
    expect({ trips: rig.store.trips, doubt: doubt(outcome) }).toEqual({
      trips: ['load', 'commit'],
      doubt: null,
    });
  });

  test('an initial debit of a running round costs a stale commit, a load, and the refusal', async () => {
    await rig.call([first()]);
    const outcome = await rig.call([first('d2')]);
    expect({ trips: rig.store.trips, answers: answers(outcome) }).toEqual({
      trips: ['commit', 'load', 'commit'],
      answers: ['d2 GAMEROUNDALREADYSTARTED'],
    });
  });

  test('a resent call without a debit is one load, which brings the balances', async () => {
    await rig.call([first()]);
    await rig.call([credit('c1')]);
    const again = await rig.call([credit('c1')]);
    expect({
      trips: rig.store.trips,
      answers: answers(again),
      balance: balanceIn(again),
    }).toEqual({ trips: ['load'], answers: ['c1 processed again'], balance: 995n });
  });

  test('a void costs one more load for what followed its debit (D5.3)', async () => {
    await rig.call([first()]);
    await rig.call([debit('d2'), credit('c2'), end('e2')]);
    const outcome = await rig.call([voidOf('d2')]);
    expect({
      trips: rig.store.trips,
      loads: rig.store.loads,
      answers: answers(outcome),
      balance: balanceIn(outcome),
      state: outcome.state,
    }).toEqual({
      trips: ['load', 'load', 'commit'],
      loads: [['d2'], ['d2', 'c2', 'e2']],
      answers: ['d2 processed'],
      balance: 990n,
      state: 'open',
    });
  });

  test('a call that names what followed its voided debit loads it with the first trip', async () => {
    await rig.call([first()]);
    await rig.call([debit('d2'), credit('c2')]);
    await rig.call([voidOf('d2'), credit('c2')]);
    expect(rig.store.loads[0]).toEqual(['d2', 'c2']);
    expect(rig.store.trips.slice(0, 2)).toEqual(['load', 'commit']);
  });
});

describe('what a call asks for and writes', () => {
  test('a load asks for each hash of the call once, and for no other', async () => {
    await rig.call([first()]);
    await rig.call([credit('c1'), credit('c1'), end('e1'), credit('c2')]);
    expect(rig.store.loads).toEqual([['c1', 'e1', 'c2']]);
  });

  test('a load asks for nothing more in the 100th call of a round than in the second', async () => {
    await rig.call([first()]);
    for (let at = 2; at < 100; at++) await rig.call([debit(`d${at}`), credit(`c${at}`)]);
    await rig.call([debit('d100'), credit('c100')]);
    const [change] = rig.store.commits;
    expect({ loads: rig.store.loads, writes: change && writes(change) }).toEqual({
      loads: [['d100', 'c100']],
      writes: ['d100 accepted', 'c100 accepted'],
    });
  });

  test('a debit and its void in one call are two commits, and the second is decided on the round as loaded after the first', async () => {
    const outcome = await rig.call([first(), credit('c1'), voidOf('d1')]);
    expect({
      trips: rig.store.trips,
      writes: rig.store.commits.map(writes),
      versions: rig.store.commits.map(({ before }) => before.version),
      answers: answers(outcome),
      balance: balanceIn(outcome),
      state: outcome.state,
    }).toEqual({
      trips: ['commit', 'load', 'commit'],
      writes: [['d1 accepted', 'c1 accepted'], ['void d1']],
      versions: [0, 1],
      answers: ['d1 processed', 'c1 processed', 'd1 processed'],
      balance: 1000n,
      state: 'voided',
    });
  });

  test('a void before a debit of its hash in one call makes that debit refused, in a second commit (D5.5)', async () => {
    const outcome = await rig.call([voidOf('d1'), first()]);
    expect({
      trips: rig.store.trips,
      writes: rig.store.commits.map(writes),
      answers: answers(outcome),
      balance: balanceIn(outcome),
    }).toEqual({
      trips: ['load', 'commit', 'load', 'commit'],
      writes: [['void d1'], ['d1 GAMEROUNDVOIDED']],
      answers: ['d1 processed', 'd1 GAMEROUNDVOIDED'],
      balance: 1000n,
    });
  });

  test('with credits by shares, the credit after a debit is decided once its payment is known', async () => {
    const policy = { useBonusFirst: true, creditTo: 'stakeShares' } as const;
    await rig.call([first(), credit('c1'), end('e1')], { policy });
    expect({ trips: rig.store.trips, writes: rig.store.commits.map(writes) }).toEqual({
      trips: ['commit', 'load', 'commit'],
      writes: [['d1 accepted'], ['c1 accepted', 'e1 accepted']],
    });
  });

  test('a call of 500 transactions that opens a round is one commit of 500 records', async () => {
    const credits = Array.from({ length: 499 }, (_, at) => credit(`c${at}`, 1n));
    const outcome = await rig.call([first(), ...credits]);
    expect({
      trips: rig.store.trips,
      records: rig.store.commits[0]?.records.length,
      processed: answers(outcome).filter((answer) => answer.endsWith(' processed')).length,
      balance: balanceIn(outcome),
    }).toEqual({ trips: ['commit'], records: 500, processed: 500, balance: 1000n - 10n + 499n });
  });

  test('a call of 500 follow-up debits on a running round is one load of 500 hashes and one commit', async () => {
    await rig.call([first()]);
    const debits = Array.from({ length: 500 }, (_, at) => debit(`f${at}`, 1n));
    const outcome = await rig.call(debits);
    expect({
      trips: rig.store.trips,
      loaded: rig.store.loads[0]?.length,
      balance: balanceIn(outcome),
    }).toEqual({ trips: ['load', 'commit'], loaded: 500, balance: 490n });
  });
});

describe('a hash that a call names twice', () => {
  test('with the same content moves money once, and is answered for each (D3.1)', async () => {
    const outcome = await rig.call([
      first(),
      first(),
      credit('c1'),
      credit('c1'),
      end('e1'),
      end('e1'),
    ]);
    expect({
      writes: rig.store.commits.map(writes),
      answers: answers(outcome),
      balance: balanceIn(outcome),
    }).toEqual({
      writes: [['d1 accepted', 'c1 accepted', 'e1 accepted']],
      answers: [
        'd1 processed',
        'd1 processed again',
        'c1 processed',
        'c1 processed again',
        'e1 processed',
        'e1 processed again',
      ],
      balance: 995n,
    });
  });

  test('with another content moves nothing for it (D3.2), and nothing of a debit where it is one (D4.6)', async () => {
    const outcome = await rig.call([first(), debit('d1', 11n), credit('d1')]);
    expect({ answers: answers(outcome), balance: balanceIn(outcome) }).toEqual({
      answers: [
        'd1 DEBITFAILEDBEFORE',
        'd1 TRANSACTIONALREADYEXISTS',
        'd1 TRANSACTIONALREADYEXISTS',
      ],
      balance: 1000n,
    });
  });

  test('is voided once by two voids of one call (D5.1)', async () => {
    await rig.call([first(), credit('c1')]);
    const outcome = await rig.call([voidOf('d1'), voidOf('d1')]);
    expect({
      writes: rig.store.commits.map(writes),
      answers: answers(outcome),
      balance: balanceIn(outcome),
    }).toEqual({
      writes: [['void d1']],
      answers: ['d1 processed', 'd1 processed again'],
      balance: 1000n,
    });
  });
});
