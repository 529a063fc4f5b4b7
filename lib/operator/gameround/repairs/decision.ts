import {
  needsAttention,
  type Repair,
  type RepairPerson,
  type RoundHead,
  type RoundRepairs,
  type RoundView,
  type StuckState,
} from '../round';
import { withoutRepair } from '../repair';
import type { MovementRefusal, RoundChange } from '../change';
import { enter } from '../verdict';
import type { RepairPolicy, RepairRefusal } from './order';
import { movementsOfPay } from './pay';
import { lapseOf, needsAnother, repairOf, withRepair } from './standing';
import { rulingOf } from './void';

/** What deciding an approval needs besides the whole round. */
interface ApprovalContext {
  readonly gameRound: string;
  readonly by: RepairPerson;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly policy: Pick<RepairPolicy, 'fourEyes'>;
}

/** What an approval does. */
type ApprovalRuling =
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
 * The change that makes an approved repair which closes the round: `pay`, with its money, or `resolve`. If a
 * void came while the payment was pending at a ledger, the round may have nothing left to close: it then has
 * the state of that void (D11.4).
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
  return { before, after, records: [], movements, cause: 'repair' };
}

/** The change after the account refused the money of a repair: the repair is over, the round as before. */
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
  return { before, after, records: [], movements: [], cause: 'repair' };
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
    takenBack = [],
  } = rulingOf(hash, view, {
    gameRound,
    now,
  });
  const { list = [], closed = null } = head.repairs ?? {};
  const repairs = withDone({ list, closed }, repair);
  const after = { ...head, version: before.version + 1, repairs };
  const own = record === undefined ? [] : [{ hash, record }];
  const movements = movement === undefined ? alsoMoved : [movement, ...alsoMoved];
  return { before, after, records: [...own, ...also], movements, takenBack, cause: 'repair' };
}

function withDone(repairs: RoundRepairs, repair: Repair): RoundRepairs {
  const { id, decidedBy, decidedAt } = repair;
  return withRepair(repairs, id, { status: 'done', decidedBy, decidedAt });
}

/** A repair that closes is only approved in these states. */
function stuckOf({ state, changedAt }: RoundHead): RoundRepairs['closed'] {
  return { state: state as StuckState, since: changedAt };
}

/** What a rejection does. */
type RejectionRuling =
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
  const change: RoundChange = {
    before: head,
    after,
    records: [],
    movements: [],
    cause: 'repair',
  };
  return { kind: 'rejected', repair: { ...repair, ...decided }, change };
}

/** Invisible characters: format characters, and those that Unicode says to ignore. */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The dot of the Turkish capital İ depends on the keyboard, as case does. */
const dotOfI = /I\u0307/gu;

/**
 * Whether two ids may be spellings of one person's id, so that nobody approves their own proposal under another
 * spelling (D11.2). They are compared in compatibility form (NFKC), case folded, without invisible characters,
 * and with white space only between words. In doubt they are one person, and another one must approve.
 */
export function isSamePerson(one: string, other: string): boolean {
  return one === other || folded(one) === folded(other);
}

function folded(id: string): string {
  // One conversion alone misses letters: ẞ changes only to lower case, ß and ı only to upper case.
  const upper = id.normalize('NFKC').replace(unseen, '').toLowerCase().toUpperCase();
  const plain = upper.normalize('NFKC').replace(unseen, '').normalize('NFD').replace(dotOfI, 'I');
  return plain.normalize('NFKC').replace(/\s+/gu, ' ').trim();
}
