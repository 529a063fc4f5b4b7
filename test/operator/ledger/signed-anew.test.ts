import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Delivery } from '../../../lib/operator/gameround';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { type CallOutcome, doTransactions } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { createLedgerRig, debit, type LedgerRig, playerId, round } from './ledger-rig';
import { creditOf, followUp, headIn, outcomesIn, voidOf } from './rounds';

let clock: VirtualClock;
let rig: LedgerRig;
let signatures = 0;

beforeEach(async () => {
  clock = new VirtualClock();
  rig = createLedgerRig({ clock, attempts: 1, breakAfter: 1000 });
  await anew(debit);
});

/** Sends a call under a fingerprint: 4 characters of its signature, 8 of its body. */
function under(fingerprint: string, ...transactions: Transaction[]): Promise<CallOutcome> {
  const { store } = rig;
  const policy = { useBonusFirst: true, creditTo: 'real' } as const;
  const ports = { rounds: store.rounds, clock, deadlineMs: 5000, policy };
  const delivery: Delivery = { id: `d${signatures++}`, fingerprint, isOtherBody: false };
  const call = { playerId, gameRound: round.gameRound, gameCode: 'bells', transactions };
  return clock.run(doTransactions(round, call, delivery, ports));
}

/** Sends a call that is signed anew. */
function anew(...transactions: Transaction[]): Promise<CallOutcome> {
  return under(`${String(signatures).padStart(4, '0')}bodybody`, ...transactions);
}

const real = (): bigint => rig.ledger.strict.balance.real;

describe('a call that begins with a void that is known, signed anew', () => {
  beforeEach(async () => {
    await anew(followUp('d2'));
    await anew(voidOf('d2'));
    rig.ledger.calls.length = 0;
  });

  test('posts the credit after it', async () => {
    const { verdicts } = await anew(voidOf('d2'), creditOf('c1', 500n));
    expect(verdicts).toMatchObject([{ outcome: 'processed' }, { outcome: 'processed' }]);
    expect(rig.ledger.asked).toEqual(['credit']);
    expect(real()).toBe(1490n);
  });

  test('checks the funds of the debit after it', async () => {
    const { verdicts } = await anew(voidOf('d2'), { ...followUp('d3'), amount: 999_999n });
    expect(verdicts).toMatchObject([{ outcome: 'processed' }, { code: 'BALANCETOOLOW' }]);
    expect(real()).toBe(990n);
  });

  test('continues with the credit that the ledger did not answer', async () => {
    Object.assign(rig.ledger, { moodOf: ['credit'], mood: 'fails' });
    expect((await anew(voidOf('d2'), creditOf('c1', 500n))).unknown).not.toBeNull();
    rig.ledger.mood = 'answers';
    expect((await anew(voidOf('d2'), creditOf('c1', 500n))).unknown).toBeNull();
    expect(real()).toBe(1490n);
    expect(await headIn(rig.journal)).toMatchObject({ pending: null, credited: 1 });
  });
});

test('a credit after a void of its hash stays paid, whatever voids are resent (D5.5)', async () => {
  await anew(voidOf('x'));
  await anew(creditOf('x', 500n));
  await anew(voidOf('x'), voidOf('y'));
  expect(real()).toBe(1490n);
  expect(await outcomesIn(rig.journal)).toContain('x accepted');
});

test('a pending credit keeps each signature it came under: none of them carries another body (D1.8)', async () => {
  Object.assign(rig.ledger, { moodOf: ['credit'], mood: 'fails' });
  const call = [creditOf('7001', 5n), creditOf('7002', 1n)];
  expect((await under('aaaaBODY0001', ...call)).unknown).not.toBeNull();
  expect((await under('bbbbBODY0002', ...call)).unknown).not.toBeNull();
  rig.ledger.mood = 'answers';
  const moved: Transaction[] = [{ type: 'end', hash: '7001' }, creditOf('5', 7002n)];
  for (const fingerprint of ['aaaaFORGED01', 'bbbbFORGED02']) {
    expect(await under(fingerprint, ...moved)).toMatchObject({ admission: 'otherBody' });
  }
  expect((await under('ccccBODY0003', ...call)).unknown).toBeNull();
  expect(real()).toBe(996n);
});

describe('a call that repeats the round’s first debit before the last of its debits, one of which the ledger refuses', () => {
  const tooHigh = { ...followUp('d2'), amount: 999_999n };
  const refusals = [
    { hash: 'd2', code: 'BALANCETOOLOW' },
    { hash: 'd1', outcome: 'processed' },
    { hash: 'd3', code: 'DEBITFAILEDBEFORE' },
  ];

  test('is refused, and not taken for a copy of itself (D4.6, P13)', async () => {
    const { verdicts, unknown } = await anew(tooHigh, debit, followUp('d3'));
    expect({ verdicts, unknown }).toMatchObject({ verdicts: refusals, unknown: null });
    expect(await headIn(rig.journal)).toMatchObject({ state: 'open', pending: null });
    expect(real()).toBe(990n);
  });

  test('is paid the win that it begins with (D4.6)', async () => {
    const { verdicts, unknown } = await anew(creditOf('c1'), tooHigh, debit, followUp('d3'));
    const paid = { hash: 'c1', outcome: 'processed' };
    expect({ verdicts, unknown }).toMatchObject({ verdicts: [paid, ...refusals], unknown: null });
    expect(await headIn(rig.journal)).toMatchObject({ state: 'open', pending: null });
    expect(real()).toBe(997n);
  });
});
