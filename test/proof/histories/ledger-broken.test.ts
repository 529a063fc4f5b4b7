import { describe, expect, test } from '@jest/globals';

import { createMemoryLedger, ledgerContract, type MemoryLedger } from '../../../lib/proof';
import type {
  Ledger,
  LedgerCredit,
  LedgerDebit,
  LedgerDone,
  LedgerRefused,
  LedgerReversal,
} from '../../../lib/operator/wallet';

/** The names of the cases that a ledger fails, of those that have this in their name. */
async function failuresOf(
  change: (ledger: MemoryLedger) => Partial<Ledger>,
  part = '',
): Promise<string[]> {
  const cases: { readonly name: string; readonly run: () => Promise<void> }[] = [];
  const ledger = createMemoryLedger();
  const kept: Ledger = {
    debit: (posting, signal) => ledger.debit(posting, signal),
    credit: (posting, signal) => ledger.credit(posting, signal),
    reverse: (posting, signal) => ledger.reverse(posting, signal),
    balances: (player, signal) => ledger.balances(player, signal),
  };
  ledgerContract({
    runner: {
      describe: (_, define) => define(),
      it: (name, run) => cases.push({ name, run }),
      afterAll: () => undefined,
    },
    createLedger: () => ({ ledger: { ...kept, ...change(ledger) }, players: ledger }),
    seed: 1,
  });
  const played = cases.filter(({ name }) => name.includes(part));
  const failed: string[] = [];
  for (const { name, run } of played) await run().catch(() => failed.push(name));
  return failed;
}

let count = 0;

/** Another key for every attempt, as a ledger that does not look at keys would have it. */
function forget<T extends { readonly key: string }>(posting: T): T {
  count += 1;
  return { ...posting, key: `${posting.key} ${count}` };
}

const reversed = new Set<string>();

const faults = {
  'debits twice under one key': (ledger) => ({
    debit: (posting: LedgerDebit, signal) => ledger.debit(forget(posting), signal),
  }),
  'credits twice under one key': (ledger) => ({
    credit: (posting: LedgerCredit, signal) => ledger.credit(forget(posting), signal),
  }),
  'forgets a refusal': (ledger) => ({
    debit: async (posting: LedgerDebit, signal) => {
      const trial = await ledger.debit(forget({ ...posting, amount: posting.amount }), signal);
      if (trial.kind === 'refused') return trial;
      await ledger.credit(
        forget({ ...posting, purse: trial.paid ?? { real: posting.amount, bonus: 0n } }),
        signal,
      );
      return ledger.debit(posting, signal);
    },
  }),
  'does not note the reversal of what never arrived': (ledger) => {
    const arrived = new Set<string>();
    return {
      debit: (posting: LedgerDebit, signal) => {
        arrived.add(posting.key);
        return ledger.debit(posting, signal);
      },
      reverse: async (posting: LedgerReversal, signal) =>
        arrived.has(posting.key) ? ledger.reverse(posting, signal) : { kind: 'done' },
    };
  },
  'gives a debit back twice': (ledger) => ({
    reverse: async (posting: LedgerReversal, signal) => {
      const before = await ledger.balances(posting, signal);
      const answer = await ledger.reverse(posting, signal);
      const after = await ledger.balances(posting, signal);
      const given = (after?.[0]?.real ?? 0n) - (before?.[0]?.real ?? 0n);
      if (given <= 0n) return answer;
      const purse = { real: given, bonus: 0n };
      await ledger.credit(forget({ ...posting, currency: 'EUR', purse }), signal);
      return answer;
    },
  }),
  'refuses credits to a blocked player': (ledger) => ({
    credit: async (posting: LedgerCredit, signal) => {
      const probe = await ledger.debit(
        forget({ ...posting, amount: 0n, bonusFirst: false }),
        signal,
      );
      const isBlocked = probe.kind === 'refused' && probe.reason === 'blocked';
      return isBlocked ? probe : ledger.credit(posting, signal);
    },
  }),
  'pays from the other balance first': (ledger) => ({
    debit: (posting: LedgerDebit, signal) =>
      ledger.debit({ ...posting, bonusFirst: !posting.bonusFirst }, signal),
  }),
  'takes players whose names differ in case for one': (ledger) => {
    return {
      debit: (posting, signal) => ledger.debit(folded(posting), signal),
      credit: (posting, signal) => ledger.credit(folded(posting), signal),
      balances: (player, signal) => ledger.balances(folded(player), signal),
    };
  },
  'tells the accounts of the first time when asked again': (ledger) => {
    const answers = new Map<string, LedgerDone | LedgerRefused>();
    return {
      debit: async (posting, signal) => {
        const answer = answers.get(posting.key) ?? (await ledger.debit(posting, signal));
        answers.set(posting.key, answer);
        return answer;
      },
    };
  },
  'looks at the amount of a known key alone': (ledger) => {
    const debits = new Map<string, bigint>();
    return {
      debit: (posting, signal) => {
        debits.set(posting.key, posting.amount);
        return ledger.debit(posting, signal);
      },
      credit: async (posting, signal) =>
        debits.get(posting.key) === posting.purse.real
          ? { kind: 'done' }
          : ledger.credit(posting, signal),
    };
  },
  'refuses a reversal that was done': (ledger) => ({
    reverse: async (posting: LedgerReversal, signal) => {
      if (reversed.has(posting.key)) return { kind: 'refused', reason: 'refused' };
      reversed.add(posting.key);
      return ledger.reverse(posting, signal);
    },
  }),
} satisfies Record<string, (ledger: MemoryLedger) => Partial<Ledger>>;

describe('a ledger does not pass its contract that', () => {
  test.each([
    ['debits twice under one key', 'a debit moves once per key'],
    ['credits twice under one key', 'a credit moves once per key'],
    ['forgets a refusal', 'a refusal stays when funds come'],
    [
      'does not note the reversal of what never arrived',
      'what arrives after its reversal is refused',
    ],
    ['gives a debit back twice', 'a debit is given back once'],
    ['refuses credits to a blocked player', 'a blocked player is not debited, and is paid'],
    ['pays from the other balance first', 'real money pays first'],
    ['refuses a reversal that was done', 'a debit is given back once'],
    ['takes players whose names differ in case for one', 'any identifier is kept as it is'],
    [
      'tells the accounts of the first time when asked again',
      'the accounts of an answer are those of balances',
    ],
    ['looks at the amount of a known key alone', 'a key is refused for another kind'],
  ] as const)('%s: it fails the case "%s"', async (fault, name) => {
    const failed = await failuresOf(faults[fault], name);
    expect(failed).toContainEqual(expect.stringContaining(name));
  });
});

test('a ledger that is as it must be fails no case', async () => {
  expect(await failuresOf(() => ({}))).toEqual([]);
});

function folded<T extends { readonly playerId: string }>(posting: T): T {
  return { ...posting, playerId: posting.playerId === 'Anna' ? 'anna' : posting.playerId };
}
