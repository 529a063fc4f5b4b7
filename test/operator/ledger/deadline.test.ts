import { beforeEach, expect, test } from '@jest/globals';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { createLedgerRig, debit, round } from './ledger-rig';
import { creditOf, send, voidOf } from './rounds';

let clock: VirtualClock;

beforeEach(() => {
  clock = new VirtualClock();
});

test('what a ledger does not answer is unknown at the deadline, though attempts would be left', async () => {
  const { store, ledger } = createLedgerRig({
    clock,
    attempts: 50,
    attemptTimeoutMs: 400,
    deadlineMs: 1000,
    breakAfter: 1000,
  });
  ledger.mood = 'hangs';
  const startedAt = clock.monotonicMs();
  expect(await clock.run(store.rounds.accounts(round))).toMatchObject({ kind: 'unknown' });
  expect(clock.monotonicMs() - startedAt).toBeGreaterThanOrEqual(1000);
  expect(clock.monotonicMs() - startedAt).toBeLessThanOrEqual(1400);
  const { length } = ledger.calls;
  await clock.pass(60_000);
  expect(ledger.calls).toHaveLength(length);
});

test('a void that takes back too much for one deadline gets through in several', async () => {
  const { store, ledger } = createLedgerRig({ clock, deadlineMs: 1000, breakAfter: 1000 });
  const credits = Array.from({ length: 200 }, (_, at) => creditOf(`c${at}`, 1n));
  await clock.run(send(clock, store, [debit, ...credits]));
  const { strict } = ledger;
  const reversed: string[] = [];
  ledger.reverse = async (posting) => {
    await clock.pause(100);
    reversed.push(posting.hash);
    return strict.reverse(posting);
  };
  const { verdicts } = await clock.run(send(clock, store, [voidOf('d1')]));
  expect(verdicts).toMatchObject([{ outcome: 'processed' }]);
  expect(new Set(reversed).size).toBe(201);
  expect(strict.balance.real).toBe(1000n);
});

test('a closed store ends postings in flight as unknown, and asks the ledger nothing more', async () => {
  const journal = createMemoryStore({ clock });
  const closed: string[] = [];
  const close = journal.close.bind(journal);
  journal.close = () => {
    closed.push('journal');
    return close();
  };
  const { store, ledger } = createLedgerRig({ clock, journal, attempts: 50, breakAfter: 1000 });
  ledger.mood = 'fails';
  const asking = store.rounds.accounts(round);
  await clock.pass(50);
  expect(ledger.calls.length).toBeGreaterThan(0);
  await clock.run(store.close());
  const { length } = ledger.calls;
  expect(closed).toEqual(['journal']);
  expect(await clock.run(asking)).toMatchObject({ kind: 'unknown' });
  expect(await clock.run(store.rounds.accounts(round))).toMatchObject({ kind: 'unknown' });
  expect(ledger.calls).toHaveLength(length);
});
