import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { DebitCheckRequest } from '../../../lib/operator/wallet';
import { unhandledIn } from '../../support/unhandled';
import { credit, debit, end, euros, voidOfDebit } from '../http/rig';
import { CheckRig, followUp } from './debit-check-rig';

let rig: CheckRig;

beforeEach(async () => {
  rig = await CheckRig.create();
});

const no = { allow: false };
const yes = { allow: true };
const never = () => new Promise(() => {});

/** A check that takes so long. */
function after(ms: number, answer: unknown): () => Promise<unknown> {
  return async () => {
    await rig.clock.pause(ms);
    return answer;
  };
}

/** A call, and how long its answer took. */
async function timed(transactions: readonly object[]): Promise<[string, number]> {
  const from = rig.clock.monotonicMs();
  const line = await rig.call(transactions);
  return [line, rig.clock.monotonicMs() - from];
}

/** Rejects when its signal aborts. */
function onAbort({ signal }: DebitCheckRequest): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });
}

/** Rejects once it is too late. */
async function late(): Promise<never> {
  await rig.clock.pause(700);
  throw new Error('late');
}

/** Five debits of which the check says nothing. */
async function breakIt(answer: () => unknown = () => null): Promise<string[]> {
  rig.answer = answer;
  const seen: string[] = [];
  for (let at = 0; at < 5; at++) seen.push(await rig.stake());
  rig.requests.length = 0;
  rig.answer = () => yes;
  return seen;
}

describe('D12.2 how long a check may take', () => {
  test.each([
    [499, yes, ['200: round-1', 499]],
    [499, no, ['400 9006: round-1 9006', 499]],
    [501, yes, ['400 9008: round-1 9008', 500]],
    [501, no, ['400 9008: round-1 9008', 500]],
    [60_000, yes, ['400 9008: round-1 9008', 500]],
  ])('500 ms unless set: an answer after %d ms, %j', async (ms, answer, seen) => {
    rig.answer = after(ms, answer);
    expect(await timed([debit()])).toEqual(seen);
  });

  test('one that hangs declines the debit after 500 ms, and no money moves', async () => {
    rig.answer = never;
    expect(await timed([debit(), credit()])).toEqual([
      '400 9008: round-1 9008, credit-1 9004',
      500,
    ]);
    expect([await rig.balance(), await rig.state()]).toEqual([euros(100), 'closed']);
  });

  test.each([
    [119, '200: round-1'],
    [121, '400 9008: round-1 9008'],
  ])('debitCheckMs 120: an answer after %d ms is %s', async (ms, line) => {
    rig = await CheckRig.create({ debitCheckMs: 120 });
    rig.answer = after(ms, yes);
    expect(await rig.call([debit()])).toBe(line);
  });

  test.each([
    [501, ['200: round-1', 500]],
    [499, ['200: round-1', 499]],
  ])('its silence is an allowance with debitCheckSilence allow: %d ms', async (ms, seen) => {
    rig = await CheckRig.create({ debitCheckSilence: 'allow' });
    rig.answer = after(ms, yes);
    expect(await timed([debit()])).toEqual(seen);
  });

  test('an answer in time counts with debitCheckSilence allow too', async () => {
    rig = await CheckRig.create({ debitCheckSilence: 'allow' });
    rig.answer = after(499, no);
    expect(await rig.call([debit()])).toBe('400 9006: round-1 9006');
  });

  test('an answer that comes late changes nothing any more', async () => {
    rig.answer = after(501, yes);
    expect(await rig.call([debit()])).toBe('400 9008: round-1 9008');
    await rig.clock.pass(10_000);
    expect(await rig.call([debit()])).toBe('400 9008: round-1 9008');
    expect([rig.asked, await rig.balance()]).toEqual([1, euros(100)]);
  });

  test('a late allowance is not kept, nor is a silence that was allowed', async () => {
    rig = await CheckRig.create({ debitCheckSilence: 'allow' });
    rig.answer = after(501, { allow: true, forMs: 60_000 });
    await rig.stake();
    await rig.clock.pass(1000);
    await rig.stake();
    expect(rig.asked).toBe(2);
  });
});

describe('the signal of a check', () => {
  test('aborts when the answer would come too late, and not before', async () => {
    const seen: boolean[] = [];
    rig.answer = async ({ signal }: DebitCheckRequest) => {
      seen.push(signal.aborted);
      await rig.clock.pause(499);
      seen.push(signal.aborted);
      return never();
    };
    expect(await rig.call([debit()])).toBe('400 9008: round-1 9008');
    expect([seen, rig.requests[0]?.signal.aborted]).toEqual([[false, false], true]);
  });

  test('a check that rejects because of it, or later, ends no process', async () => {
    const unhandled = await unhandledIn(async () => {
      for (const answer of [onAbort, late]) {
        rig.answer = answer;
        expect(await rig.stake()).toBe('400 9008');
      }
      await rig.clock.pass(1000);
    });
    expect(unhandled).toEqual([]);
  });
});

