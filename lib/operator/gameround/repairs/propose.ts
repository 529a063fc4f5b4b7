import type { Repair, RepairPerson, RoundView } from '../round';
import { isMade } from '../repair';
import type { AccountBalance, RoundChange } from '../change';
import type { RepairContent, RepairOrder, RepairPolicy, RepairRefusal } from './order';
import { contentOfPay } from './pay';
import { contentOfResolve } from './resolve';
import { lapseOf, maxRepairs } from './standing';
import { contentOfVoid } from './void';

/** What deciding a proposal needs besides the order and the whole round. */
export interface ProposalContext {
  readonly gameRound: string;
  /** Of the proposal. */
  readonly id: string;
  readonly by: RepairPerson;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly policy: RepairPolicy;
  /** The player's accounts, for `pay`; null without any. */
  readonly accounts: readonly Pick<AccountBalance, 'currency'>[] | null;
}

/** A proposal with the change that writes it, or the reason for refusing it. */
export type ProposalRuling =
  | { readonly kind: 'proposed'; readonly repair: Repair; readonly change: RoundChange }
  | { readonly kind: 'refused'; readonly reason: RepairRefusal };

/** Decides whether a repair can be proposed (D11.1). It moves nothing; the round has to be known whole. */
export function decideProposal(
  order: RepairOrder,
  view: RoundView,
  context: ProposalContext,
): ProposalRuling {
  const { head } = view;
  const refusal = refusalOf(view, context.now);
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  const content = contentOf(order, view, context);
  if (typeof content === 'string') return { kind: 'refused', reason: content };
  const version = head.version + 1;
  const repair: Repair = {
    id: context.id,
    kind: order.kind,
    status: 'proposed',
    ...content,
    reason: order.reason,
    proposedBy: context.by,
    proposedAt: context.now,
    version,
    decidedBy: null,
    decidedAt: null,
    note: null,
  };
  const { list = [], closed = null } = head.repairs ?? {};
  const after = { ...head, version, repairs: { list: [...list, repair], closed } };
  const change: RoundChange = {
    before: head,
    after,
    records: [],
    movements: [],
    cause: 'repair',
  };
  return { kind: 'proposed', repair, change };
}

function refusalOf({ head }: RoundView, now: number): RepairRefusal | null {
  if (head.version === 0) return 'noRound';
  if (head.pending !== null) return 'pendingWork';
  const list = head.repairs?.list ?? [];
  const isOpen = (one: Repair) => one.status === 'proposed' && lapseOf(one, head, now) === null;
  if (list.some(isOpen)) return 'alreadyProposed';
  return list.filter(wasMade).length >= maxRepairs ? 'tooMany' : null;
}

/** Whether it was carried out: what was only proposed does not count. */
function wasMade(one: Repair): boolean {
  return isMade(one) || one.status === 'takenBack';
}

function contentOf(
  order: RepairOrder,
  view: RoundView,
  context: ProposalContext,
): RepairContent | RepairRefusal {
  switch (order.kind) {
    case 'pay':
      return contentOfPay(order, view, context.policy, context.accounts);
    case 'resolve':
      return contentOfResolve(order, view);
    case 'void':
      return contentOfVoid(order, view, context);
  }
}
