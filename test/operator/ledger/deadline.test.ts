import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { VirtualTime } from '../../support/virtual-time';
import { createLedgerRig, debit, round } from './ledger-rig';
import { creditOf, send, voidOf } from './rounds';

let time: VirtualTime;

beforeEach(() => {
  time = new VirtualTime();
  time.install();
});

afterEach(() => time.uninstall());

test('what a ledger does not answer is unknown at the deadline, though attempts would be left', async () => {
  const { store, ledger } = createLedgerRig({
    attempts: 50,
    attemptTimeoutMs: 400,
    deadlineMs: 1000,
    breakAfter: 1000,
  });
  ledger.mood = 'hangs';
  const startedAt = Date.now();
  expect(await time.run(store.accounts(round))).toMatchObject({ kind: 'unknown' });
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1000);
  expect(Date.now() - startedAt).toBeLessThanOrEqual(1400);
  const { length } = ledger.calls;
  await time.pass(60_000);
  expect(ledger.calls).toHaveLength(length);
});

test('a void that takes back too much for one deadline gets through in several', async () => {
  const { store, ledger } = createLedgerRig({ deadlineMs: 1000, breakAfter: 1000 });
  const credits = Array.from({ length: 200 }, (_, at) => creditOf(`c${at}`, 1n));
  await time.run(send(store, [debit, ...credits]));
  const { strict } = ledger;
  const reversed: string[] = [];
  ledger.reverse = async (posting) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    reversed.push(posting.hash);
    return strict.reverse(posting);
  };
  const { verdicts } = await time.run(send(store, [voidOf('d1')]));
  expect(verdicts).toMatchObject([{ outcome: 'processed' }]);
  expect(new Set(reversed).size).toBe(201);
  expect(strict.balance.real).toBe(1000n);
});

test('a closed store ends postings in flight as unknown, and asks the ledger nothing more', async () => {
  const journal = createMemoryStore();
  const closed: string[] = [];
  const close = journal.close.bind(journal);
  journal.close = () => {
    closed.push('journal');
    return close();
  };
  const { store, ledger } = createLedgerRig({ journal, attempts: 50, breakAfter: 1000 });
  ledger.mood = 'fails';
  const asking = store.accounts(round);
  await time.pass(50);
  expect(ledger.calls.length).toBeGreaterThan(0);
  await time.run(store.close());
  const { length } = ledger.calls;
  expect(closed).toEqual(['journal']);
  expect(await time.run(asking)).toMatchObject({ kind: 'unknown' });
  expect(await time.run(store.accounts(round))).toMatchObject({ kind: 'unknown' });
  expect(ledger.calls).toHaveLength(length);
});
