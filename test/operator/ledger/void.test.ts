import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { CallOutcome, LedgerReversal, RoundReport } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { createLedgerRig, debit, type LedgerRig, round } from './ledger-rig';
import { creditOf, followUp, headIn, loseAnswers, send, voidOf } from './rounds';

const atOnce = { graceMs: 0, giveUpAfterMs: 0 };

let clock: VirtualClock;
let rig: LedgerRig;

beforeEach(() => {
  clock = new VirtualClock();
  rig = createLedgerRig({ clock, attempts: 1, breakAfter: 1000 });
});

function play(...transactions: Transaction[]): Promise<CallOutcome> {
  return clock.run(send(clock, rig.store, transactions));
}

const real = (): bigint => rig.ledger.strict.balance.real;

test("a round's void takes back the debits that were answered as unknown (D7)", async () => {
  await play(debit);
  const heal = loseAnswers(rig.ledger, 'debit');
  expect((await play(followUp('d2'))).unknown).not.toBeNull();
  heal();
  expect(await clock.run(rig.store.settle(round, atOnce))).toMatchObject({ state: 'cancelled' });
  expect(real()).toBe(980n);
  expect((await play(voidOf('d1'))).verdicts).toMatchObject([{ outcome: 'processed' }]);
  expect(real()).toBe(1000n);
  expect(await headIn(rig.journal)).toMatchObject({ state: 'voided', unanswered: 0 });
});

test('a first debit after its void voids the round, which gives all back at once (D5.5)', async () => {
  const heal = loseAnswers(rig.ledger, 'debit');
  expect((await play(debit)).unknown).not.toBeNull();
  heal();
  expect(await clock.run(rig.store.settle(round, atOnce))).toMatchObject({ state: 'cancelled' });
  await play(voidOf('x1'));
  expect(real()).toBe(990n);
  const answer = { outcome: 'refused', code: 'GAMEROUNDVOIDED' };
  expect((await play({ ...debit, hash: 'x1' })).verdicts).toMatchObject([answer]);
  expect(await headIn(rig.journal)).toMatchObject({ state: 'voided', pending: null });
  expect(real()).toBe(1000n);
  expect((await play(voidOf('d1'))).verdicts).toMatchObject([{ outcome: 'processed' }]);
  expect(real()).toBe(1000n);
});

test('a void takes back nothing on the word of a report that is older than the round', async () => {
  const journal = createMemoryStore({ clock });
  rig = createLedgerRig({ clock, attempts: 1, journal });
  await play(debit);
  const older = (await journal.rounds.readRound(round)) as RoundReport;
  await play(creditOf('c1'));
  const read = journal.rounds.readRound.bind(journal.rounds);
  const reports = [older, null];
  journal.rounds.readRound = async (key) => {
    const report = reports.shift();
    return report === undefined ? read(key) : report;
  };
  expect((await play(voidOf('d1'))).verdicts).toMatchObject([{ outcome: 'processed' }]);
  expect(reports).toEqual([]);
  expect(real()).toBe(1000n);
});

describe('a void that takes back more than one go', () => {
  const credits = Array.from({ length: 70 }, (_, at) => creditOf(`c${at}`, 1n));
  let reversed: string[];
  let journalled: (readonly string[])[];

  beforeEach(async () => {
    await play(debit, ...credits);
    expect(real()).toBe(1060n);
    [reversed, journalled] = [[], []];
    const commit = rig.journal.rounds.commit.bind(rig.journal.rounds);
    rig.journal.rounds.commit = (key, change) => {
      journalled.push(change.after.pending?.reversals ?? []);
      return commit(key, change);
    };
  });

  /** Lets the ledger answer so many reversals, and fail from then on. */
  function failAfter(count: number): void {
    const { strict } = rig.ledger;
    rig.ledger.reverse = async (posting: LedgerReversal) => {
      if (reversed.length >= count) throw new Error('The ledger is out of order.');
      reversed.push(posting.hash);
      return strict.reverse(posting);
    };
  }

  test('notes nothing as taken back before it is', async () => {
    failAfter(5);
    expect((await play(voidOf('d1'))).unknown).not.toBeNull();
    expect(await left()).toBe(71);
    expect(reversed).toHaveLength(5);
  });

  test('asks for the rest alone where the ledger failed in between', async () => {
    failAfter(66);
    expect((await play(voidOf('d1'))).unknown).not.toBeNull();
    expect(await left()).toBe(7);
    const done = new Set(reversed.slice(0, 64));
    reversed.length = 0;
    failAfter(1000);
    expect((await play(voidOf('d1'))).verdicts).toEqual([
      { hash: 'd1', outcome: 'processed', replay: true },
    ]);
    expect(reversed).toHaveLength(7);
    expect(reversed.filter((hash) => done.has(hash))).toEqual([]);
    expect(real()).toBe(1000n);
    expect(await left()).toBe(0);
  });

  test('has each of them in the journal until it is done, and asks for each once', async () => {
    failAfter(1000);
    expect((await play(voidOf('d1'))).unknown).toBeNull();
    expect(journalled.map((list) => list.length)).toEqual([71, 7, 0]);
    expect(reversed).toHaveLength(71);
    expect(new Set(reversed).size).toBe(71);
    expect(real()).toBe(1000n);
  });

  test('is not reported as done by another process before the rest is done', async () => {
    failAfter(66);
    expect((await play(voidOf('d1'))).unknown).not.toBeNull();
    const { ledger, journal } = rig;
    const other = createLedgerRig({ clock, ledger, journal, attempts: 1, breakAfter: 1000 });
    expect((await clock.run(send(clock, other.store, [voidOf('d1')]))).unknown).not.toBeNull();
    failAfter(1000);
    expect((await clock.run(send(clock, other.store, [voidOf('d1')]))).unknown).toBeNull();
    expect(real()).toBe(1000n);
  });
});

/** Reversals that are still to be done. */
async function left(): Promise<number> {
  return (await headIn(rig.journal)).pending?.reversals.length ?? 0;
}
