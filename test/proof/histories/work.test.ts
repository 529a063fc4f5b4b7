import { describe, expect, test } from '@jest/globals';

import {
  type HashEntry,
  noTexts,
  type RoundState,
  unseenRound,
} from '../../../lib/operator/gameround';
import { type CallOutcome, createRoundReport } from '../../../lib/operator/wallet';
import { textOf } from '../../../lib/proof/histories/moments';
import { postingsOf } from '../../../lib/proof/histories/work';
import type { ErrorCode } from '../../../lib/protocol/operator-api/catalogue';
import { emptyPurse, type Purse } from '../../../lib/protocol/money/purse';

const real = (units: bigint): Purse => ({ real: units, bonus: 0n });
const money = { currency: 'EUR', serial: null } as const;
const noted = { at: 1, fingerprints: noTexts } as const;
const noMoney = { type: 'void', purse: emptyPurse, ...noted } as const;
const stake = { type: 'debit', delivery: 'one', discount: 0n, ...money, ...noted } as const;

/** A debit of 10 that was accepted, or refused and took nothing. */
function debit(first: boolean, behind: readonly string[] = [], code?: ErrorCode): HashEntry {
  const purse = code === undefined ? real(10n) : emptyPurse;
  const outcome = code ?? 'accepted';
  return { transaction: { ...stake, outcome, amount: 10n, first, behind, purse } };
}

function credit(outcome: 'accepted' | ErrorCode): HashEntry {
  const purse = outcome === 'accepted' ? real(10n) : emptyPurse;
  return { transaction: { type: 'credit', outcome, amount: 10n, purse, ...money, ...noted } };
}

/** What the ledger did for a void that gave back nothing in all, reversal by reversal. */
function reversalsOf(hash: string, state: RoundState, entries: Record<string, HashEntry>) {
  const key = { operatorId: 'operator', playerId: 'player', gameRound: 'd0' };
  const view = {
    head: { ...unseenRound, state, currency: 'EUR' },
    entries: new Map(Object.entries(entries)),
  };
  const report = createRoundReport(key, view, 0);
  const outcome: CallOutcome = {
    verdicts: [{ hash, outcome: 'processed', replay: false }],
    admission: 'admitted',
    unknown: null,
    accounts: null,
    currency: 'EUR',
    state,
    notes: [],
  };
  const transactions = [{ type: 'void', hash, amount: null, currency: null } as const];
  const policy = { useBonusFirst: false, creditTo: 'real' } as const;
  const works = postingsOf({ transactions, outcome, report, policy }, () => 'own');
  return works.flatMap(({ stages }) => stages.map((stage) => stage.map(textOf)));
}

const taken = 'EUR -10 real 0 bonus';
const given = 'EUR 10 real 0 bonus';
const voided = (entry: HashEntry, purse = emptyPurse): HashEntry => {
  return { ...entry, void: { ...noMoney, purse } };
};

describe('a void that gives back a debit and takes back a credit of as much (O10)', () => {
  test('of a first debit is a moment for each of them', () => {
    const entries = { d0: voided(debit(true)), c0: credit('accepted') };
    expect(reversalsOf('d0', 'voided', entries)).toEqual([[given, taken]]);
  });

  test('of a follow-up debit is a moment for each of them', () => {
    const d1 = voided(debit(false, ['c1']));
    const entries = { d0: debit(true), d1, c1: credit('DEBITFAILEDBEFORE') };
    expect(reversalsOf('d1', 'open', entries)).toEqual([[given, taken]]);
  });

  test('is not repeated by the void of the round', () => {
    const d1 = voided(debit(false, ['c1']));
    const d0 = voided(debit(true));
    const entries = { d0, c0: credit('accepted'), d1, c1: credit('DEBITFAILEDBEFORE') };
    expect(reversalsOf('d0', 'voided', entries)).toEqual([[given, taken]]);
  });

  test('is nothing where the round was voided before', () => {
    const d1 = voided(debit(false, ['c1']));
    const entries = { d0: voided(debit(true)), d1, c1: credit('accepted') };
    expect(reversalsOf('d1', 'voided', entries)).toEqual([]);
  });

  test('is nothing where the debit was refused', () => {
    const entries = { d0: voided(debit(true, [], 'BALANCETOOLOW')), c0: credit('accepted') };
    expect(reversalsOf('d0', 'voided', entries)).toEqual([]);
  });
});
