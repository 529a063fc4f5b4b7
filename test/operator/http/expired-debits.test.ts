import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createExpiredRig,
  DAY_MS,
  type ExpiredRig,
  type ExpiredRigOptions,
  lineOf,
  retentionMs,
} from './expired-rig';
import { credit, debit, end, euros, voidOfDebit } from './rig';

const variants = [
  ['that loads a round before it adds to it', { follows: false }],
  ['that adds to a running round in one trip', { follows: true }],
  ['whose credits go where the stakes came from', { creditTo: 'stakeShares' }],
] as const;

let rig: ExpiredRig;

function useRig(options: ExpiredRigOptions = {}): void {
  beforeEach(async () => {
    rig = await createExpiredRig(options);
  });
  afterEach(() => rig.close());
}

async function answerTo(...args: Parameters<ExpiredRig['call']>): Promise<string> {
  return lineOf(await rig.call(...args));
}

/** Plays a call now, and waits until the store has forgotten its round; the call as it was sent. */
async function forgotten(...more: readonly object[]): Promise<readonly object[]> {
  const played = [debit(10, { timestamp: rig.ago() }), ...more];
  expect((await rig.call(played)).status).toBe(200);
  if (!more.includes(end)) expect((await rig.call([end])).status).toBe(200);
  rig.pass(retentionMs + DAY_MS);
  expect(await rig.state()).toBeNull();
  return played;
}

