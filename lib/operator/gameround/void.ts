import {
  addPurses,
  emptyPurse,
  isEmptyPurse,
  type Purse,
  subtractPurses,
} from '../../protocol/money/purse';
import type { Transaction, Void } from '../../protocol/operator-api/transaction';
import {
  type CreditRecord,
  type DebitRecord,
  type EndRecord,
  type HashEntry,
  noTexts,
  type Repair,
  type RoundHead,
  type RoundState,
  type RoundView,
} from './round';
import {
  freedHead,
  isCancelled,
  isStuck,
  leaveRepair,
  takeBackRepairs,
  voidedHead,
  withoutRepair,
  withRepairsBack,
} from './repair';
import type { NewRecord, TakenBack } from './change';
import { type DecideContext, refuse, type Ruling } from './verdict';
import { knownOf, pendingPostOf } from './pending';

/** What deciding a void needs. */
export type VoidContext = Pick<DecideContext, 'gameRound' | 'now'>;

/**
 * Decides a void, which is processed in every state and never refused for funds. In this order: known
 * (D5.1); of a credit or an end (D5.7); of an unseen hash (D5.5); of the first debit, which reverses the
 * round (D5.2, D5.4); of a follow-up debit (D5.3).
 */
export function decideVoid(
  order: Void,
  head: RoundHead,
  entryOf: (hash: string) => HashEntry | undefined,
  context: VoidContext,
): Ruling {
  const { hash } = order;
  const entry = entryOf(hash);
  if (entry?.void !== undefined) {
    return { verdict: { hash, outcome: 'processed', replay: true }, head };
  }
  const target = entry?.transaction;
  if (target === undefined) return rememberVoid(order, head, context);
  if (target.type !== 'debit') return refuse(hash, 'INVALIDPARAMETER', head);
  const ruling = isFirstOf(target, hash, head, context)
    ? voidRound(order, target.at, head, context)
    : voidFollowUp(order, target, head, entryOf, context);
  const differs = order.amount !== null && order.amount !== target.amount;
  // D5.6
  return differs ? { ...ruling, note: 'The void has another amount than its debit.' } : ruling;
}

/**
 * D5.5: the debit moves nothing when it arrives. If the hash is the gameRound, it is the first debit's. The RGS
 * gave up another debit, which ends a decline (D4.5), whether or not that debit arrives.
 */
function rememberVoid(order: Void, head: RoundHead, context: VoidContext): Ruling {
  const isFirst = order.hash === context.gameRound && !head.started;
  const undeclined = head.declined === null ? head : { ...head, declined: null };
  const back = isFirst ? voidedHead(undeclined, context.now) : null;
  const bare = processed(order, back?.head ?? undeclined, emptyPurse, context);
  const ruling = back === null ? bare : withRepairsBack(bare, back);
  if (head.version > 0) return ruling;
  return {
    ...ruling,
    note: 'The void is for an unknown round: too early, or after its retention.',
  };
}

/** The round's accepted initial debit; if it has none, the debit that is marked as first (D5.2, D5.4). */
function isFirstOf(
  target: DebitRecord,
  hash: string,
  { started }: RoundHead,
  { gameRound }: VoidContext,
): boolean {
  if (started) return target.first && isEffective(target);
  return target.first || hash === gameRound;
}

/** Whether the debit counts until its void: its money moved, or may have (D5.2). */
export function isEffective({ outcome }: DebitRecord): boolean {
  return outcome === 'accepted' || outcome === 'unanswered' || outcome === 'pending';
}

/** D5.2: reverses every effective debit and credit of the round, whose sums the head keeps. */
function voidRound(order: Void, at: number, head: RoundHead, context: VoidContext): Ruling {
  const back = voidedHead(head, context.now);
  const after: RoundHead = {
    ...back.head,
    credited: 0,
    ended: 0,
    unanswered: 0,
    debits: emptyPurse,
    credits: emptyPurse,
  };
  const { debits, credits, currency } = head;
  const ruling = processed(order, after, subtractPurses(debits, credits), context);
  const own: readonly TakenBack[] =
    currency === null ? [] : [{ currency, at, debits, credits, isWholeRound: true }];
  return withRepairsBack({ ...ruling, takenBack: own }, back);
}

