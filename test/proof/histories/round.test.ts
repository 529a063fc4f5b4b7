import assert from 'node:assert/strict';

import { describe, expect, test } from '@jest/globals';

import {
  type HashEntry,
  noTexts,
  type RecordedOutcome,
  unseenRound,
} from '../../../lib/operator/gameround';
import { emptyPurse, type Purse } from '../../../lib/protocol/money/purse';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { PlayerBook } from '../../../lib/proof/histories/player';
import type { TransactionVerdict } from '../../../lib/proof/histories/answers';
import { createRoundReport } from '../../../lib/operator/wallet';

const real = (units: bigint): Purse => ({ real: units, bonus: 0n });
const seen = (units: bigint) => [{ currency: 'EUR', real: units, bonus: null }];
const money = { currency: 'EUR', serial: null } as const;
const noted = { at: 1, fingerprints: noTexts } as const;

const stake = { type: 'debit', amount: 10n, discount: 0n, ...money } as const;
const debit: Transaction = { ...stake, hash: 'd0', isFirstDebit: true };
const credit: Transaction = { type: 'credit', hash: 'c0', amount: 25n, ...money };
const end: Transaction = { type: 'end', hash: 'e0' };
const voiding: Transaction = { type: 'void', hash: 'd0', amount: null, currency: null };

const processed = (hash: string): TransactionVerdict => ({
  hash,
  outcome: 'processed',
  replay: false,
});
const asVoided = (hash: string): TransactionVerdict => {
  return { hash, outcome: 'refused', code: 'GAMEROUNDVOIDED', replay: false };
};

const takenDebit: HashEntry = {
  transaction: {
    ...stake,
    ...noted,
    outcome: 'accepted',
    first: true,
    delivery: 'one',
    behind: noTexts,
    purse: real(10n),
  },
};
const paidCredit = (purse: Purse): HashEntry => ({
  transaction: { type: 'credit', outcome: 'accepted', amount: 25n, purse, ...money, ...noted },
});
/** A follow-up debit that came before the first one. */
const early: Transaction = { ...stake, hash: 'd1', isFirstDebit: false };
const debitKeptAs = (outcome: RecordedOutcome, purse: Purse): HashEntry => ({
  transaction: {
    ...stake,
    ...noted,
    outcome,
    first: false,
    delivery: 'two',
    behind: noTexts,
    purse,
  },
});
const acceptedEnd: HashEntry = { transaction: { type: 'end', outcome: 'accepted', ...noted } };

test('a new debit that is processed though another of its call is not breaks D4.6', () => {
  const book = new PlayerBook({ real: 100n, bonus: null, dollars: false }, false);
  const refused = { hash: 'd1', outcome: 'refused', code: 'BALANCETOOLOW', replay: false } as const;
  expect(() => book.round(0).record([debit, early], [processed('d0'), refused])).toThrow(/^D4\.6/);
});

/** What a case changes: everything else is as a ledger may bring it about. */
interface Scene {
  readonly movesApart?: boolean;
  readonly isTogether?: boolean;
  /** What the credit gave by its record, and what the void gave back in all. */
  readonly paid?: bigint;
  readonly givenBack?: bigint;
  /** A balance that was seen during the calls, and the balance in the end. */
  readonly sight?: bigint;
  readonly left?: bigint;
  /** Whether the round was voided in a check before the credit came. */
  readonly isVoidedBefore?: boolean;
  /** A follow-up debit beside the credit, answered as voided as well: its record. */
  readonly early?: HashEntry;
}

/**
 * A round with a debit of 10 out of 100. Then two concurrent calls: a credit of 25 with an end, only
 * answered as voided though both are stored as accepted, and the void of the round.
 */
