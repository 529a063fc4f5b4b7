import { afterEach, describe, expect, test } from '@jest/globals';
import {
  createExpiredRig,
  DAY_MS,
  type ExpiredRig,
  type ExpiredRigOptions,
  lineOf,
  retentionMs,
} from './expired-rig';
import { credit, debit, end, euros } from './rig';

const refused = '400 9010: round-1 9010';
const taken = '200: round-1';

let rig: ExpiredRig;

afterEach(() => rig.close());

/** How a first debit of that age is answered. */
async function answerTo(ageMs = 400 * DAY_MS): Promise<string> {
  return lineOf(await rig.call([debit(10, { timestamp: rig.ago(ageMs) })]));
}

describe('D10.2 expiredDebits', () => {
  test.each([
    [undefined, refused],
    ['refuse', refused],
    ['accept', taken],
  ] as const)('%s of a router: %s', async (expiredDebits, answer) => {
    rig = await createExpiredRig(expiredDebits && { expiredDebits }, 'Express 5');
    expect(await answerTo()).toBe(answer);
  });

  test('accept: a forgotten round is played again', async () => {
    rig = await createExpiredRig({ expiredDebits: 'accept' });
    const call = [debit(10, { timestamp: rig.ago() }), credit(20), end];
    for (const units of [euros(110), euros(120)]) {
      expect(lineOf(await rig.call(call))).toBe('200: round-1, credit-1, end-1');
      expect(await rig.balance()).toBe(units);
      rig.pass(retentionMs + DAY_MS);
    }
  });

  test('a value that is neither is refused by name', async () => {
    rig = await createExpiredRig();
    const wrong = { expiredDebits: 'never' } as unknown as ExpiredRigOptions;
    await expect(createExpiredRig(wrong)).rejects.toThrow(/expiredDebits/);
    await expect(createExpiredRig(wrong)).rejects.toBeInstanceOf(TypeError);
  });
});

describe('D10.2 the age follows from the retention and the tolerance of clocks', () => {
  test.each([
    ['an hour less than the retention', 30 * DAY_MS, 3_600_000, 30 * DAY_MS - 3_600_000],
    ['the retention less a second', 90 * DAY_MS, 1000, 90 * DAY_MS - 1000],
    ['never below the tolerance: a young debit by a slow clock is new', 3_600_000, DAY_MS, DAY_MS],
  ])('%s', async (_, keptMs, clockToleranceMs, ageMs) => {
    rig = await createExpiredRig({ retentionMs: keptMs, clockToleranceMs });
    expect(await answerTo(ageMs + 1)).toBe(refused);
    expect(await answerTo(ageMs - 1)).toBe(taken);
  });

  test('over a store that does not say how long it keeps rounds the rule is off', async () => {
    rig = await createExpiredRig({ saysRetention: false });
    expect(await answerTo()).toBe(taken);
  });
});

test('the id of DEBITEXPIRED can be set, as every other', async () => {
  rig = await createExpiredRig({ errors: { DEBITEXPIRED: { id: 77 } } });
  expect(await answerTo()).toBe('400 77: round-1 77');
});
