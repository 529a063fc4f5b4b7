import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CallQueue } from '../../bench/load/call-queue';
import { type Call, callMakers, longRoundCalls } from '../../bench/load/calls';
import { OpenLoopRun } from '../../bench/load/open-loop';
import { percentiles } from '../../bench/load/percentiles';
import { arrivalTimes } from '../../bench/load/schedule';
import { isProcessed, newRound, processedText } from '../../bench/load/signed-call';
import { VirtualClock } from '../../lib/platform/virtual-clock';

let clock: VirtualClock;

describe('percentiles', () => {
  test('are by nearest rank', () => {
    const values = Array.from({ length: 1000 }, (_, at) => 1000 - at);
    expect(percentiles(values)).toEqual({ p50: 500, p90: 900, p99: 990, p999: 999, max: 1000 });
  });

  test('of few values are some of them, and of none 0', () => {
    expect(percentiles([7, 3])).toEqual({ p50: 3, p90: 7, p99: 7, p999: 7, max: 7 });
    expect(percentiles([])).toEqual({ p50: 0, p90: 0, p99: 0, p999: 0, max: 0 });
  });
});

describe('arrival times', () => {
  test('even ones have the same gap', () => {
    expect([...arrivalTimes(4, 2, 'even', 1)]).toEqual([0, 250, 500, 750, 1000, 1250, 1500, 1750]);
  });

  test('those of a Poisson process come at the rate, in order, within the time', () => {
    const times = [...arrivalTimes(1000, 50, 'poisson', 1)];
    expect(times.length / 50_000).toBeCloseTo(1, 1);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.at(-1)).toBeLessThan(50_000);
  });

  test('the gaps of a Poisson process vary as much as they last', () => {
    const times = arrivalTimes(1000, 50, 'poisson', 2);
    const gaps = Array.from(times.slice(1), (time, at) => time - (times[at] ?? 0));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
    expect(Math.sqrt(variance) / mean).toBeCloseTo(1, 1);
  });

  test('are the same for the same seed, and others for another', () => {
    const times = arrivalTimes(100, 5, 'poisson', 3);
    expect(arrivalTimes(100, 5, 'poisson', 3)).toEqual(times);
    expect(arrivalTimes(100, 5, 'poisson', 4)).not.toEqual(times);
  });
});

describe('an open loop', () => {
  beforeEach(() => {
    clock = new VirtualClock();
  });

  test('counts a call that waits behind a stall from the time it was to be sent', async () => {
    const { run } = tenCalls(1, (call) => (call === 0 ? 540 : 10));
    await clock.pass(2000);
    const { latencies, isHeld } = await run;
    expect(latencies).toEqual([540, 450, 360, 270, 180, 90, 10, 10, 10, 10]);
    expect(isHeld).toBe(true);
  });

  test('goes on sending while calls are unanswered, over the connections that are free', async () => {
    const { run } = tenCalls(10, () => 540);
    await clock.pass(2000);
    expect(new Set((await run).latencies)).toEqual(new Set([540]));
  });

  test('a rate of which too little was answered in the time is not held, and the rest is not sent', async () => {
    const { run, ended } = tenCalls(1, () => 300);
    await clock.pass(5000);
    const { isHeld, latencies, inTime, due } = await run;
    expect({ isHeld, answered: latencies.length, inTime, due }).toEqual({
      isHeld: false,
      answered: 4,
      inTime: 3,
      due: 10,
    });
    expect(ended).toHaveBeenCalledTimes(1);
  });

  test('tells no lateness of its own for calls that waited for a connection', async () => {
    const { run } = tenCalls(1, (call) => (call === 0 ? 540 : 10));
    await clock.pass(2000);
    expect(new Set((await run).lateness)).toEqual(new Set([0]));
  });
});

