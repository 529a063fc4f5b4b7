import type { DiscountCheck } from '../../../lib/operator/wallet';
import { isEligible } from '../plan/discounts';
import type { Lifetime } from '../world/lifetime';
import { exchange } from './exchange';

/** The operator's campaigns as one process asks them. What it does not know it throws, as the port says. */
export function farDiscounts(lifetime: Lifetime): DiscountCheck {
  return ({ round, debit }) => {
    return exchange({
      lifetime,
      name: round.gameRound,
      what: 'discount',
      work: async () => isEligible(debit.discount),
      keepsMoney: false,
      unknown: silent,
      enter: () => {},
      leave: () => {},
    });
  };
}

function silent(): never {
  throw new Error('The campaigns do not answer.');
}
