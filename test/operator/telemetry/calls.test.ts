import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createMetrics, type Metrics } from '../../../lib/operator/telemetry';
import { LeapingClock } from '../../platform/leaping-clock';
import { until } from '../../servers/until';
import {
  bodyOf,
  createRig,
  credit,
  debit,
  end,
  operatorId,
  playerId,
  type Rig,
  voidOfDebit,
} from '../http/rig';
import { linesOf, sampleOf } from './sample-of';

let metrics: Metrics;
let rig: Rig;

beforeEach(async () => {
  metrics = createMetrics();
  rig = await createRig({ metrics, maxInFlight: 4, clock: new LeapingClock() });
});

afterEach(async () => {
  await rig.close();
  metrics.close();
});

const count = 'call_duration_seconds_count';
const balanceOf = (currency = 'EUR') => rig.signer.getBalance({ playerId, currency });

describe('the duration of a call is counted by operation and outcome', () => {
  test('processed and refused, of both operations', async () => {
    await rig.call([debit()]);
    await rig.call([debit(1000, { hash: 'd2', isFirstDebit: false })]);
    await rig.send(balanceOf());
    await rig.send(balanceOf('USD'));
    await rig.call([debit()], { transactionCount: 7 });
    expect(await linesOf(metrics, count)).toEqual([
      'doTransactions,processed 1',
      'doTransactions,refused 2',
      'getBalance,processed 1',
      'getBalance,refused 1',
    ]);
  });

  test('unknown, where the store is silent', async () => {
    rig.store.fail('commit', 'unknown');
    rig.store.fail('accounts', 'unknown');
    await rig.call([debit()]);
    await rig.send(balanceOf());
    expect(await linesOf(metrics, count)).toEqual([
      'doTransactions,unknown 1',
      'getBalance,unknown 1',
    ]);
  });

  test('unauthenticated, whatever is wrong with a request that nobody signed', async () => {
    await rig.send(balanceOf(), { 'X-H-AUTH-SIG': 'AAAA' });
    await rig.send(rig.signer.doTransactions(bodyOf([debit()])), { 'X-H-AUTH-ID': 'nobody' });
    await rig.send({ method: 'GET', path: '/nothing', headers: {} });
    await rig.send({ method: 'GET', path: '/doTransactions', headers: {} });
    expect(await linesOf(metrics, count)).toEqual([
      'doTransactions,unauthenticated 2',
      'getBalance,unauthenticated 1',
      'other,unauthenticated 1',
    ]);
  });
});

describe('transactions are counted by type, outcome and replay', () => {
  test('each of a call, and again as replays', async () => {
    const call = [debit(), credit(), end];
    await rig.call(call);
    await rig.call(call);
    await rig.call([debit(1000, { hash: 'd2' })], { gameRound: 'round-2' });
    await rig.call([debit(1000, { hash: 'd2' })], { gameRound: 'round-2' });
    await rig.call([{ ...voidOfDebit, hash: 'd2' }], { gameRound: 'round-2' });
    expect(await linesOf(metrics, 'transactions_total')).toEqual([
      'debit,processed,false 1',
      'debit,processed,true 1',
      'debit,refused,false 1',
      'debit,refused,true 1',
      'credit,processed,false 1',
      'credit,processed,true 1',
      'end,processed,false 1',
      'end,processed,true 1',
      'void,processed,false 1',
    ]);
    expect(await sampleOf(metrics, 'refusals_total', { id: '9001', code: 'BALANCETOOLOW' })).toBe(
      2,
    );
  });

  test('those without an answer are unknown', async () => {
    rig.store.fail('commit', 'unknown');
    await rig.call([debit(), credit()]);
    expect(await linesOf(metrics, 'transactions_total')).toEqual([
      'debit,unknown,false 1',
      'credit,unknown,false 1',
    ]);
    expect(await linesOf(metrics, 'refusals_total')).toEqual([]);
  });
});

test('a refusal is counted by the id of the catalogue, whatever id the user gives it', async () => {
  await rig.close();
  rig = await createRig({ metrics, errors: { BALANCETOOLOW: { id: 7 } } });
  await rig.call([debit(1000)]);
  await rig.send(balanceOf(), { 'X-H-AUTH-SIG': 'AAAA' });
  await rig.call([]);
  expect(await linesOf(metrics, 'refusals_total')).toEqual([
    '19,INVALIDPARAMETER 1',
    '1001,SIGNATUREWRONG 1',
    '9001,BALANCETOOLOW 1',
  ]);
});

