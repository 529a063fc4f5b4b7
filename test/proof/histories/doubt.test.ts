import { describe, expect, test } from '@jest/globals';

import { type HashEntry, noTexts, type RecordedOutcome } from '../../../lib/operator/gameround';
import { MovingDebits } from '../../../lib/proof/histories/doubt';
import { emptyPurse } from '../../../lib/protocol/money/purse';

const money = { currency: 'EUR', serial: null, purse: emptyPurse } as const;
const noted = { at: 1, fingerprints: noTexts } as const;
const unknownVoid: HashEntry = { void: { type: 'void', purse: emptyPurse, ...noted } };

/** A credit of 25 that moved nothing by its record. */
const credit = (outcome: RecordedOutcome): HashEntry => ({
  transaction: { type: 'credit', outcome, amount: 25n, ...money, ...noted },
});

/** A follow-up debit of 10 that moved nothing by its record. */
const debit = (outcome: RecordedOutcome): HashEntry => ({
  transaction: {
    type: 'debit',
    outcome,
    amount: 10n,
    discount: 0n,
    first: false,
    delivery: 'one',
    behind: noTexts,
    ...money,
    ...noted,
  },
});

/** What may have moved while a hash got this record, in a round that is voided since. */
function movedFor(before: HashEntry | null, after: HashEntry, isTogether = true): bigint[] {
  const moving = new MovingDebits();
  const compare = (entry: HashEntry | null, isVoided: boolean) => {
    const entries = new Map(entry === null ? [] : [['x', entry]]);
    return moving.compare(entries, isVoided, () => true, isTogether);
  };
  compare(before, false);
  return compare({ ...before, ...after }, true).guesses.map(({ units }) => units);
}

describe('what a ledger may have moved for a moment, though the record says nothing moved', () => {
  test('is a credit that a void dropped while it was in flight', () => {
    expect(movedFor(null, credit('GAMEROUNDVOIDED'))).toEqual([25n]);
  });

  test('is such a credit also where a void of its hash came before it (D5.5)', () => {
    expect(movedFor(unknownVoid, credit('GAMEROUNDVOIDED'))).toEqual([25n]);
  });

  test('is a debit that a void overtook', () => {
    expect(movedFor(null, debit('GAMEROUNDVOIDED'))).toEqual([-10n]);
    expect(movedFor(null, debit('unanswered'))).toEqual([-10n]);
  });

  const nothing: readonly (readonly [what: string, moved: () => bigint[]])[] = [
    [
      'a debit whose void came before it (D5.5)',
      () => movedFor(unknownVoid, debit('GAMEROUNDVOIDED')),
    ],
    [
      'a given-up debit whose void came before it',
      () => movedFor(unknownVoid, debit('unanswered')),
    ],
    [
      'a credit that was recorded before',
      () => movedFor(credit('GAMEROUNDNOTSTARTED'), credit('GAMEROUNDNOTSTARTED')),
    ],
    [
      'a credit recorded before whose hash was voided, too',
      () =>
        movedFor({ ...unknownVoid, ...credit('GAMEROUNDNOTACTIVE') }, credit('GAMEROUNDNOTACTIVE')),
    ],
    ['a credit that the ledger refused', () => movedFor(unknownVoid, credit('CREDITREFUSED'))],
    [
      'a credit that no other call met',
      () => movedFor(unknownVoid, credit('GAMEROUNDVOIDED'), false),
    ],
  ];

  test.each(nothing)('is not %s', (_, moved) => {
    expect(moved()).toEqual([]);
  });
});
