import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createMemoryLedger } from '../../../lib/proof';
import { doTransactions, type WalletStore } from '../../../lib/operator/wallet';
import { systemClock } from '../../../lib/platform';
import { unsignedDelivery } from '../../../lib/operator/gameround';

const player = { operatorId: 'casino', playerId: 'ann' };
const policy = { useBonusFirst: true, creditTo: 'real' } as const;
const end: Transaction = { type: 'end', hash: 'e' };

let trips: string[];
let store: WalletStore;

/** The same, and every call of these methods is noted by its name. */
function noted<T extends object>(part: T, methods: readonly string[], prefix: string): T {
  return new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || !methods.includes(String(name))) return value;
      return (...args: unknown[]): unknown => {
        trips.push(`${prefix} ${String(name)}`);
        return Reflect.apply(value, target, args);
      };
    },
  });
}

beforeEach(async () => {
  trips = [];
  const ledger = createMemoryLedger();
  await ledger.openPlayer({ ...player, currency: 'EUR', balances: { real: { units: 100n } } });
  const journal = createMemoryStore();
  store = createLedgerStore({
    ledger: noted(ledger, ['debit', 'credit', 'reverse', 'balances'], 'ledger'),
    journal: {
      ...journal,
      rounds: noted(journal.rounds, ['load', 'commit', 'readRound'], 'journal'),
    },
  });
});

function debit(hash: string, amount: bigint, isFirstDebit: boolean): Transaction {
  return { type: 'debit', hash, currency: 'EUR', amount, discount: 0n, isFirstDebit, serial: null };
}

function credit(hash: string, amount: bigint): Transaction {
  return { type: 'credit', hash, currency: 'EUR', amount, serial: null };
}

/** The trips that a call of a round takes. */
async function tripsOf(gameRound: string, ...transactions: Transaction[]): Promise<string[]> {
  trips.length = 0;
  const key = { ...player, gameRound };
  const call = { playerId: player.playerId, gameRound, gameCode: 'bells', transactions };
  const ports = { rounds: store.rounds, clock: systemClock, policy, deadlineMs: 5000 };
  const outcome = await doTransactions(key, call, unsignedDelivery('d'), ports);
  expect(outcome.unknown).toBeNull();
  expect(outcome.accounts).not.toBeNull();
  return [...trips];
}

describe('what a call costs in trips to the journal and to the ledger', () => {
  test('a call that opens a round writes to the journal twice, and loads nothing', async () => {
    expect(await tripsOf('r', debit('d', 10n, true), credit('c', 5n), end)).toEqual([
      'journal commit',
      'ledger debit',
      'ledger credit',
      'journal commit',
    ]);
  });

  test('a credit of 0 and an end ask nothing of the ledger but the balances', async () => {
    await tripsOf('r', debit('d', 10n, true));
    expect(await tripsOf('r', credit('c', 0n), end)).toEqual([
      'journal load',
      'journal commit',
      'ledger balances',
    ]);
  });

  test('a call of a round that is known loads it first', async () => {
    await tripsOf('r', debit('d', 10n, true));
    expect(await tripsOf('r', credit('c', 5n), end)).toEqual([
      'journal load',
      'journal commit',
      'ledger credit',
      'journal commit',
    ]);
  });

  test('a replay moves nothing, and reads the balances of now', async () => {
    await tripsOf('r', debit('d', 10n, true), end);
    expect(await tripsOf('r', end)).toEqual(['journal load', 'ledger balances']);
  });

  test('a declined debit is posted once, and its refusal is written', async () => {
    expect(await tripsOf('r', debit('d', 1000n, true))).toEqual([
      'journal commit',
      'ledger debit',
      'journal commit',
      'ledger balances',
    ]);
  });

  test('the void of a round marks it before anything is taken back', async () => {
    await tripsOf('r', debit('d', 10n, true), credit('c', 5n));
    const order: Transaction = { type: 'void', hash: 'd', amount: null, currency: null };
    expect(await tripsOf('r', order)).toEqual([
      'journal load',
      'journal readRound',
      'journal commit',
      'ledger reverse',
      'ledger reverse',
      'journal commit',
      'ledger balances',
    ]);
  });
});
