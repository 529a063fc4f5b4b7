import type { Movement } from '../../../gameround';
import { isInRange, type Purse } from '../../../../protocol/money/purse';
import { maxUnits } from '../../../../protocol/money/amount';
import type { functions } from '../schema/functions';
import type { ValuesOf } from '../schema/statement';

/**
 * What the account must have for all movements of a change to succeed, in any order, each paid from the
 * real balance alone; and their sum. Where the bonus balance might pay (`splitDebit`), it does not apply.
 */
interface AccountGuard {
  readonly currency: string;
  /** The sum that they add to the real balance, in units. */
  readonly net: bigint;
  /** The least and the most real balance before them. */
  readonly lowest: bigint;
  readonly highest: bigint;
  /** Whether one of them is a take; a blocked player must have none. */
  readonly takes: boolean;
  /** Whether one is paid from the bonus balance first, if there is any. */
  readonly bonusFirst: boolean;
}

/** The guard of a change; null if its movements name several accounts, or move bonus. */
export function guardOf(movements: readonly Movement[]): AccountGuard | null {
  const [first] = movements;
  if (first === undefined) return null;
  const { currency } = first;
  let [net, lowest, highest] = [0n, -maxUnits, maxUnits];
  let [takes, bonusFirst] = [false, false];
  for (const movement of movements) {
    if (movement.currency !== currency) return null;
    if (movement.kind === 'take') {
      takes = true;
      bonusFirst ||= movement.bonusFirst;
      // A take of 0 succeeds with a balance below zero, too.
      if (movement.amount > 0n) lowest = greater(lowest, movement.amount - net);
      net -= movement.amount;
    } else {
      if (movement.purse.bonus !== 0n) return null;
      net += movement.purse.real;
    }
    lowest = greater(lowest, -maxUnits - net);
    highest = -greater(-highest, net - maxUnits);
  }
  return { currency, net, lowest, highest, takes, bonusFirst };
}

function greater(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

type GuardValues = Pick<
  ValuesOf<typeof functions.commitRound>,
  'in_currency' | 'net' | 'lowest' | 'highest' | 'takes' | 'bonus_first'
>;

const noGuard: GuardValues = {
  in_currency: null,
  net: null,
  lowest: null,
  highest: null,
  takes: null,
  bonus_first: null,
};

/** The arguments of a commit for its guard; none where a sum of the round leaves the range: the long path refuses it. */
export function guardValues(movements: readonly Movement[], sums: readonly Purse[]): GuardValues {
  const guard = sums.every(isInRange) ? guardOf(movements) : null;
  if (guard === null) return noGuard;
  const { currency, net, lowest, highest, takes, bonusFirst } = guard;
  return {
    in_currency: currency,
    net: String(net),
    lowest: String(lowest),
    highest: String(highest),
    takes,
    bonus_first: bonusFirst,
  };
}
