import type { Repair, RepairStatus, RoundRepairs } from '../proposal';
import type { RoundHead } from '../round';
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

/** How far a repair is in a round of this version: `stale` for a proposal that the round has left behind. */
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
