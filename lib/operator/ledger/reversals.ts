import {
  type HashEntry,
  neededForReversals,
  type RoundHead,
  type VoidPlan,
  withReversed,
} from '../gameround';
import type { CommitResult, RoundJournal, RoundKey } from '../wallet';
import type { LedgerCaller } from './caller';
import { postingOf } from '../wallet/posting-key';

/** Reversals that are noted as done in one go, and how many of them are under way at once. */
const perCheckpoint = 64;
const atOnce = 8;

/** What is known of the hashes that tell what voids take back. Null where the round has changed. */
export async function knownForReversals(
  journal: RoundJournal,
  round: RoundKey,
  plan: VoidPlan,
): Promise<ReadonlyMap<string, HashEntry> | null> {
  const { version } = plan.change.before;
  const needed = neededForReversals(plan);
  if (needed === 'all') {
    const report = await journal.readRound(round);
    return report?.head.version === version ? report.entries : null;
  }
  if (needed.length === 0) return new Map();
  const loaded = await journal.load(round, needed);
  if (loaded.kind === 'unknown') return null;
  const { head, entries } = loaded.snapshot;
  return head.version === version ? entries : null;
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
    const batch = head.pending?.reversals.slice(0, perCheckpoint) ?? [];
    await reverseAll(caller, round, batch, head.gameCode, until);
    const after = withReversed(head, perCheckpoint);
    const result = await journal.commit(round, { before: head, after, records: [], movements: [] });
    const isDone = (after.pending?.reversals ?? []).length === 0;
    if (result.kind !== 'committed' || isDone) return result;
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
