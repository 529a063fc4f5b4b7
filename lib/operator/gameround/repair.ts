import { emptyPurse, isEmptyPurse, subtractPurses } from '../../protocol/money/purse';
import type { Repair, RoundHead, RoundRepairs, RoundState } from './round';
import type { Movement, TakenBack } from './change';
import { enter, type Ruling } from './verdict';

/** The hash under which a repair moves money; no transaction has it, because no identifier has a `#`. */
export function repairHash(id: string): string {
  return `repair#${id}`;
}

/** Whether a hash is one of {@link repairHash}. */
export function isRepairHash(hash: string): boolean {
  return hash.startsWith(repairHash(''));
}

/** Whether a repair moved money, or may have, and was not taken back. */
export function isMade({ status }: Repair): boolean {
  return status === 'done' || status === 'paying';
}

/** The head as it was before a repair closed it (D11.3); the head itself if no repair closes it now. */
export function withoutRepair(head: RoundHead): RoundHead {
  const closed = head.repairs?.closed ?? null;
  if (closed === null || head.state !== 'closed') return head;
  return { ...head, state: closed.state, changedAt: closed.since };
}

/** Whether the round waits for voids (D7), even if a repair has closed it. */
export function isCancelled(head: RoundHead): boolean {
  return withoutRepair(head).state === 'cancelled';
}

/** Whether a round in this state has a win that was refused for good (D4.7). */
export function isStuck(state: RoundState): boolean {
  return state === 'stranded' || state === 'crashed';
}

/** The repairs after a commit that only noted a signature (P1): a proposal for this version stays valid (D11.2). */
export function carriedOn(repairs: RoundRepairs, version: number): RoundRepairs {
  const isOpen = (one: Repair): boolean => one.status === 'proposed' && one.version === version;
  if (!repairs.list.some(isOpen)) return repairs;
  const list = repairs.list.map((one) => (isOpen(one) ? { ...one, version: version + 1 } : one));
  return { ...repairs, list };
}

/** The head without the mark of the repair that closed it. */
export function leaveRepair(head: RoundHead): RoundHead {
  const { repairs } = head;
  return repairs === undefined || repairs.closed === null
    ? head
    : { ...head, repairs: { ...repairs, closed: null } };
}

/** The round that this refused credit strands, or crashes where a credit was accepted (D4.7). */
export function stuckHead(hash: string, head: RoundHead, now: number): RoundHead {
  const state = head.credited > 0 ? 'crashed' : 'stranded';
  return { ...leaveRepair(head), state, changedAt: now, stuckBy: hash };
}

/**
 * The round after it refused a new credit because it is closed: a person should look at that win (D4.7). A
 * round that a repair closed is stranded or crashed again, with its former time and credit (D11.5).
 */
export function afterLateCredit(hash: string, head: RoundHead, now: number): RoundHead {
  if (head.state !== 'closed') return head;
  const bare = withoutRepair(head);
  return isStuck(bare.state) ? leaveRepair(bare) : stuckHead(hash, head, now);
}

/** The head without the credit that stranded or crashed the round. */
export function freedHead(head: RoundHead): RoundHead {
  if (head.stuckBy === undefined) return head;
  const { stuckBy: _, ...freed } = head;
  return freed;
}

/** A head with repairs taken back, and the movements that do so. */
export interface RepairsTakenBack {
  readonly head: RoundHead;
  readonly movements: readonly Movement[];
  /** The same for limits: a repair counts as a credit (D13.4). */
  readonly takenBack: readonly TakenBack[];
}

/**
 * Takes back what repairs paid: all of them, or those that `isConcerned` selects (D11.4). It is never refused
 * for funds, as with the credit itself.
 */
export function takeBackRepairs(
  head: RoundHead,
  isConcerned: (repair: Repair) => boolean = () => true,
): RepairsTakenBack {
  const { repairs } = head;
  const isTaken = (one: Repair): boolean => one.kind === 'pay' && isMade(one) && isConcerned(one);
  if (repairs === undefined || !repairs.list.some(isTaken))
    return { head, movements: [], takenBack: [] };
  const movements: Movement[] = [];
  const takenBack: TakenBack[] = [];
  const list = repairs.list.map((repair): Repair => {
    if (!isTaken(repair)) return repair;
    const { id, currency, purse, proposedAt, decidedAt } = repair;
    if (currency !== null && !isEmptyPurse(purse)) {
      const back = subtractPurses(emptyPurse, purse);
      movements.push({ kind: 'reverse', hash: repairHash(id), currency, purse: back });
      const at = decidedAt ?? proposedAt;
      takenBack.push({ currency, at, debits: emptyPurse, credits: purse });
    }
    return { ...repair, status: 'takenBack' };
  });
  return { head: { ...head, repairs: { ...repairs, list } }, movements, takenBack };
}

/** The round once it is voided, without its sums: what repairs paid goes back (D11.4). */
export function voidedHead(head: RoundHead, now: number): RepairsTakenBack {
  const back = takeBackRepairs(leaveRepair(freedHead(head)));
  return { ...back, head: enter(back.head, 'voided', now) };
}

/** The ruling, with the repairs that it takes back. */
export function withRepairsBack(ruling: Ruling, back: RepairsTakenBack): Ruling {
  const { movements, takenBack } = back;
  if (movements.length === 0) return ruling;
  return {
    ...ruling,
    alsoMoved: movements,
    takenBack: [...(ruling.takenBack ?? []), ...takenBack],
  };
}
