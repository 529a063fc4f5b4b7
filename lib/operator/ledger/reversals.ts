import type { CommitCause, HashEntry, RoundHead } from '../gameround';
import { neededForReversals, withReversed } from '../gameround/ledger/voids';
import type { VoidPlan } from '../gameround/ledger/plan';
import type { CommitResult, RoundJournal, RoundKey } from '../wallet';
import type { LedgerCaller } from './caller';
import { postingOf } from '../wallet/ledger';

/** Reversals written as done in one commit, and how many run concurrently. */
const perCheckpoint = 64;
const atOnce = 8;

/** The entries that show what voids take back. Null if the round has changed. */
export async function knownForReversals(
  journal: RoundJournal,
  round: RoundKey,
  plan: VoidPlan,
): Promise<ReadonlyMap<string, HashEntry> | null> {
  const { version } = plan.change.before;
  const needed = neededForReversals(plan);
  if (needed === 'all') {
    const report = await journal.rounds.readRound(round);
    return report?.head.version === version ? report.entries : null;
  }
  if (needed.length === 0) return new Map();
  const loaded = await journal.rounds.load(round, needed);
  if (loaded.kind === 'unknown') return null;
  const { head, entries } = loaded.snapshot;
  return head.version === version ? entries : null;
}

/**
 * Makes the head's pending reversals in the ledger and writes them to the journal in batches, so that a round
 * of any length can finish. Resolves to the result of the last write.
 * @throws LedgerSilentError if the ledger does not answer; what was written stays written.
 */
export async function finishReversals(
  journal: RoundJournal,
  caller: LedgerCaller,
  round: RoundKey,
  marked: RoundHead,
  until: AbortSignal,
  cause?: CommitCause,
): Promise<CommitResult> {
  let head = marked;
  for (;;) {
    const batch = head.pending?.reversals.slice(0, perCheckpoint) ?? [];
    await reverseAll(caller, round, batch, head.gameCode, until);
    const after = withReversed(head, perCheckpoint);
    const change = { before: head, after, records: [], movements: [], balances: null, cause };
    const result = await journal.rounds.commit(round, change);
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
