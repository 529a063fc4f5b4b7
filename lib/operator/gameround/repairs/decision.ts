import type { Repair, RepairPerson, RoundRepairs, StuckState } from '../proposal';
import { withoutRepair } from '../repair';
import {
  type MovementRefusal,
  needsAttention,
  type RoundChange,
  type RoundHead,
  type RoundView,
} from '../round';
import { enter } from '../verdict';
import type { RepairPolicy, RepairRefusal } from './order';
import { movementsOfPay } from './pay';
import { isSamePerson } from './same-person';
import { lapseOf, needsAnother, repairOf, withRepair } from './standing';
import { rulingOf } from './void';

/** What deciding an approval needs besides the whole round. */
export interface ApprovalContext {
  readonly gameRound: string;
  readonly by: RepairPerson;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly policy: Pick<RepairPolicy, 'fourEyes'>;
}

/** What an approval does. */
export type ApprovalRuling =
  /** Nothing: it was approved before. */
  | { readonly kind: 'made'; readonly repair: Repair }
  | { readonly kind: 'refused'; readonly reason: RepairRefusal }
  /** The change that makes the repair. */
  | { readonly kind: 'approved'; readonly change: RoundChange };

/**
 * Decides an approval (D11.2). The first that fits: made before; rejected or refused; expired; stale; by
 * the person who proposed it; approved.
 */
export function decideApproval(
  id: string,
  view: RoundView,
  context: ApprovalContext,
): ApprovalRuling {
  const { head } = view;
  const repair = repairOf(head, id);
  if (repair === undefined) return { kind: 'refused', reason: 'noProposal' };
  switch (repair.status) {
    case 'done':
    case 'takenBack':
      return { kind: 'made', repair };
    case 'paying':
      return { kind: 'approved', change: paidChange(head, repair, context.now) };
    case 'rejected':
      return { kind: 'refused', reason: 'rejected' };
    case 'refused':
      return { kind: 'refused', reason: 'refusedByAccount' };
    case 'proposed':
      return decideOpen(repair, view, context);
  }
}

function decideOpen(repair: Repair, view: RoundView, context: ApprovalContext): ApprovalRuling {
  const { by, now, policy } = context;
  const lapse = lapseOf(repair, view.head, now);
  if (lapse !== null) return { kind: 'refused', reason: lapse };
  const isOwn = isSamePerson(by.id, repair.proposedBy.id);
  if (isOwn && needsAnother(repair, policy.fourEyes)) {
    return { kind: 'refused', reason: 'ownProposal' };
  }
  const decided: Repair = { ...repair, decidedBy: by, decidedAt: now };
  if (repair.kind === 'void') {
    return { kind: 'approved', change: voidChange(decided, view, context) };
  }
  return { kind: 'approved', change: paidChange(view.head, decided, now) };
}

/**
 * The change that makes an approved repair which closes the round: `pay`, with its money, or `resolve`. A void
 * that came while the payment was pending at a ledger may have ended what it would close: the round then
 * has the state of that void (D11.4).
 */
export function paidChange(before: RoundHead, repair: Repair, now: number): RoundChange {
  const { list = [], closed = null } = before.repairs ?? {};
  const bare = withoutRepair(before);
  const isStuck = needsAttention(bare.state);
  const left = isStuck && bare === before ? stuckOf(before) : closed;
  const repairs = withDone({ list, closed: left }, repair);
  const entered = isStuck ? enter(before, 'closed', now) : before;
  const after = { ...entered, version: before.version + 1, repairs };
  const movements = repair.kind === 'pay' ? movementsOfPay(repair) : [];
  return { before, after, records: [], movements };
}

/** The change after the account refused what a repair would give: it is over, and the round as before. */
export function refusedChange(
  before: RoundHead,
  id: string,
  by: RepairPerson,
  reason: MovementRefusal,
  now: number,
): RoundChange {
  const { list = [], closed = null } = before.repairs ?? {};
  const refused = { status: 'refused', note: reason, decidedBy: by, decidedAt: now } as const;
  const repairs = withRepair({ list, closed }, id, refused);
  const after = { ...before, version: before.version + 1, repairs };
  return { before, after, records: [], movements: [] };
}

function voidChange(
  repair: Repair,
  view: RoundView,
  { gameRound, now }: ApprovalContext,
): RoundChange {
  const before = view.head;
  const hash = repair.hash ?? '';
  const {
    head,
    record,
    also = [],
    movement,
    alsoMoved = [],
  } = rulingOf(hash, view, {
    gameRound,
    now,
  });
  const { list = [], closed = null } = head.repairs ?? {};
  const repairs = withDone({ list, closed }, repair);
  const after = { ...head, version: before.version + 1, repairs };
  const own = record === undefined ? [] : [{ hash, record }];
  const movements = movement === undefined ? alsoMoved : [movement, ...alsoMoved];
  return { before, after, records: [...own, ...also], movements };
}

function withDone(repairs: RoundRepairs, repair: Repair): RoundRepairs {
  const { id, decidedBy, decidedAt } = repair;
  return withRepair(repairs, id, { status: 'done', decidedBy, decidedAt });
}

/** A repair that closes is only approved in these states. */
function stuckOf({ state, changedAt }: RoundHead): RoundRepairs['closed'] {
  return { state: state as StuckState, since: changedAt };
}
