import {
  addPurses,
  emptyPurse,
  isInRange,
  splitDebit,
  subtractPurses,
} from '../../../protocol/money/purse';
import { isRepairHash } from '../repair';
import type { AccountBalance, Movement, RoundChange } from '../change';

/**
 * The first movement that may take a sum of the round out of the range that stores keep. How the ledger splits a debit
 * is known only once it is posted, so its whole amount must fit into either sum.
 */
export function outOfRange({ before, movements }: RoundChange): Movement | null {
  let { debits, credits } = before;
  for (const movement of movements) {
    if (movement.kind === 'take') {
      debits = addPurses(debits, { real: movement.amount, bonus: movement.amount });
    }
    if (movement.kind === 'give' && !isRepairHash(movement.hash)) {
      credits = addPurses(credits, movement.purse);
    }
    if (!isInRange(debits) || !isInRange(credits)) return movement;
  }
  return null;
}

/** Whether a movement of a change is a debit above these funds, after the movements before it. */
export function isTooLow(
  { movements }: RoundChange,
  movement: Movement,
  accounts: readonly AccountBalance[] | null,
): boolean {
  if (movement.kind !== 'take') return false;
  const { currency } = movement;
  const account = accounts?.find((one) => one.currency === currency);
  if (account === undefined) return false;
  let has = { real: account.real, bonus: account.bonus ?? 0n };
  for (const one of movements) {
    if (one.currency !== currency) continue;
    if (one.kind !== 'take') {
      has = addPurses(has, one.purse);
      continue;
    }
    const paid = splitDebit(one.amount, has, one.bonusFirst);
    if (one === movement) return paid === null;
    has = subtractPurses(has, paid ?? emptyPurse);
  }
  return false;
}
