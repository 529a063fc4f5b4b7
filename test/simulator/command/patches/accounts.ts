import type { Patch } from './patch';

const accounts = 'operator/stores/memory/accounts.ts';

/** Bugs of accounts in several currencies, and of corrections. */
export const accountPatches: readonly Patch[] = [
  {
    name: 'a credit in another currency is paid',
    breaks: 'D4.7',
    file: 'operator/gameround/credit.ts',
    from: "if (head.currency !== credit.currency) return 'CURRENCYNOTSUPPORTED';",
    to: '',
  },
  {
    name: 'a debit in another currency is taken',
    breaks: 'D4: a round has one currency',
    file: 'operator/gameround/debit.ts',
    from: "if (head.currency !== null && head.currency !== debit.currency) return 'CURRENCYNOTSUPPORTED';",
    to: '',
  },
  {
    name: 'a repair pays in the currency of the round',
    breaks: 'D11.1',
    file: 'operator/gameround/repairs/pay.ts',
    from: 'const { currency, amount } = found.record;',
    to: 'const { amount } = found.record;\n  const { currency } = view.head;',
  },
  {
    name: 'a correction of bonus money is noted as real money',
    breaks: 'the books; every balance is right',
    file: accounts,
    from: 'note(player, { reference, kind, currency, balance: order.balance,',
    to: "note(player, { reference, kind, currency, balance: 'real',",
  },
  {
    name: 'a correction adds what it is to take',
    breaks: 'O1',
    file: 'operator/stores/check-input.ts',
    from: "kind: 'correction', units };",
    to: "kind: 'correction', units: units < 0n ? -units : units };",
  },
];
