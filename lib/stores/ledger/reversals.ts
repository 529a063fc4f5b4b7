import { type RoundChange, type RoundHead, workOf } from '../../gameround';
import type { CommitResult, RoundJournal, RoundKey } from '../../wallet';
import type { LedgerCaller } from './ledger-caller';
import { postingOf } from './posting-key';

/** Reversals that are noted as done in one go, and how many of them are under way at once. */
const perCheckpoint = 64;
const atOnce = 8;

/**
 * The hashes whose money a change with voids takes back: those it names, and where it voids the
 * round every one that was accepted, or may have been. Null where the round has changed since.
 * Some may never have moved money, which a reversal does not mind.
 */
export async function hashesToReverse(
  journal: RoundJournal,
  round: RoundKey,
  { before, after, records }: RoundChange,
): Promise<readonly string[] | null> {
  const hashes = new Set(before.pending?.reversals);
  for (const { hash, record } of records) if (record.type === 'void') hashes.add(hash);
  if (after.state !== 'voided' || before.state === 'voided') return [...hashes];
  for (const { hash, record } of before.pending?.posts ?? []) {
    if (record.type !== 'end') hashes.add(hash);
  }
  if (before.version === 0) return [...hashes];
  const report = await journal.readRound(round);
  if (report?.head.version !== before.version) return null;
  for (const [hash, { transaction }] of report.entries) {
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
