import {
  type HashEntry,
  type NewRecord,
  type RoundChange,
  type RoundHead,
  workOf,
} from '../gameround';
import { isEmptyPurse } from '../../protocol/money';
import type { CommitResult, RoundJournal, RoundKey } from '../wallet';
import type { LedgerCaller } from './caller';
import { postingOf } from '../wallet/posting-key';

/** Reversals that are noted as done in one go, and how many of them are under way at once. */
const perCheckpoint = 64;
const atOnce = 8;

/**
 * The hashes whose money a change with voids takes back: those it names, and where it voids the
 * round every one that was accepted, or may have been. Null where the round has changed since.
 * Some may never have moved money, which a reversal does not mind. A hash of which nothing is known
 * is left out: it was never posted, and its key stays good for a credit (D5.5).
 */
export async function hashesToReverse(
  journal: RoundJournal,
  round: RoundKey,
  change: RoundChange,
): Promise<readonly string[] | null> {
  const { before, after, records } = change;
  const isRoundVoided = after.state === 'voided' && before.state !== 'voided';
  const hashes = new Set(before.pending?.reversals);
  if (isRoundVoided) {
    for (const { hash, record } of before.pending?.posts ?? []) {
      if (record.type !== 'end') hashes.add(hash);
    }
  }
  const known = await knownEntries(journal, round, change, isRoundVoided);
  if (known === null) return null;
  for (const item of records) {
    const isUnknown = item.record.type === 'void' && !movesBack(item) && !known.has(item.hash);
    if (isTakenBack(item) && !isUnknown) hashes.add(item.hash);
  }
  if (!isRoundVoided) return [...hashes];
  for (const [hash, { transaction }] of known) {
    const isPosted =
      (transaction?.type === 'debit' && transaction.outcome === 'unanswered') ||
      (transaction !== undefined &&
        transaction.type !== 'end' &&
        transaction.outcome === 'accepted');
    if (isPosted) hashes.add(hash);
  }
  return [...hashes];
}

/**
 * All that is known of a round that is voided; else of the hashes whose voids give back nothing, by
 * what the rules say: a debit among them may have been given up. Null where the round has changed.
 */
async function knownEntries(
  journal: RoundJournal,
  round: RoundKey,
  { before, records }: RoundChange,
  isRoundVoided: boolean,
): Promise<ReadonlyMap<string, HashEntry> | null> {
  if (before.version === 0) return new Map();
  if (isRoundVoided) {
    const report = await journal.readRound(round);
    return report?.head.version === before.version ? report.entries : null;
  }
  const doubtful = records.filter((item) => item.record.type === 'void' && !movesBack(item));
  if (doubtful.length === 0) return new Map();
  const hashes = doubtful.map(({ hash }) => hash);
  const loaded = await journal.load(round, hashes);
  if (loaded.kind === 'unknown') return null;
  const { head, entries } = loaded.snapshot;
  return head.version === before.version ? entries : null;
}

function movesBack({ record }: NewRecord): boolean {
  return record.type === 'void' && !isEmptyPurse(record.purse);
}

/** A debit that is voided, or a credit that is taken back with one (D5.3). */
function isTakenBack({ record, isRewritten }: NewRecord): boolean {
  if (isRewritten) return false;
  return record.type === 'void' || (record.type === 'credit' && record.outcome !== 'accepted');
}

/**
 * Takes back in the ledger what the head has pending, and notes it in the journal, some at a time,
 * so that a round of any length gets through. Resolves to the result of the last note.
 * @throws LedgerSilentError where the ledger does not answer; what was noted stays noted.
 */
export async function finishReversals(
  journal: RoundJournal,
  caller: LedgerCaller,
  round: RoundKey,
  marked: RoundHead,
  until: AbortSignal,
): Promise<CommitResult> {
  let head = marked;
  for (;;) {
    const { since, posts, reversals } = head.pending ?? { since: 0, posts: [], reversals: [] };
    const batch = reversals.slice(0, perCheckpoint);
    await reverseAll(caller, round, batch, head.gameCode, until);
    const pending = workOf(since, posts, reversals.slice(perCheckpoint));
    const after: RoundHead = { ...head, version: head.version + 1, pending };
    const result = await journal.commit(round, { before: head, after, records: [], movements: [] });
    if (result.kind !== 'committed' || pending === null || pending.reversals.length === 0) {
      return result;
    }
    head = after;
  }
}

async function reverseAll(
  caller: LedgerCaller,
  round: RoundKey,
  hashes: readonly string[],
  gameCode: string | null,
  until: AbortSignal,
): Promise<void> {
  const left = [...hashes];
  const work = async (): Promise<void> => {
    for (let hash = left.shift(); hash !== undefined; hash = left.shift()) {
      await caller.reverse(postingOf(round, hash, gameCode), until);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, left.length) }, work));
}
