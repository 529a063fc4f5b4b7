import type { MoneyPolicy } from '../../../lib/operator/gameround';

/** Where the money is, and what each commit writes beside it. */
export interface Variant {
  readonly name: string;
  /** The store's table of accounts, or a table of the platform's. */
  readonly place: 'accounts' | 'own';
  readonly policy: MoneyPolicy;
  /** With a consumer of events. */
  readonly events: boolean;
  /** With the balances after each commit. */
  readonly history: boolean;
}

const realMoney: MoneyPolicy = { useBonusFirst: false, creditTo: 'real' };
const bonusMoney: MoneyPolicy = { useBonusFirst: true, creditTo: 'stakeShares' };

/** Together they reach every function of the store that writes. */
export const variants: readonly Variant[] = [
  { name: 'accounts', place: 'accounts', policy: realMoney, events: false, history: false },
  {
    name: 'accounts with events',
    place: 'accounts',
    policy: realMoney,
    events: true,
    history: false,
  },
  {
    name: 'accounts with bonus money, events and history',
    place: 'accounts',
    policy: bonusMoney,
    events: true,
    history: true,
  },
  { name: 'own tables with events', place: 'own', policy: realMoney, events: true, history: false },
];

/** The variant of this name. */
export function variantOf(name: string): Variant {
  const variant = variants.find((one) => one.name === name);
  if (variant === undefined) throw new Error(`no variant: ${name}`);
  return variant;
}

/** Whether players begin with bonus money. */
export function hasBonus({ policy }: Variant): boolean {
  return policy.useBonusFirst;
}
