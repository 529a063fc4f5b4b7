import {
  addPurses,
  emptyPurse,
  isEmptyPurse,
  type Purse,
  subtractPurses,
} from '../../protocol/money';
import type { Repair, RoundRepairs } from './proposal';
import type {
  CreditRecord,
  Movement,
  RecordedOutcome,
  RoundHead,
  RoundState,
  RoundView,
  TransactionRecord,
} from './round';
import { enter } from './verdict';

/** Refusals of a credit whose win the player may be owed (D4.7, D4.1). */
const owed: ReadonlySet<RecordedOutcome> = new Set<RecordedOutcome>([
  'PLAYERNOTFOUND',
  'CURRENCYNOTSUPPORTED',
  'CREDITREFUSED',
  'GAMEROUNDNOTACTIVE',
]);

/**
 * Whether a record is a credit that was refused for good though its win may have been played. Of those
 * declined with a debit (id 9004) it is only the one that stranded or crashed the round (D11.3): the others
 * were never played, or were taken back with a debit (D5.3).
 */
export function isUnpaid(
  hash: string,
  record: TransactionRecord,
  { stuckBy }: RoundHead,
): record is CreditRecord {
  if (record.type !== 'credit') return false;
  return record.outcome === 'DEBITFAILEDBEFORE' ? hash === stuckBy : owed.has(record.outcome);
}

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

/** The head as it was before a repair closed it (D11.3); the head itself if none did, or does any longer. */
export function withoutRepair(head: RoundHead): RoundHead {
  const closed = head.repairs?.closed ?? null;
  if (closed === null || head.state !== 'closed') return head;
  return { ...head, state: closed.state, changedAt: closed.since };
}

/** Whether the round waits for voids (D7), also where a repair closed it meanwhile. */
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

/** The head in a state that is not that of a repair any longer. */
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
 * The round after it refused a new credit because it is closed: a person should look at that win (D4.7). What was
 * stranded or crashed until a repair closed it is so again, since then and by that credit (D11.5).
 */
export function afterLateCredit(hash: string, head: RoundHead, now: number): RoundHead {
  if (head.state !== 'closed') return head;
  const bare = withoutRepair(head);
  return isStuck(bare.state) ? leaveRepair(bare) : stuckHead(hash, head, now);
}

/** The head of a round that no credit strands or crashes any longer. */
export function freedHead(head: RoundHead): RoundHead {
  if (head.stuckBy === undefined) return head;
  const { stuckBy: _, ...freed } = head;
  return freed;
}

/** A head with repairs taken back, and the movements that do so. */
export interface RepairsTakenBack {
  readonly head: RoundHead;
  readonly movements: readonly Movement[];
}

/**
 * Takes back what repairs paid: all of them, or those that fit (D11.4). As with the credit itself, it is
 * never refused for funds.
 */
export function takeBackRepairs(
  head: RoundHead,
  isConcerned: (repair: Repair) => boolean = () => true,
): RepairsTakenBack {
  const { repairs } = head;
  const isTaken = (one: Repair): boolean => one.kind === 'pay' && isMade(one) && isConcerned(one);
  if (repairs === undefined || !repairs.list.some(isTaken)) return { head, movements: [] };
  const movements: Movement[] = [];
  const list = repairs.list.map((repair): Repair => {
    if (!isTaken(repair)) return repair;
    const { id, currency, purse } = repair;
    if (currency !== null && !isEmptyPurse(purse)) {
      const back = subtractPurses(emptyPurse, purse);
      movements.push({ kind: 'reverse', hash: repairHash(id), currency, purse: back });
    }
    return { ...repair, status: 'takenBack' };
  });
  return { head: { ...head, repairs: { ...repairs, list } }, movements };
}

/** The round once it is voided, without its sums: what repairs paid goes back (D11.4). */
export function voidedHead(head: RoundHead, now: number): RepairsTakenBack {
  const { head: repaired, movements } = takeBackRepairs(leaveRepair(freedHead(head)));
  return { head: enter(repaired, 'voided', now), movements };
}

/** The money at stake in a round that needs attention. */
export interface RoundStake {
  readonly currency: string | null;
  readonly units: bigint;
}

/**
 * The money at stake. Of a stranded or crashed round: the credits that were refused for good, less what
 * repairs paid of them, in the round's own currency if one of them is in it, otherwise in the first by its
 * name: stores keep records in different orders, and all tell the same. Of any other, and without such a
 * credit: what the debits took less what the credits gave.
 */
export function stakeOf({ head, entries }: RoundView): RoundStake {
  const { state, debits, credits, repairs } = head;
  const unpaid = new Map<string, bigint>();
  if (state === 'stranded' || state === 'crashed') {
    for (const [hash, { transaction: record }] of entries) {
      if (record === undefined || !isUnpaid(hash, record, head)) continue;
      unpaid.set(record.currency, (unpaid.get(record.currency) ?? 0n) + record.amount);
    }
  }
  const isOwn = head.currency !== null && unpaid.has(head.currency);
  const currency = isOwn
    ? head.currency
    : ([...unpaid.keys()].toSorted(byName)[0] ?? head.currency);
  let units = currency === null ? undefined : unpaid.get(currency);
  if (units === undefined) {
    return { currency, units: debits.real + debits.bonus - credits.real - credits.bonus };
  }
  for (const repair of repairs?.list ?? []) {
    const isPaid = repair.kind === 'pay' && isMade(repair) && repair.currency === currency;
    if (isPaid) units -= repair.amount;
  }
  return { currency, units };
}

/** What repairs gave in a currency and still give: a repaired void is in the round's own sums. */
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
    others: others.toSorted((one, other) => byName(one.currency, other.currency)),
  };
}

function byName(one: string, other: string): number {
  return one < other ? -1 : 1;
}
