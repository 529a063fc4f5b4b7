import { beforeEach, expect, test } from '@jest/globals';
import { createLedgerStore } from '../../../lib/operator/ledger';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import type { CallOutcome } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { createLedgerRig, debit, type LedgerRig, round } from './ledger-rig';
import { creditOf, followUp, headIn, loseAnswers, outcomesIn, send, voidOf } from './rounds';

const end: Transaction = { type: 'end', hash: 'e1' };

let clock: VirtualClock;
let rig: LedgerRig;

beforeEach(async () => {
  clock = new VirtualClock();
  rig = createLedgerRig({ clock, attempts: 1, breakAfter: 1000 });
  await play(debit);
});

function play(...transactions: Transaction[]): Promise<CallOutcome> {
  return clock.run(send(clock, rig.store, transactions));
}

/** The same from a process that starts now, over the same ledger and journal. */
function playAfterRestart(...transactions: Transaction[]): Promise<CallOutcome> {
  const { ledger, journal } = rig;
  return clock.run(send(clock, createLedgerStore({ ledger, journal, clock }), transactions));
}

/** The credit's answer is lost: it stays pending, whether it was paid or not. */
async function losing(...transactions: Transaction[]): Promise<void> {
  const heal = loseAnswers(rig.ledger, 'credit');
  expect((await play(...transactions)).unknown).not.toBeNull();
  heal();
}

async function expectAsIfVoidedFirst(): Promise<void> {
  expect(rig.ledger.strict.balance.real).toBe(990n);
  expect(rig.ledger.strict.violations).toEqual([]);
  expect(await headIn(rig.journal)).toMatchObject({
    state: 'open',
    pending: null,
    debits: { real: 10n, bonus: 0n },
    credits: { real: 0n, bonus: 0n },
    credited: 0,
    ended: 0,
  });
  expect((await playAfterRestart(creditOf('c1', 500n), end)).verdicts).toMatchObject([
    { code: 'DEBITFAILEDBEFORE' },
    { code: 'DEBITFAILEDBEFORE' },
  ]);
}

test('the void of a follow-up debit reverses the keys of the debit and of the credits after it (D5.3)', async () => {
  await play(followUp('d2'), creditOf('c1', 500n), end);
  expect(rig.ledger.strict.balance.real).toBe(1480n);
  rig.ledger.calls.length = 0;
  expect((await playAfterRestart(voidOf('d2'))).verdicts).toMatchObject([{ outcome: 'processed' }]);
  expect(rig.ledger.asked.filter((method) => method === 'reverse')).toHaveLength(2);
  await expectAsIfVoidedFirst();
});

test('a credit after a known debit that is still pending is taken back with it, paid or not', async () => {
  await play(followUp('d2'));
  await losing(followUp('d2'), creditOf('c1', 500n), end);
  expect((await headIn(rig.journal)).pending?.posts).toMatchObject([
    { hash: 'c1', behind: 'd2' },
    { hash: 'e1', behind: 'd2' },
  ]);
  expect((await playAfterRestart(voidOf('d2'))).unknown).toBeNull();
  await expectAsIfVoidedFirst();
});

test('a credit that another process finished is still taken back with its debit', async () => {
  await play(followUp('d2'));
  await losing(followUp('d2'), creditOf('c1', 500n), end);
  // Another call of the round has to finish it first.
  expect((await playAfterRestart(followUp('d3'))).verdicts).toMatchObject([
    { code: 'GAMEROUNDNOTACTIVE' },
  ]);
  expect(await outcomesIn(rig.journal)).toContain('c1 accepted');
  expect((await playAfterRestart(voidOf('d2'))).unknown).toBeNull();
  await expectAsIfVoidedFirst();
});

test('a credit that the sweeper finished is still taken back with its debit', async () => {
  await play(followUp('d2'));
  await losing(followUp('d2'), creditOf('c1', 500n), end);
  const settled = await clock.run(rig.store.settle(round, { graceMs: 0, giveUpAfterMs: 0 }));
  expect(settled).toEqual({ kind: 'settled', state: 'closed' });
  expect(rig.ledger.strict.balance.real).toBe(1480n);
  expect((await playAfterRestart(voidOf('d2'))).unknown).toBeNull();
  await expectAsIfVoidedFirst();
});

test('a credit that was pending before the call of the debit stays paid', async () => {
  await losing(creditOf('c9', 70n));
  await play(followUp('d2'), creditOf('c1', 500n), end);
  expect((await playAfterRestart(voidOf('d2'))).unknown).toBeNull();
  expect(rig.ledger.strict.balance.real).toBe(1060n);
  expect(await outcomesIn(rig.journal)).toEqual([
    'c1 DEBITFAILEDBEFORE',
    'c9 accepted',
    'd1 accepted',
    'd2 accepted',
    'e1 DEBITFAILEDBEFORE',
  ]);
});
