import { expect, test } from '@jest/globals';
import type { HashEntry, RoundHead } from '../../../lib/operator/gameround';
import { stakeOf } from '../../../lib/operator/gameround/repairs/resolve';

const nothing = { real: 0n, bonus: 0n };

function stranded(currency: string | null): RoundHead {
  return { state: 'stranded', currency, debits: nothing, credits: nothing } as unknown as RoundHead;
}

function refused(currency: string, amount: bigint): [string, HashEntry] {
  const transaction = {
    type: 'credit',
    outcome: 'CREDITREFUSED',
    currency,
    amount,
  };
  return [`${currency}${amount}`, { transaction } as unknown as HashEntry];
}

const [euros, dollars, more] = [refused('EUR', 7n), refused('USD', 5n), refused('USD', 1n)];

test.each([
  ['the round has no currency', null, { currency: 'EUR', units: 7n, refusal: 'CREDITREFUSED' }],
  [
    'one is in the currency of the round',
    'USD',
    { currency: 'USD', units: 6n, refusal: 'CREDITREFUSED' },
  ],
  [
    'none is in the currency of the round',
    'CHF',
    { currency: 'EUR', units: 7n, refusal: 'CREDITREFUSED' },
  ],
])(
  'what is at stake in several currencies does not depend on the order of the records: %s (D11)',
  (_, currency, stake) => {
    for (const records of [
      [euros, dollars, more],
      [more, dollars, euros],
      [dollars, euros, more],
    ]) {
      expect(stakeOf({ head: stranded(currency), entries: new Map(records) })).toEqual(stake);
    }
  },
);