function play(scene: Scene): void {
  const { movesApart = true, isTogether = true, isVoidedBefore = false } = scene;
  const { paid = 25n, givenBack = -15n, sight = 115n, left = 100n } = scene;
  const book = new PlayerBook({ real: 100n, bonus: null, dollars: false }, movesApart);
  const round = book.round(0);
  const check = (entries: [string, HashEntry][], isVoided: boolean): void => {
    const open = { ...unseenRound, state: 'open' as const, currency: 'EUR', debits: real(10n) };
    const head = isVoided ? { ...open, state: 'voided' as const, debits: real(0n) } : open;
    const key = { operatorId: 'operator', playerId: 'player', gameRound: 'd0' };
    const report = createRoundReport(key, { head, entries: new Map(entries) }, 0);
    book.setEffect(0, round.check(report, isTogether));
  };
  round.record([debit], [processed('d0')]);
  book.did({ stages: [[new Map([['EUR', real(-10n)]])]] });
  check([['d0', takenDebit]], false);
  book.settle(seen(90n));
  const voidedBy = (purse: Purse): HashEntry => {
    return { ...takenDebit, void: { type: 'void', purse, ...noted } };
  };
  const tellVoid = (): void => {
    round.record([voiding], [processed('d0')]);
    const back = isVoidedBefore ? [real(10n)] : [real(10n), real(-25n)];
    book.did({ stages: [back.map((purse) => new Map([['EUR', purse]]))] });
  };
  if (isVoidedBefore) {
    tellVoid();
    check([['d0', voidedBy(real(10n))]], true);
    book.settle(seen(100n));
  }
  round.record([credit, end], [asVoided('c0'), asVoided('e0')]);
  if (scene.early !== undefined) round.record([early], [asVoided('d1')]);
  if (!isVoidedBefore) tellVoid();
  book.see(seen(sight), []);
  const entries: [string, HashEntry][] = [
    ['d0', voidedBy(real(givenBack))],
    ['c0', paidCredit(real(paid))],
    ['e0', acceptedEnd],
    ...(scene.early === undefined ? [] : [['d1', scene.early] as [string, HashEntry]]),
  ];
  check(entries, true);
  book.settle(seen(left));
}

const notStarted = debitKeptAs('GAMEROUNDNOTSTARTED', emptyPurse);

describe('a credit and an end answered as voided (D3.1) that are stored as accepted', () => {
  test('fit where a ledger did them by way of another call before the round was voided', () => {
    expect(() => play({})).not.toThrow();
  });

  test.each([75n, 90n, 100n, 115n])('let a balance of %d be seen meanwhile', (sight) => {
    expect(() => play({ sight })).not.toThrow();
  });

  test('are consistent with a debit that was refused before the void, and only answered as voided', () => {
    expect(() => play({ early: notStarted })).not.toThrow();
  });

  const wrong: readonly (readonly [what: string, scene: Scene, oracle: RegExp])[] = [
    ['in a store that keeps the money', { movesApart: false }, /^O3: .*stored as/],
    ['where no other call came at once', { isTogether: false }, /^O3: .*stored as/],
    ['where the round was voided before', { isVoidedBefore: true }, /^O3: .*stored as/],
    ['where the credit gave more than its amount', { paid: 26n, givenBack: -16n }, /^O1: /],
    ['where the void left the credit with the player', { givenBack: 10n }, /^O4: /],
    ['where the ledger left the credit with the player', { left: 125n }, /^O1: /],
    ['where the credit was seen twice', { sight: 140n }, /^O10: /],
    [
      'where the refused debit took money',
      { early: debitKeptAs('GAMEROUNDNOTSTARTED', real(10n)) },
      /^O1: /,
    ],
    [
      'where a debit beside them was accepted',
      { early: debitKeptAs('accepted', real(10n)), givenBack: -5n },
      /^O3: .*stored as/,
    ],
    ['where a part of the credit was seen', { sight: 95n }, /^O10: /],
  ];

  test.each(wrong)('do not fit %s', (_, scene, message) => {
    assert.throws(() => play(scene), { message });
  });
});