test('calls in flight are shown, and what is shed above the limit is counted by kind', async () => {
  rig.store.fail('commit', 'hang');
  rig.store.fail('load', 'hang');
  rig.store.onHang = () => {};
  const held = [1, 2, 3].map((at) =>
    rig.call([debit()], { gameRound: `held-${at}` }).then(() => {}),
  );
  await until('three calls in flight', () => rig.store.hanging === 3);
  expect(await sampleOf(metrics, 'calls_in_flight')).toBe(3);
  await rig.call([debit()]);
  held.push(rig.call([credit()], { gameRound: 'held-4' }).then(() => {}));
  rig.store.fail('accounts', 'hang');
  held.push(rig.send(balanceOf()).then(() => {}));
  await until('five calls in flight', () => rig.store.hanging === 5);
  expect(await sampleOf(metrics, 'calls_in_flight')).toBe(5);
  await rig.send(balanceOf());
  expect(await linesOf(metrics, 'shed_total')).toEqual(['debit 1', 'balance 1']);
  expect(await linesOf(metrics, count)).toEqual(['doTransactions,shed 1', 'getBalance,shed 1']);
  rig.store.heal();
  await Promise.all(held);
  expect(await sampleOf(metrics, 'calls_in_flight')).toBe(0);
});

describe('the store is timed', () => {
  const stored = 'store_operation_duration_seconds_count';

  test('by operation and result', async () => {
    await rig.call([debit()]);
    await rig.call([credit()]);
    await rig.send(balanceOf());
    expect(await linesOf(metrics, stored)).toEqual([
      'load,done 1',
      'commit,done 2',
      'accounts,done 1',
    ]);
  });

  test('a call that only adds to a running round is one follow-up; a round that it does not fit is counted apart', async () => {
    await rig.close();
    rig = await createRig({ metrics, follows: true, clock: new LeapingClock() });
    await rig.call([debit()]);
    await rig.call([credit()]);
    await rig.call([credit()]);
    rig.store.fail('follow', 'unknown', 'before', 1);
    await rig.call([credit(7)]);
    expect(await linesOf(metrics, stored)).toEqual([
      'load,done 1',
      'commit,done 3', // the debit, and what guards the signatures of the others (D1.8)
      'follow,done 1',
      'follow,other 1',
      'follow,unknown 1',
    ]);
  });

  test('a refused movement and a stale round are repeats, each counted by its reason', async () => {
    await rig.call([debit(1000)]); // the refusal is written by a second commit
    await rig.call([debit(1000)]); // not new: the first commit is stale
    expect(await linesOf(metrics, stored)).toEqual([
      'load,done 1',
      'commit,done 2',
      'commit,stale 1',
      'commit,refused 1',
    ]);
    expect(await linesOf(metrics, 'commit_repeats_total')).toEqual(['stale 1', 'refused 1']);
  });

  test('an unknown commit is a repeat only if it is made again; a store that throws has failed', async () => {
    rig.store.fail('commit', 'unknown', 'before', 1);
    await rig.call([debit()]);
    expect(await linesOf(metrics, 'commit_repeats_total')).toEqual(['unknown 1']);
    rig.store.fail('load', 'throw');
    await rig.call([credit()]);
    expect(await linesOf(metrics, stored)).toEqual([
      'load,done 1',
      'load,failed 1',
      'commit,done 1',
      'commit,unknown 1',
    ]);
  });
});

test('rounds in attention are counted by operator and state, and read again after 15 seconds', async () => {
  const attention = 'rounds_attention';
  await rig.close();
  const clock = new LeapingClock();
  metrics.close();
  metrics = createMetrics({ clock });
  rig = await createRig({ metrics, clock });
  expect(await sampleOf(metrics, attention, { operator: operatorId, state: 'cancelled' })).toBe(0);
  rig.store.fail('commit', 'unknown', 'before', 200);
  await rig.call([debit()]);
  rig.store.heal();
  await until('the mark', async () => {
    for await (const round of rig.store.lists.attention(operatorId))
      return round.state === 'cancelled';
    clock.leapSoon();
    return false;
  });
  expect(await sampleOf(metrics, attention)).toBe(0);
  await leap(clock, 15_000);
  expect(await linesOf(metrics, attention)).toEqual([`${operatorId},cancelled 1`]);
});

/** Moves the clock on. */
async function leap(clock: LeapingClock, ms: number): Promise<void> {
  const pause = clock.pause(ms);
  clock.leapSoon();
  await pause;
}