describe('calls', () => {
  test('a long round is one debit, then credits one a call, and the end with the last', () => {
    const make = callMakers['long-round']();
    const bodies = Array.from({ length: longRoundCalls }, () => bodyOf(make()));
    const types = bodies.map(({ transactions }) => transactions.map(({ type }) => type).join());
    const credits = Array.from({ length: longRoundCalls - 2 }, () => 'credit');
    expect(types).toEqual(['debit', ...credits, 'credit,end']);
    expect(new Set(bodies.map(({ gameRound }) => gameRound)).size).toBe(1);
    expect(bodyOf(make()).gameRound).not.toBe(bodies[0]?.gameRound);
  });

  test('a round of two calls is its debit, then a credit with the end, and then comes another round', () => {
    const make = callMakers.two();
    const bodies = Array.from({ length: 4 }, () => bodyOf(make()));
    const types = bodies.map(({ transactions }) => transactions.map(({ type }) => type).join());
    expect(types).toEqual(['debit', 'credit,end', 'debit', 'credit,end']);
    const rounds = bodies.map(({ gameRound }) => gameRound);
    expect(rounds[1]).toBe(rounds[0]);
    expect(rounds[3]).toBe(rounds[2]);
    expect(rounds[2]).not.toBe(rounds[0]);
  });

  test('a call moves the sum of its transactions, to the cent', () => {
    const call = callMakers.hundred()();
    const { transactions } = bodyOf(call);
    const cents = transactions.map(({ type, amount = 0 }) =>
      Math.round(amount * (type === 'debit' ? -100 : 100)),
    );
    expect(transactions).toHaveLength(100);
    expect(call.centsMoved).toBe(cents.reduce((sum, each) => sum + each, 0));
  });

  test('a refused call moves nothing and has a signature that no other has', () => {
    const make = callMakers.refused();
    const calls = Array.from({ length: 20 }, make);
    const signatures = calls.map(({ request }) => /X-H-AUTH-SIG: (\S+)/.exec(String(request))?.[1]);
    expect(new Set(signatures).size).toBe(20);
    expect(calls.every(({ centsMoved, status }) => centsMoved === 0 && status === 401)).toBe(true);
  });

  test('an answer with the text that a load looks for leaves the RGS nothing to do', () => {
    const call = newRound('player-1', 3);
    const body = `{"balances":[],${processedText(call)}}`;
    expect(isProcessed({ status: 200, body }, call)).toBe(true);
  });

  test.each<[string, number, (text: string) => string]>([
    ['a refusal', 400, (text) => `{"errorCode":{"id":9001},${text}}`],
    ['a failure that lists all the same', 503, (text) => `{${text}}`],
    ['an answer that lists nothing', 200, () => '{"balances":[]}'],
    [
      'an answer that lists an error',
      200,
      (text) => `{${text.replace('"}', '","errorCode":{}}')}}`,
    ],
    ['an answer that lists more', 200, (text) => `{${text.replace('[', '[{"hash":"other"},')}}`],
    ['an answer that is no JSON', 200, (text) => text],
  ])('%s leaves it something to do, or is wrong', (_, status, answerWith) => {
    const call = newRound('player-1');
    expect(isProcessed({ status, body: answerWith(processedText(call)) }, call)).toBe(false);
  });

  test('those made beforehand are taken in the order made, and others are counted', () => {
    let made = 0;
    const queue = new CallQueue(() => ({ ...callMakers.round()(), centsMoved: made++ }));
    queue.prepare(2);
    const taken = [queue.take(), queue.take(), queue.take()].map(({ centsMoved }) => centsMoved);
    expect([taken, queue.madeLate]).toEqual([[0, 1, 2], 1]);
  });
});

/** Ten calls in a second over this many connections, each answered after the time of `takes`. */
function tenCalls(connections: number, takes: (call: number) => number) {
  let calls = 0;
  const ended = jest.fn();
  const times = arrivalTimes(10, 1, 'even', 1).map((time) => time + 10);
  const names = Array.from({ length: connections }, (_, at) => at);
  const play = () => answeredAfter(takes(calls++));
  const time = { now: clock.monotonicMs, after: clock.after };
  const run = new OpenLoopRun(names, times, 1, play, ended, time).run();
  return { run, ended };
}

async function answeredAfter(ms: number): Promise<boolean> {
  await clock.pause(ms);
  return true;
}

interface Body {
  readonly gameRound: string;
  readonly transactions: readonly { readonly type: string; readonly amount?: number }[];
}

function bodyOf({ request }: Call): Body {
  const text = request.toString('latin1');
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as Body;
}
