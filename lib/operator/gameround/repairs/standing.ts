import { addPurses, emptyPurse, type Purse } from '../../../protocol/money/purse';
import { isMade } from '../repair';
import type { Repair, RepairStatus, RoundHead, RoundRepairs } from '../round';
import type { FourEyes } from './order';

/** How long a proposal can be approved, in milliseconds. */
export const proposalLifeMs = 24 * 3_600_000;

/** Most repairs of a round that were made; others do not count (D11.1). */
export const maxRepairs = 20;

/** The repair with this id. */
export function repairOf({ repairs }: RoundHead, id: string): Repair | undefined {
  return repairs?.list.find((repair) => repair.id === id);
}

/** Why a proposal cannot be approved any longer; null while it can (D11.2). */
export function lapseOf(
  { proposedAt, version }: Repair,
  head: RoundHead,
  now: number,
): 'stale' | 'expired' | null {
  if (now - proposedAt >= proposalLifeMs) return 'expired';
  return version === head.version ? null : 'stale';
}

/** The status of a repair in a round of this version: `stale` for a proposal of another version. */
export function statusIn(
  { status, version }: Repair,
  head: Pick<RoundHead, 'version'>,
): RepairStatus | 'stale' {
  return status === 'proposed' && version !== head.version ? 'stale' : status;
}

/** Whether the person who proposed it must not approve it (D11.2). */
export function needsAnother({ currency, amount }: Repair, fourEyes: FourEyes): boolean {
  if (fourEyes === 'always' || currency === null) return true;
  const limit = fourEyes.above.get(currency);
  return limit === undefined || amount > limit;
}

/** The repairs with one of them changed. */
export function withRepair(
  repairs: RoundRepairs,
  id: string,
  changed: Partial<Repair>,
): RoundRepairs {
  const list = repairs.list.map((repair) =>
    repair.id === id ? { ...repair, ...changed } : repair,
  );
  return { ...repairs, list };
}

/**
 * What repairs gave in a currency, less what was taken back. A void by repair is not here: it is in the round's
 * own sums.
 */
export function paidByRepairs(repairs: RoundRepairs | undefined, currency: string): Purse {
  const paid = (repairs?.list ?? []).filter(
    (one) => one.kind === 'pay' && isMade(one) && one.currency === currency,
  );
  return paid.map(({ purse }) => purse).reduce(addPurses, emptyPurse);
}

/** Money in a currency that a round is not in. */
export interface OtherCredits {
  readonly currency: string;
  readonly purse: Purse;
}

/** What a round gave the player, credits and repairs together: in its own currency, and in others by their names. */
export function givenBy({ currency, credits, repairs }: RoundHead): {
  readonly credits: Purse;
  readonly others: readonly OtherCredits[];
} {
  if (repairs === undefined) return { credits, others: [] };
  const sums = new Map<string | null, Purse>([[currency, credits]]);
  for (const one of repairs.list) {
    if (one.kind !== 'pay' || one.status !== 'done') continue;
    sums.set(one.currency, addPurses(sums.get(one.currency) ?? emptyPurse, one.purse));
  }
  const others = [...sums].flatMap(([name, purse]) =>
    name === null || name === currency ? [] : { currency: name, purse },
  );
  return {
    credits: sums.get(currency) ?? credits,
    others: others.toSorted((one, other) => (one.currency < other.currency ? -1 : 1)),
  };
}
