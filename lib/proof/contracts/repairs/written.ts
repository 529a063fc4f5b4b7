import type { Repair } from '../../../operator/gameround';
import type { RoundKey, WalletStore } from '../../../operator/wallet';
import { commitNext } from '../changes';
import { anna } from './round-play';

/** When the repairs of a case begin, in milliseconds since 1970. */
export const since = 1_700_000_000_000;

/** Writes repairs to a new round of a player. */
export async function writeRepairs(
  store: WalletStore,
  round: RoundKey,
  list: readonly Repair[],
): Promise<void> {
  const repairs = { list, closed: null };
  await commitNext(store, round, [], { state: 'stranded', changedAt: since, repairs });
}

/** A proposal of Anna's, or with what is given. */
export function repairAt(id: string, proposedAt: number, more: Partial<Repair> = {}): Repair {
  return {
    id,
    kind: 'resolve',
    status: 'proposed',
    hash: null,
    currency: 'EUR',
    amount: 5n,
    purse: { real: 0n, bonus: 0n },
    reference: 'bank-1',
    reason: 'It was settled elsewhere',
    proposedBy: anna,
    proposedAt,
    version: 1,
    decidedBy: null,
    decidedAt: null,
    note: null,
    ...more,
  };
}
