import type { Repair, RepairPerson } from '../proposal';
import type { RoundChange, RoundHead } from '../round';
import type { RepairRefusal } from './order';
import { lapseOf, repairOf, withRepair } from './standing';

/** What a rejection does. */
export type RejectionRuling =
  | { readonly kind: 'rejected'; readonly repair: Repair; readonly change: RoundChange | null }
  | { readonly kind: 'refused'; readonly reason: RepairRefusal };

/** Decides a rejection, also by the person who proposed it (D11.2); rejecting twice changes nothing. */
export function decideRejection(
  id: string,
  head: RoundHead,
  {
    by,
    now,
    note,
  }: { readonly by: RepairPerson; readonly now: number; readonly note: string | null },
): RejectionRuling {
  const repair = repairOf(head, id);
  if (repair === undefined || head.repairs === undefined) {
    return { kind: 'refused', reason: 'noProposal' };
  }
  if (repair.status === 'rejected') return { kind: 'rejected', repair, change: null };
  if (repair.status === 'refused') return { kind: 'refused', reason: 'refusedByAccount' };
  if (repair.status !== 'proposed') return { kind: 'refused', reason: 'made' };
  const lapse = lapseOf(repair, head, now);
  if (lapse !== null) return { kind: 'refused', reason: lapse };
  const decided = { status: 'rejected', decidedBy: by, decidedAt: now, note } as const;
  const repairs = withRepair(head.repairs, id, decided);
  const after = { ...head, version: head.version + 1, repairs };
  const change = { before: head, after, records: [], movements: [] };
  return { kind: 'rejected', repair: { ...repair, ...decided }, change };
}