describe('the time of a check is part of deadlineMs', () => {
  beforeEach(async () => {
    rig = await CheckRig.create({ deadlineMs: 1000 });
  });

  afterEach(() => rig.store.heal());

  test('a store that hangs after it: the call is unknown at the deadline (D7)', async () => {
    rig.answer = after(499, yes);
    rig.store.fail('commit', 'hang');
    const [line, ms] = await timed([debit()]);
    expect([line, ms]).toEqual([expect.stringMatching(/^503/), 1000]);
  });

  test('a store that does not say what is known: unknown, and the check is not asked', async () => {
    rig.store.fail('load', 'unknown');
    expect(await rig.call([debit()])).toMatch(/^503/);
    expect([rig.asked, await rig.balance()]).toEqual([0, euros(100)]);
  });

  test('a refusal that is not recorded is unknown, not a refusal, and its void ends the round', async () => {
    rig.answer = () => no;
    rig.store.fail('commit', 'unknown');
    expect(await rig.call([debit(), credit()])).toMatch(/^503/);
    rig.store.heal();
    rig.answer = () => yes;
    expect(await rig.call([voidOfDebit])).toBe('200: round-1');
    expect([await rig.state(), await rig.balance()]).toEqual(['voided', euros(100)]);
  });

  test('a refusal whose commit was written without an answer is final all the same', async () => {
    rig.answer = () => no;
    rig.store.fail('commit', 'unknown', 'after');
    const first = await rig.call([debit(), credit()]);
    expect(first).toMatch(/^(?:503|400 9006)/);
    rig.store.heal();
    rig.answer = () => yes;
    expect(await rig.call([debit(), credit()])).toBe('400 9006: round-1 9006, credit-1 9004');
    expect(await rig.balance()).toBe(euros(100));
  });
});

describe('D12.5 after 5 silences within 10 s', () => {
  const silent = ['400 9008', '400 9008', '400 9008', '400 9008', '400 9008'];

  test.each([
    ['hanging', never],
    ['throws', () => Promise.reject(new Error('down'))],
    ['wrong answers', () => 'false'],
  ])('(%s) it is not asked for 1 s, and debits are declined at once', async (_, answer) => {
    expect(await breakIt(answer)).toEqual(silent);
    expect(await timed([debit()])).toEqual(['400 9008: round-1 9008', 0]);
    await rig.clock.pass(998);
    expect([await rig.stake(), rig.asked]).toEqual(['400 9008', 0]);
    await rig.clock.pass(3);
    expect([await rig.stake(), rig.asked]).toEqual(['200', 1]);
  });

  test('so it is for every player and operator of this process', async () => {
    await breakIt();
    expect([await rig.stake({}, 'umbra'), rig.asked]).toEqual(['400 9008', 0]);
  });

  test('what was declined without being asked is final too', async () => {
    await breakIt();
    await rig.call([debit()]);
    await rig.clock.pass(5000);
    expect([await rig.call([debit()]), rig.asked]).toEqual(['400 9008: round-1 9008', 0]);
  });

  test('known debits, credits, ends and voids go on', async () => {
    expect(await rig.call([debit()])).toBe('200: round-1');
    await breakIt();
    expect(await rig.call([debit()])).toBe('200: round-1');
    expect(await rig.call([credit()])).toBe('200: credit-1');
    expect(await rig.call([end])).toBe('200: end-1');
    expect(await rig.call([voidOfDebit])).toBe('200: round-1');
    expect(rig.asked).toBe(0);
  });

  test('with debitCheckSilence allow they are allowed at once', async () => {
    rig = await CheckRig.create({ debitCheckSilence: 'allow' });
    expect(await breakIt(never)).toEqual(silent.map(() => '200'));
    expect([await timed([debit()]), rig.asked]).toEqual([['200: round-1', 0], 0]);
  });

  test('4 are not enough, nor 5 in more than 10 s', async () => {
    for (const pauseMs of [0, 10_001]) {
      rig.answer = () => null;
      for (let at = 0; at < 4; at++) await rig.stake();
      await rig.clock.pass(pauseMs);
      if (pauseMs > 0) expect(await rig.stake()).toBe('400 9008');
      rig.answer = () => yes;
      const before = rig.asked;
      expect([await rig.stake(), rig.asked - before]).toEqual(['200', 1]);
      await rig.clock.pass(20_000);
    }
  });

  test('once it has answered again it is asked as before', async () => {
    await breakIt();
    await rig.clock.pass(1001);
    for (let at = 0; at < 3; at++) expect(await rig.stake()).toBe('200');
    expect(rig.asked).toBe(3);
    await rig.clock.pass(10_001);
    rig.answer = () => null;
    await rig.stake();
    rig.answer = () => yes;
    expect(await rig.stake()).toBe('200');
  });

  test('the fifth within 10 s counts, however the wall clock is set meanwhile', async () => {
    rig.answer = () => null;
    for (let at = 0; at < 5; at++) {
      await rig.stake();
      rig.clock.setWallClock(at % 2 === 0 ? 60_000 : -60_000);
      if (at < 4) await rig.clock.pass(2490);
    }
    rig.answer = () => yes;
    expect(await rig.stake()).toBe('400 9008');
    await rig.clock.pass(1001);
    expect(await rig.stake()).toBe('200');
  });

  test('what was asked before still has its answer', async () => {
    rig.answer = async () => {
      await rig.clock.pause(300);
      return yes;
    };
    const waiting = rig.send([debit()]);
    await rig.clock.pass(1);
    rig.answer = () => null;
    for (let at = 0; at < 5; at++) await rig.stake();
    expect(await rig.stake()).toBe('400 9008');
    expect((await rig.clock.run(waiting)).line).toBe('200: round-1');
  });

  test('five at once break it as well as five after each other', async () => {
    rig.answer = never;
    const calls = [1, 2, 3, 4, 5].map((at) =>
      rig.send([debit(1, { hash: `r${at}` })], { gameRound: `r${at}` }),
    );
    const lines = (await rig.clock.run(Promise.all(calls))).map(({ line }) => line);
    expect(lines).toEqual([1, 2, 3, 4, 5].map((at) => `400 9008: r${at} 9008`));
    rig.answer = () => yes;
    expect([await rig.stake(), rig.asked]).toEqual(['400 9008', 5]);
  });

  test('a follow-up debit declined so leaves its round open', async () => {
    await rig.call([debit()]);
    await breakIt();
    expect(await rig.call([followUp('d2')])).toBe('400 9008: d2 9008');
    expect(await rig.state()).toBe('open');
  });
});
