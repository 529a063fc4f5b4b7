import { addPurses, emptyPurse, type Purse, subtractPurses } from '../../protocol/money';
import type { Transaction } from '../../protocol/operator-api';
import { knownOf, pendingPostOf } from './pending';
import { freedHead, leaveRepair, withoutRepair } from './repair';
import {
  type CreditRecord,
  type DebitRecord,
  type EndRecord,
  type HashEntry,
  type NewRecord,
  noTexts,
  type RoundHead,
  type RoundState,
  type RoundView,
} from './round';

/** What the void of a follow-up debit takes back with it. */
export interface TakenBack {
  /** The credits and ends with their new outcome: declined (id 9004). */
  readonly records: readonly NewRecord[];
  /** The sum of what these credits gave, in units. */
  readonly credits: Purse;
  /** The head without them. */
  readonly head: RoundHead;
}

/**
 * Takes back what was first accepted behind a follow-up debit, in a call that holds it (D5.3). If one of
 * them closed, stranded or crashed the round, the round is open again, unless a later call has ended,
 * stranded or crashed it since.
 */
export function takeBackBehind(
  hash: string,
  debit: DebitRecord,
  head: RoundHead,
  entryOf: (hash: string) => HashEntry | undefined,
): TakenBack {
  const known = hashesBehind(hash, debit, head).map((behind) => {
    const record = entryOf(behind)?.transaction;
    if (record === undefined || record.type === 'debit') {
      throw new Error('The store does not have a transaction that a debit of the round names.');
    }
    return { hash: behind, record };
  });
  if (known.length === 0) return { records: [], credits: emptyPurse, head };
  const accepted = known.filter(({ record }) => record.outcome === 'accepted');
  const given = accepted.flatMap(({ record }) => (record.type === 'credit' ? [record.purse] : []));
  const credits = given.reduce(addPurses, emptyPurse);
  const ended = head.ended - (accepted.length - given.length);
  const bare = withoutRepair(head);
  const isFreed = known.some((one) => one.hash === head.stuckBy);
  const reopened = (state: RoundState) => reopenedState(state, ended, isFreed);
  const state = reopened(bare.state);
  // What a repair closed stays closed, unless the void changes just that (D11.4).
  const left = state === bare.state ? head : { ...leaveRepair(head), state };
  const freed = isFreed ? freedHead(left) : left;
  return {
    records: known.map((one) => ({ hash: one.hash, record: declined(one.record) })),
    credits,
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
 * The hashes whose records the rules need in addition to those that a call names: what its voids take
 * back, and the debit that a pending credit or end is behind.
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

/** What stands behind a follow-up debit, recorded or pending. */
export function hashesBehind(hash: string, debit: DebitRecord, { pending }: RoundHead): string[] {
  const posts = pending?.posts.filter(({ behind }) => behind === hash) ?? [];
  const noted = debit.behind.filter((one) => !one.startsWith(afterStuck('')));
  return [...noted, ...posts.map((post) => post.hash)];
}

/** How `behind` of a debit notes a credit that was refused right after the one that stranded the round there. */
export function afterStuck(hash: string): string {
  return `#${hash}`; // no identifier has a `#`
}

function declined(record: CreditRecord | EndRecord): CreditRecord | EndRecord {
  const outcome = 'DEBITFAILEDBEFORE';
  return record.type === 'end' ? { ...record, outcome } : { ...record, outcome, purse: emptyPurse };
}

function reopenedState(state: RoundState, ended: number, isFreed: boolean): RoundState {
  const isStuck = state === 'stranded' || state === 'crashed';
  if (isStuck ? !isFreed : state !== 'closed') return state;
  return ended > 0 ? 'closed' : 'open';
}
