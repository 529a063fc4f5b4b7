import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { type CallOutcome, doTransactions, type LedgerPosting } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { createLedgerRig, debit, type LedgerRig, round } from './ledger-rig';
import { creditOf, headIn, loseAnswers, send, voidOf } from './rounds';
import { unsignedDelivery } from '../../../lib/operator/gameround';

let clock: VirtualClock;
let rig: LedgerRig;

beforeEach(() => {
  clock = new VirtualClock();
  rig = createLedgerRig({ clock, attempts: 1, breakAfter: 1000 });
});

function play(...transactions: Transaction[]): Promise<CallOutcome> {
  return clock.run(send(clock, rig.store, transactions));
}

/** Notes the game code of each posting. */
function noteGameCodes(): string[] {
  const { ledger } = rig;
  const told: string[] = [];
  for (const method of ['debit', 'credit', 'reverse'] as const) {
    const ask = ledger[method].bind(ledger) as (...args: unknown[]) => Promise<never>;
    ledger[method] = (posting: LedgerPosting, signal: AbortSignal) => {
      told.push(`${method} ${posting.gameCode}`);
      return ask(posting, signal);
    };
  }
  return told;
}

describe('what the ledger is asked', () => {
  test('has the game of the round, also at its first posting and its reversal', async () => {
    const told = noteGameCodes();
    await play(debit, creditOf('c1'));
    await play(voidOf('d1'));
    expect(new Set(told)).toEqual(new Set(['debit bells', 'credit bells', 'reverse bells']));
  });

  test('is the amount of a debit less its discount', async () => {
    const { store, ledger } = rig;
    const discounted = { ...debit, discount: 4n } as Transaction;
    const call = { ...round, gameCode: 'bells', transactions: [discounted] };
    const policy = { useBonusFirst: true, creditTo: 'real' } as const;
    const ports = { rounds: store.rounds, clock, deadlineMs: 5000, policy, discountCheck };
    const { verdicts } = await clock.run(doTransactions(round, call, unsignedDelivery('d'), ports));
    expect(verdicts).toMatchObject([{ outcome: 'processed' }]);
    expect(ledger.strict.balance.real).toBe(994n);
  });
});

test('a credit of 0 is not posted, and the debit of a free play is', async () => {
  const free = { ...debit, amount: 0n, serial: 'package-1' } as Transaction;
  const { verdicts } = await play(free, creditOf('c1', 0n));
  expect(verdicts.map(({ outcome }) => outcome)).toEqual(['processed', 'processed']);
  expect(rig.ledger.asked).toEqual(['debit']);
});

describe('an intent', () => {
  test('keeps its age and its game when more is written down beside it', async () => {
    const heal = loseAnswers(rig.ledger, 'debit');
    expect((await play(debit)).unknown).not.toBeNull();
    const first = await headIn(rig.journal);
    expect(first).toMatchObject({ gameCode: 'bells', version: 1 });
    await clock.pass(5000);
    expect((await play(debit, creditOf('c1'))).unknown).not.toBeNull();
    const { pending } = await headIn(rig.journal);
    expect(pending?.posts.map(({ hash }) => hash)).toEqual(['d1', 'c1']);
    expect(pending?.since).toBe(first.pending?.since);
    heal();
    expect((await play(debit, creditOf('c1'))).unknown).toBeNull();
    expect(rig.ledger.strict.balance.real).toBe(997n);
  });
});

async function discountCheck(): Promise<boolean> {
  return true;
}
