import { isEmptyPurse } from '../../../protocol/money/purse';
import type { VoidPlan } from './plan';
import { giveUpPending, voidPending, workOf } from '../pending';
import { isMade, repairHash } from '../repair';
import type { HashEntry, RoundHead, TransactionRecord } from '../round';
import type { NewRecord, RoundChange } from '../change';

/**
 * The round with its pending debits given up: voided transactions are not posted any more. Null if there is
 * nothing to give up.
 */
export function givenUpFor({ change, others }: VoidPlan, now: number): RoundChange | null {
  const { before, after } = change;
  const isNamed = others.length < (before.pending?.posts.length ?? 0);
  if (after.state !== 'voided' && !isNamed) return null;
  return giveUpPending(before, { gameCode: after.gameCode ?? '', now });
}

/**
 * The records that {@link reversalsOf} needs besides the change: all of the round, or those of these
 * hashes.
 */
export function neededForReversals({ change }: VoidPlan): 'all' | readonly string[] {
  const { before, records } = change;
  if (before.version === 0) return [];
  if (voidsRound(change)) return 'all';
  return records.filter(isInDoubt).map(({ hash }) => hash);
}

/**
 * The hashes to reverse for a change with voids: those it names, and if it voids the round, all that were or
 * may have been accepted. Some may never have moved money; reversing them does no harm. An unknown hash is left
 * out: it was never posted, and a credit may still use its key (D5.5).
 */
export function reversalsOf(
  { change }: VoidPlan,
  known: ReadonlyMap<string, HashEntry>,
): readonly string[] {
  const { before, records } = change;
  const isRoundVoided = voidsRound(change);
  const hashes = new Set([...(before.pending?.reversals ?? []), ...repairsTakenBack(change)]);
  if (isRoundVoided) {
    for (const { hash, record } of before.pending?.posts ?? []) {
      if (record.type !== 'end') hashes.add(hash);
    }
  }
  for (const item of records) {
    const isUnknown = isInDoubt(item) && !known.has(item.hash);
    if (isTakenBack(item) && !isUnknown) hashes.add(item.hash);
  }
  if (!isRoundVoided) return [...hashes];
  for (const [hash, { transaction }] of known) {
    if (transaction !== undefined && mayHaveMoved(transaction)) hashes.add(hash);
  }
  return [...hashes];
}

/** The change as written before the first reversal: with everything to take back as pending. */
export function voidedChange(
  { change, others }: VoidPlan,
  reversals: readonly string[],
  now: number,
): RoundChange {
  const { before, after, records } = change;
  const isVoided = after.state === 'voided';
  const since = before.pending?.since ?? now;
  const back = new Set(repairsTakenBack(change));
  const left = isVoided ? [] : others.filter(({ hash }) => !back.has(hash));
  const pending = workOf(since, left, reversals);
  const ended = isVoided ? voidPending(before) : [];
  return { ...change, after: { ...after, pending }, records: [...records, ...ended] };
}

/** The head with the first `count` of its reversals done. */
export function withReversed(head: RoundHead, count: number): RoundHead {
  const { since, posts, reversals } = head.pending ?? { since: 0, posts: [], reversals: [] };
  const pending = workOf(since, posts, reversals.slice(count));
  return { ...head, version: head.version + 1, pending };
}

/** The hashes of repairs that a change takes back, whether or not their money moved (D11.4). */
function repairsTakenBack({ before, after }: RoundChange): string[] {
  const made = new Set(before.repairs?.list.filter(isMade).map(({ id }) => id));
  const list = after.repairs?.list ?? [];
  const back = list.filter(({ id, status }) => status === 'takenBack' && made.has(id));
  return back.map(({ id }) => repairHash(id));
}

function voidsRound({ before, after }: RoundChange): boolean {
  return after.state === 'voided' && before.state !== 'voided';
}

/** A void that gives back nothing by the rules: its debit may have been given up. */
function isInDoubt({ record }: NewRecord): boolean {
  return record.type === 'void' && isEmptyPurse(record.purse);
}

/** A debit that is voided, or a credit that is taken back with one (D5.3). */
function isTakenBack({ record, isRewritten }: NewRecord): boolean {
  if (isRewritten) return false;
  return record.type === 'void' || (record.type === 'credit' && record.outcome !== 'accepted');
}

function mayHaveMoved({ type, outcome }: TransactionRecord): boolean {
  if (type === 'end') return false;
  return outcome === 'accepted' || (type === 'debit' && outcome === 'unanswered');
}
