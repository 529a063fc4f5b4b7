import { describe, expect, test } from '@jest/globals';

import type { CallOutcome } from '../../../lib/operator/wallet';
import { withdrawnBy } from '../../../lib/proof/histories/orders';
import type { Call, Transaction } from '../../../lib/protocol/operator-api/transaction';

const money = { currency: 'EUR', amount: 10n, serial: null } as const;
const first: Transaction = {
  type: 'debit',
  hash: 'd0',
  discount: 0n,
  isFirstDebit: true,
  ...money,
};
const followUp: Transaction = { ...first, hash: 'd1', isFirstDebit: false };
const credit: Transaction = { type: 'credit', hash: 'c0', ...money };

const processed = { outcome: 'processed', replay: false } as const;
const refused = { outcome: 'refused', code: 'BALANCETOOLOW', replay: false } as const;
const isUnknown = { cause: new Error('no answer') };

function withdrawn(
  transactions: readonly Transaction[],
  verdicts: CallOutcome['verdicts'],
  unknown: CallOutcome['unknown'],
  lost?: { readonly arrives: boolean },
): readonly string[] {
  const call: Call = { playerId: 'p', gameCode: 'game', gameRound: 'd0', transactions };
  const order = { player: 0, round: 0, transactions, ...(lost && { lost }) };
  return withdrawnBy(call, order, { verdicts, unknown });
}

describe('the debits that the RGS withdraws in a history (W2)', () => {
  const done = { ...processed, hash: 'd0' };

  test('a call that is answered whole withdraws none', () => {
    expect(withdrawn([first], [done], null)).toEqual([]);
    expect(withdrawn([first], [{ ...refused, hash: 'd0' }], null)).toEqual([]);
  });

  test('a call whose second debit is unknown is answered 5xx: both are withdrawn (D7)', () => {
    expect(withdrawn([first, followUp], [done], isUnknown)).toEqual(['d0', 'd1']);
  });

  test('a call whose credit is unknown behind an accepted debit withdraws the debit (D7)', () => {
    expect(withdrawn([first, credit], [done], isUnknown)).toEqual(['d0']);
  });

  test('a call without a debit withdraws nothing, though its credit is unknown', () => {
    expect(withdrawn([credit], [], isUnknown)).toEqual([]);
  });

  test('a call whose answer is lost withdraws every debit, whatever it came to', () => {
    const lost = { arrives: true };
    expect(withdrawn([first, followUp], [done], null, lost)).toEqual(['d0', 'd1']);
  });
});
