import type { Round } from '../../../lib/rgs/rounds/round';
import { replyOf } from '../../../lib/rgs/rounds/query';
import type { Rig } from './rig';

/** Every round of the service. */
export function roundsOf({ service }: Rig): Round[] {
  return [...service.view().rounds];
}

/** What the rounds of the service took and paid, as its own book has it (B3). */
export function netOf(rounds: readonly Round[]): bigint {
  return rounds.reduce((net, round) => {
    // The void of its first debit takes the whole round back (E13).
    if (round.state === 'voided') return net;
    const debits = round.debits.filter(({ state }) => state === 'accepted');
    const staked = debits.reduce((sum, { due }) => sum + due.amount, 0n);
    return net + replyOf(round).amountCredited - staked;
  }, 0n);
}

/** Hashes that moved money more than once; a void takes the first effect back. */
export function movedTwice({ purse }: Rig): string[] {
  return [...purse.effects].filter(([, times]) => times > 1).map(([hash]) => hash);
}
