import type { Repair, RoundChange, RoundHead } from '../../gameround';
import { decideApproval, refusedChange, decideRejection } from '../../gameround/repairs/decision';
import { repairOf } from '../../gameround/repairs/standing';
import type { RepairRefusal } from '../../gameround/repairs/order';
import type { Actor, CommitResult, RoundKey, Unknown } from '../../wallet';
import { checkRoundKey } from '../../stores/check-input';
import { Attempts } from '../../wallet/attempts';
import { personOf, checkRepairOptions, type RepairOptions, checkReason } from './input';
import { readWhole } from './whole-round';

/** The answer to {@link approveRepair}. */
export type ApproveRepairResult =
  /**
   * The repair is made. `replay`: it was before; nothing moved again. Of two approvals by one person in the same
   * millisecond, both may answer that they made it; it is made once.
   */
  | { readonly kind: 'made'; readonly repair: Repair; readonly replay: boolean }
  /** Nothing moved. With `refusedByAccount` the repair's `note` says why, and it is over. */
  | { readonly kind: 'refused'; readonly reason: RepairRefusal; readonly repair?: Repair }
  /** The store did not answer: approve again, which moves nothing twice. */
  | Unknown;

/**
 * Approves a repair and makes it (D11.2): once, however often it is approved, and by however many people. The
 * round must be as it was when it was proposed.
 * @throws InvalidInputError or TypeError that names what is missing or wrong, or that the store keeps no repairs.
 */
export async function approveRepair(
  round: RoundKey,
  id: string,
  by: Actor,
  options: RepairOptions,
): Promise<ApproveRepairResult> {
  const { store, policy, deadlineMs, clock } = checkRepairOptions(options);
  checkRoundKey(round);
  const person = personOf(by);
  const attempts = new Attempts(store.rounds, clock, deadlineMs);
  const now = clock.now();
  const context = { gameRound: round.gameRound, by: person, now, policy };
  let isInDoubt = false;
  while (attempts.isWorthwhile) {
    const view = await readWhole(round, attempts);
    if (view === null) continue;
    const ruling = decideApproval(id, view, context);
    const repair = repairOf(view.head, id);
    const isOwn = isInDoubt && repair?.decidedBy?.id === person.id && repair.decidedAt === now;
    if (ruling.kind === 'made') return { kind: 'made', repair: ruling.repair, replay: !isOwn };
    if (ruling.kind === 'refused') {
      return repair === undefined ? ruling : { ...ruling, repair };
    }
    const { change } = ruling;
    const result = await attempts.run((rounds) => rounds.commit(round, change));
    const made = repairOf(change.after, id);
    if (result.kind === 'committed' && made !== undefined) {
      // A repair that was being paid had been approved before: this call only continued it.
      return { kind: 'made', repair: made, replay: repair?.status === 'paying' && !isOwn };
    }
    const failed = failureOf(result, change);
    if (failed !== null) {
      const refusal = refusedChange(failed.head, id, person, failed.reason, now);
      await attempts.run((rounds) => rounds.commit(round, refusal));
    }
    isInDoubt ||= result.kind === 'unknown';
    if (result.kind === 'unknown') await attempts.failed(result);
  }
  return { kind: 'unknown', cause: attempts.failure };
}

/** Why the account refused the money, and the round to note it in. */
function failureOf(result: CommitResult | Unknown, { before }: RoundChange) {
  if (result.kind !== 'refused') return null;
  const head: RoundHead = result.head ?? before;
  return { head, reason: result.reason };
}

/** The answer to {@link rejectRepair}. */
export type RejectRepairResult =
  | { readonly kind: 'rejected'; readonly repair: Repair }
  | { readonly kind: 'refused'; readonly reason: RepairRefusal }
  | Unknown;

/**
 * Rejects a proposal, or withdraws one's own (D11.2). Nothing moves; rejecting twice changes nothing.
 * @throws InvalidInputError or TypeError that names what is missing or wrong, or that the store keeps no repairs.
 */
export async function rejectRepair(
  round: RoundKey,
  id: string,
  by: Actor,
  reason: string,
  options: RepairOptions,
): Promise<RejectRepairResult> {
  const { store, deadlineMs, clock } = checkRepairOptions(options);
  checkRoundKey(round);
  checkReason('reason', reason);
  const person = personOf(by);
  const attempts = new Attempts(store.rounds, clock, deadlineMs);
  const context = { by: person, now: clock.now(), note: reason };
  while (attempts.isWorthwhile) {
    const loaded = await attempts.run((rounds) => rounds.load(round, []));
    if (loaded.kind === 'unknown') {
      await attempts.failed(loaded);
      continue;
    }
    const ruling = decideRejection(id, loaded.snapshot.head, context);
    if (ruling.kind === 'refused') return ruling;
    const { change, repair } = ruling;
    if (change === null) return { kind: 'rejected', repair };
    const result = await attempts.run((rounds) => rounds.commit(round, change));
    if (result.kind === 'committed') return { kind: 'rejected', repair };
    if (result.kind === 'unknown') await attempts.failed(result);
  }
  return { kind: 'unknown', cause: attempts.failure };
}