/** D5.3: reverses that debit and what followed it. In a voided round both were reversed with the round. */
function voidFollowUp(
  order: Void,
  target: DebitRecord,
  head: RoundHead,
  entryOf: (hash: string) => HashEntry | undefined,
  context: VoidContext,
): Ruling {
  const { hash } = order;
  if (head.state === 'voided') return processed(order, head, emptyPurse, context);
  const declined = head.declined === hash ? null : head.declined;
  if (!isEffective(target)) return processed(order, { ...head, declined }, emptyPurse, context);
  const back = takeBackBehind(hash, target, head, entryOf);
  const paid = takeBackRepairs(back.head, isPaidBehind(hash, target, head));
  const unanswered = head.unanswered - (target.outcome === 'unanswered' ? 1 : 0);
  const isAnswered = isCancelled(head) && unanswered === 0;
  const after: RoundHead = {
    ...(isAnswered ? resumed(paid.head, context) : moved(paid.head, head, context)),
    unanswered,
    declined,
    debits: subtractPurses(head.debits, target.purse),
  };
  const purse = subtractPurses(target.purse, back.credits);
  const ruling = processed(order, after, purse, context, back.records);
  const { at, currency, purse: debits } = target;
  const own = { currency, at, debits, credits: emptyPurse };
  return withRepairsBack({ ...ruling, takenBack: [own, ...back.given] }, paid);
}

/** The head, with the time of this void if the state changes. */
function moved(after: RoundHead, { state }: RoundHead, { now }: VoidContext): RoundHead {
  const isLeft = after.state !== 'closed' && after.state !== 'cancelled';
  const left = isLeft ? leaveRepair(after) : after;
  return after.state === state ? left : { ...left, changedAt: now };
}

/**
 * The head after the last void: as it was before it was cancelled. What a repair had closed before that is
 * closed again, unless the void changed just that (D11.4). A stranded or crashed round stays so, since the time
 * when its win was refused.
 */
function resumed(head: RoundHead, { now }: VoidContext): RoundHead {
  const { state, resume, repairs } = head;
  if (repairs?.closed?.state === resume) return { ...head, state: 'closed', changedAt: now };
  const since = state === resume ? head.changedAt : now;
  const changedAt = isStuck(resume) ? withoutRepair(head).changedAt : since;
  return { ...leaveRepair(head), state: resume, changedAt };
}

/**
 * Whether a repair paid a win that goes back with a voided debit: a credit after the debit, or one that was
 * refused right after the credit that stranded or crashed the round there (D11.4).
 */
function isPaidBehind(
  hash: string,
  target: DebitRecord,
  head: RoundHead,
): (repair: Repair) => boolean {
  const behind = new Set([...hashesBehind(hash, target, head), ...target.behind]);
  return ({ hash: paid }) => paid !== null && (behind.has(paid) || behind.has(afterStuck(paid)));
}

function processed(
  order: Void,
  head: RoundHead,
  purse: Purse,
  context: VoidContext,
  also: readonly NewRecord[] = [],
): Ruling {
  const { hash } = order;
  const ruling: Ruling = {
    verdict: { hash, outcome: 'processed', replay: false },
    head,
    record: { type: 'void', purse, at: context.now, fingerprints: noTexts },
    also,
  };
  if (isEmptyPurse(purse) || head.currency === null) return ruling;
  return { ...ruling, movement: { kind: 'reverse', hash, currency: head.currency, purse } };
}

/** What the void of a follow-up debit takes back with it. */
interface TakenBackBehind {
  /** The credits and ends with their new outcome: declined (id 9004). */
  readonly records: readonly NewRecord[];
  /** The sum of what these credits gave, in units. */
  readonly credits: Purse;
  /** The same, each with its time. */
  readonly given: readonly TakenBack[];
  /** The head without them. */
  readonly head: RoundHead;
}