describe.each(variants)('D10.2 with a store %s', (_, options) => {
  useRig(options);

  test('a first debit whose round was closed and forgotten is refused: 400, 9010, with the balances', async () => {
    const call = await forgotten();
    const answer = await rig.call(call);
    expect(lineOf(answer)).toBe('400 9010: round-1 9010');
    const error = { id: 9010, msg: expect.any(String), clientmsg: expect.any(String) };
    expect(answer.body).toMatchObject({
      errorCode: error,
      hashesProcessed: [{ hash: 'round-1', errorCode: error }],
      balances: [{ currency: 'EUR' }],
    });
  });

  test('no money moves and nothing is written, however often it comes: the answer stays the same', async () => {
    const call = await forgotten();
    const before = await rig.balance();
    const first = await rig.call(call);
    for (const days of [0, 1, 31, 400]) {
      rig.pass(days * DAY_MS);
      const again = await rig.call(call);
      expect([again.status, again.body]).toEqual([400, first.body]);
      expect([await rig.state(), await rig.balance()]).toEqual([null, before]);
    }
    expect(first.status).toBe(400);
  });

  test('what follows it in its call is declined with 9004, and pays nothing', async () => {
    const call = await forgotten(credit(20), end);
    const before = await rig.balance();
    for (let turn = 0; turn < 3; turn++) {
      expect(await answerTo(call)).toBe('400 9010: round-1 9010, credit-1 9004, end-1 9004');
      expect([await rig.state(), await rig.balance()]).toEqual([null, before]);
    }
  });

  test('a void in its call is processed and remembered: its debit moves nothing when it comes', async () => {
    const call = [...(await forgotten()), { type: 'void', hash: 'other' }];
    const before = await rig.balance();
    for (let turn = 0; turn < 2; turn++) {
      expect(await answerTo(call)).toBe('400 9010: round-1 9010, other');
    }
    const young = debit(10, { hash: 'other', timestamp: rig.ago() });
    expect(await answerTo([young])).toBe('400 9003: other 9003');
    expect(await rig.balance()).toBe(before);
  });

  test('a void before it in its call leaves the round without a first debit: it is refused as before', async () => {
    const call = [{ type: 'void', hash: 'other' }, ...(await forgotten())];
    const before = await rig.balance();
    for (let turn = 0; turn < 2; turn++) {
      expect(await answerTo(call)).toBe('400 9010: other, round-1 9010');
    }
    expect(await rig.balance()).toBe(before);
  });

  test('a stranded round is kept for ever: its debit of 400 days ago is answered by its record', async () => {
    const played = debit(10, { timestamp: rig.ago() });
    await rig.call([played, credit(5, { currency: 'USD' })]);
    expect(await rig.state()).toBe('stranded');
    rig.pass(400 * DAY_MS);
    expect(await answerTo([played])).toBe('200: round-1');
    expect(await answerTo([{ ...played, amount: 11 }])).toBe('400 37: round-1 37');
    expect([await rig.state(), await rig.balance()]).toEqual(['stranded', euros(90)]);
  });

  test('an open round is kept for ever: its call of 400 days ago is answered by its record, and pays its win once', async () => {
    const played = debit(10, { timestamp: rig.ago() });
    await rig.call([played]);
    rig.pass(400 * DAY_MS);
    for (let turn = 0; turn < 2; turn++) {
      expect(await answerTo([played, credit(20), end])).toBe('200: round-1, credit-1, end-1');
    }
    expect([await rig.state(), await rig.balance()]).toEqual(['closed', euros(110)]);
  });

  test('a round that was closed late is known for the retention after its close, whatever the age of its debit', async () => {
    const call = [debit(10, { timestamp: rig.ago() })];
    for (const gameRound of ['soon', 'late'])
      expect((await rig.call(call, { gameRound })).status).toBe(200);
    rig.pass(100 * DAY_MS);
    for (const gameRound of ['soon', 'late']) await rig.call([end], { gameRound });
    rig.pass(retentionMs - 1000);
    expect(await answerTo(call, { gameRound: 'soon' })).toBe('200: round-1');
    rig.pass(2000);
    expect(await answerTo(call, { gameRound: 'late' })).toBe('400 9010: round-1 9010');
    expect(await rig.balance()).toBe(euros(80));
  });

  test('a debit that the wallet declined is known for the retention, and expired after it', async () => {
    const call = [debit(1000, { timestamp: rig.ago() })];
    for (const gameRound of ['soon', 'late']) await rig.call(call, { gameRound });
    rig.pass(retentionMs - 1000);
    expect(await answerTo(call, { gameRound: 'soon' })).toBe('400 9001: round-1 9001');
    rig.pass(2000);
    expect(await answerTo(call, { gameRound: 'late' })).toBe('400 9010: round-1 9010');
  });

  test('a second first debit of a known round is 12, and its known hash in a voided round 9003, whatever their age', async () => {
    const timestamp = rig.ago(400 * DAY_MS);
    await rig.call([debit(10, { timestamp: rig.ago() })]);
    const second = debit(10, { hash: 'second', timestamp });
    expect(await answerTo([second])).toBe('400 12: second 12');
    await rig.call([voidOfDebit]);
    expect(await answerTo([debit(10, { timestamp })])).toBe('400 9003: round-1 9003');
    expect(await answerTo([second])).toBe('400 9003: second 9003');
  });

  test('a follow-up debit of an open round is taken, whatever its age', async () => {
    await rig.call([debit(10, { timestamp: rig.ago() })]);
    const timestamp = rig.ago(400 * DAY_MS);
    const followUp = debit(5, { isFirstDebit: false, hash: 'debit-2', timestamp });
    expect(await answerTo([followUp])).toBe('200: debit-2');
    const unmarked = debit(5, { isFirstDebit: undefined, hash: 'debit-3', timestamp });
    expect(await answerTo([unmarked, credit(1)])).toBe('200: debit-3, credit-1');
    expect(await rig.balance()).toBe(euros(81));
  });

  test('a follow-up debit of an unknown round stays 15, whatever its age', async () => {
    const timestamp = rig.ago(400 * DAY_MS);
    const followUp = debit(5, { isFirstDebit: false, hash: 'debit-2', timestamp });
    expect(await answerTo([followUp, credit()])).toBe('400 15: debit-2 15, credit-1 9004');
    expect(await rig.balance()).toBe(euros(100));
  });

  test('a round that was never started is not known, though it has a record: its old first debit is refused', async () => {
    const timestamp = rig.ago(400 * DAY_MS);
    await rig.call([debit(5, { isFirstDebit: false, hash: 'debit-2', timestamp }), end]);
    expect(await rig.state()).toBe('none');
    const old = [debit(10, { timestamp }), credit()];
    for (let turn = 0; turn < 2; turn++) {
      expect(await answerTo(old)).toBe('400 9010: round-1 9010, credit-1 9004');
    }
    expect([await rig.state(), await rig.balance()]).toEqual(['none', euros(100)]);
  });

  test('a debit whose own void came before is 9003, not expired (D5.5)', async () => {
    const timestamp = rig.ago(400 * DAY_MS);
    expect(await answerTo([voidOfDebit])).toBe('200: round-1');
    expect(await answerTo([debit(10, { timestamp })])).toBe('400 9003: round-1 9003');
    const hash = 'other';
    const more = { gameRound: 'round-2' };
    expect(await answerTo([{ type: 'void', hash }], more)).toBe('200: other');
    expect(await answerTo([debit(10, { hash, timestamp })], more)).toBe('400 9003: other 9003');
    expect(await rig.balance()).toBe(euros(100));
  });

  test('a void after it is answered as success, and from then on the debit is 9003', async () => {
    const old = debit(10, { timestamp: rig.ago(400 * DAY_MS) });
    expect(await answerTo([old])).toBe('400 9010: round-1 9010');
    expect(await answerTo([voidOfDebit])).toBe('200: round-1');
    expect(await answerTo([old])).toBe('400 9003: round-1 9003');
    expect([await rig.state(), await rig.balance()]).toEqual(['voided', euros(100)]);
  });

  test('it is no decline: a younger first debit of the round is taken afterwards, and its win is paid', async () => {
    const old = debit(10, { timestamp: rig.ago(400 * DAY_MS) });
    expect(await answerTo([old, credit(50)])).toBe('400 9010: round-1 9010, credit-1 9004');
    const young = debit(10, { hash: 'young', timestamp: rig.ago() });
    expect(await answerTo([young])).toBe('200: young');
    expect(await answerTo([credit(20), end])).toBe('200: credit-1, end-1');
    expect([await rig.state(), await rig.balance()]).toEqual(['closed', euros(110)]);
  });

  test('the same hash with a younger timestamp is taken: nothing of the refusal was kept', async () => {
    await rig.call([debit(10, { timestamp: rig.ago(400 * DAY_MS) })]);
    expect(await answerTo([debit(7, { timestamp: rig.ago() })])).toBe('200: round-1');
    expect(await rig.balance()).toBe(euros(93));
  });

  test('a debit of an unknown round is its first one also without isFirstDebit, or with another hash than the round', async () => {
    const timestamp = rig.ago(400 * DAY_MS);
    for (const more of [
      { isFirstDebit: undefined },
      { isFirstDebit: null },
      { isFirstDebit: 'true' },
      { isFirstDebit: true, hash: 'debit-1' },
      { isFirstDebit: undefined, hash: 'debit-1' },
    ]) {
      const { hash = 'round-1' } = more as { hash?: string };
      expect(await answerTo([debit(10, { ...more, timestamp })])).toBe(`400 9010: ${hash} 9010`);
    }
    expect([await rig.state(), await rig.balance()]).toEqual([null, euros(100)]);
  });

  test('a debit that says it is no first one, but has the hash of its round, is judged as a young one is', async () => {
    const more = { isFirstDebit: false };
    const young = await answerTo([debit(10, { ...more, timestamp: rig.ago() })], {
      gameRound: 'round-1',
    });
    const gameRound = 'round-2';
    const old = debit(10, { ...more, hash: gameRound, timestamp: rig.ago(400 * DAY_MS) });
    const expected = young.startsWith('200')
      ? `400 9010: ${gameRound} 9010`
      : `400 15: ${gameRound} 15`;
    expect(await answerTo([old], { gameRound })).toBe(expected);
  });

  test('a free play is a first debit as any other: it is refused, and uses nothing', async () => {
    const timestamp = rig.ago(400 * DAY_MS);
    const free = debit(0, { serial: 'S-1', freePlayUsed: true, timestamp });
    expect(await answerTo([free, credit(50)])).toBe('400 9010: round-1 9010, credit-1 9004');
    expect(await rig.balance()).toBe(euros(100));
  });

  test('a credit or an end is never refused for its age', async () => {
    const timestamp = rig.ago(400 * DAY_MS);
    const old = [credit(20, { timestamp }), { ...end, timestamp }];
    expect(await answerTo(old, { gameRound: 'unknown' })).toBe('400 15: credit-1 15, end-1 15');
    await rig.call([debit(10, { timestamp: rig.ago() })]);
    expect(await answerTo(old)).toBe('200: credit-1, end-1');
    expect(await rig.balance()).toBe(euros(110));
  });

  test('a young debit with an old credit and an old end in its call is taken with them', async () => {
    const timestamp = rig.ago(400 * DAY_MS);
    const call = [
      debit(10, { timestamp: rig.ago() }),
      credit(20, { timestamp }),
      { ...end, timestamp },
    ];
    expect(await answerTo(call)).toBe('200: round-1, credit-1, end-1');
  });

  test('the debits of a call stand or fall together: young ones around an expired one are not taken (D4.6)', async () => {
    const old = debit(10, { timestamp: rig.ago(400 * DAY_MS) });
    const young = debit(5, { isFirstDebit: false, hash: 'debit-2', timestamp: rig.ago() });
    expect(await answerTo([old, young, credit()])).toBe(
      '400 9010: round-1 9010, debit-2 9004, credit-1 9004',
    );
    const more = { gameRound: 'round-2' };
    const late = debit(5, { hash: 'debit-2', timestamp: rig.ago(399 * DAY_MS) });
    expect(await answerTo([old, late], more)).toBe('400 9010: round-1 9010, debit-2 9004');
    const unstarted = { ...old, isFirstDebit: false, hash: 'debit-3' };
    expect([await rig.state(), await rig.state('round-2')]).toEqual([null, null]);
    expect(await answerTo([unstarted, old], more)).toBe('400 15: debit-3 15, round-1 9004');
    expect(await rig.balance()).toBe(euros(100));
  });

  test('an old follow-up debit in the call of a young first debit is taken: the round is started by then', async () => {
    const first = debit(10, { timestamp: rig.ago() });
    const timestamp = rig.ago(400 * DAY_MS);
    const unmarked = debit(5, { isFirstDebit: undefined, hash: 'debit-2', timestamp });
    const followUp = debit(5, { isFirstDebit: false, hash: 'debit-3', timestamp });
    expect(await answerTo([first, unmarked, followUp])).toBe('200: round-1, debit-2, debit-3');
    expect(await rig.balance()).toBe(euros(80));
  });

  test('copies of a call at once are all refused, beside a young call of another round that is taken', async () => {
    const call = await forgotten(credit(20), end);
    const before = await rig.balance();
    const young = [debit(10, { hash: 'young', timestamp: rig.ago() })];
    const copies = Array.from({ length: 5 }, () => answerTo(call));
    expect(await answerTo(young, { gameRound: 'young' })).toBe('200: young');
    const refused = '400 9010: round-1 9010, credit-1 9004, end-1 9004';
    expect(await Promise.all(copies)).toEqual(Array(5).fill(refused));
    expect([await rig.state(), await rig.balance()]).toEqual([null, before - euros(10)]);
  });

  test('what follows a void in its call is not written either: its hashes are new when the round is played', async () => {
    const old = debit(10, { timestamp: rig.ago(400 * DAY_MS) });
    const call = [old, { type: 'void', hash: 'other' }, credit(20), end];
    for (let turn = 0; turn < 2; turn++) {
      expect(await answerTo(call)).toBe('400 9010: round-1 9010, other, credit-1 9004, end-1 9004');
    }
    expect(await answerTo([debit(10, { hash: 'young', timestamp: rig.ago() })])).toBe('200: young');
    expect(await answerTo([credit(20), end])).toBe('200: credit-1, end-1');
    expect([await rig.state(), await rig.balance()]).toEqual(['closed', euros(110)]);
  });

  test('a void between two debits is processed, and neither of them is', async () => {
    const old = debit(10, { timestamp: rig.ago(400 * DAY_MS) });
    const young = debit(5, { isFirstDebit: undefined, hash: 'debit-2', timestamp: rig.ago() });
    expect(await answerTo([old, { type: 'void', hash: 'other' }, young])).toBe(
      '400 9010: round-1 9010, other, debit-2 9004',
    );
    expect(await rig.balance()).toBe(euros(100));
  });

  test('an expired debit that the wallet would decline anyway is 9010: age comes before the wallet (D4.10)', async () => {
    const timestamp = rig.ago(400 * DAY_MS);
    for (const wrong of [{ amount: 1000 }, { currency: 'USD' }, { discountAmount: 5 }]) {
      expect(await answerTo([debit(10, { ...wrong, timestamp })])).toBe('400 9010: round-1 9010');
    }
    expect(await rig.state()).toBeNull();
  });
});