/**
 * Takes back what was first accepted after a follow-up debit, in a call that holds it (D5.3). If that closed,
 * stranded or crashed the round, the round is open again, unless a later call ended, stranded or crashed it.
 */
function takeBackBehind(
  hash: string,
  debit: DebitRecord,
  head: RoundHead,
  entryOf: (hash: string) => HashEntry | undefined,
): TakenBackBehind {
  const known = hashesBehind(hash, debit, head).map((behind) => {
    const record = entryOf(behind)?.transaction;
    if (record === undefined || record.type === 'debit') {
      throw new Error('The store does not have a transaction that a debit of the round names.');
    }
    return { hash: behind, record };
  });
  if (known.length === 0) return { records: [], credits: emptyPurse, given: [], head };
  const accepted = known.filter(({ record }) => record.outcome === 'accepted');
  const given = accepted.flatMap(({ record }): TakenBack[] => {
    if (record.type !== 'credit') return [];
    return [
      { currency: record.currency, at: record.at, debits: emptyPurse, credits: record.purse },
    ];
  });
  const credits = given.map((one) => one.credits).reduce(addPurses, emptyPurse);
  const ended = head.ended - (accepted.length - given.length);
  const bare = withoutRepair(head);
  const isFreed = known.some((one) => one.hash === head.stuckBy);
  const reopened = (state: RoundState) => reopenedState(state, ended, isFreed);
  const state = reopened(bare.state);
  // What a repair closed stays closed, unless the void changes just that (D11.4).
  const left = state === bare.state ? head : { ...leaveRepair(head), state };
  const freed = isFreed ? freedHead(left) : left;
  return {
    records: known.map((one) => ({ hash: one.hash, record: declinedRecord(one.record) })),
    credits,
    given,
    head: {
      ...freed,
      credited: head.credited - given.length,
      ended,
      credits: subtractPurses(head.credits, credits),
      resume: bare.state === 'cancelled' ? reopened(head.resume) : head.resume,
    },
  };
}

/**
 * The hashes whose records the rules need in addition to those that a call names: what its voids take back, and
 * the debit before a pending credit or end.
 */
export function hashesNeeded(
  transactions: readonly Transaction[],
  view: RoundView,
): readonly string[] {
  if (view.head.pending === null && transactions.every(({ type }) => type !== 'void'))
    return noTexts;
  const needed = new Set<string>();
  for (const { type, hash } of transactions) {
    const known = knownOf(view, hash)?.transaction;
    if (type === 'void' && known?.type === 'debit') {
      for (const behind of hashesBehind(hash, known, view.head)) needed.add(behind);
    }
    const debit = pendingPostOf(view.head, hash)?.behind ?? null;
    if (debit !== null) needed.add(debit);
  }
  const named = new Set(transactions.map(({ hash }) => hash));
  return [...needed].filter((hash) => !named.has(hash) && knownOf(view, hash) === undefined);
}

/** What a follow-up debit takes back when it is voided, recorded or pending. */
function hashesBehind(hash: string, debit: DebitRecord, { pending }: RoundHead): string[] {
  const posts = pending?.posts.filter(({ behind }) => behind === hash) ?? [];
  const noted = debit.behind.filter((one) => !one.startsWith(afterStuck('')));
  return [...noted, ...posts.map((post) => post.hash)];
}

/** How `behind` of a debit notes a credit that was refused right after the one that stranded the round there. */
export function afterStuck(hash: string): string {
  return `#${hash}`; // no identifier has a `#`
}

function declinedRecord(record: CreditRecord | EndRecord): CreditRecord | EndRecord {
  const outcome = 'DEBITFAILEDBEFORE';
  return record.type === 'end' ? { ...record, outcome } : { ...record, outcome, purse: emptyPurse };
}

function reopenedState(state: RoundState, ended: number, isFreed: boolean): RoundState {
  const isWaiting = state === 'stranded' || state === 'crashed';
  if (isWaiting ? !isFreed : state !== 'closed') return state;
  return ended > 0 ? 'closed' : 'open';
}
