import type { Repair } from '../../gameround';
import { decideRejection, type RepairRefusal } from '../../gameround/repairs';
import type { Actor, RoundKey, Unknown } from '../../wallet';
import { Attempts } from '../../wallet/attempts';
import { checkReason, checkRoundKey, personOf } from './input';
import { checkRepairOptions, type RepairOptions } from './options';

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
  const attempts = new Attempts(store, clock, deadlineMs);
  const context = { by: person, now: clock.now(), note: reason };
  while (attempts.isWorthwhile) {
    const loaded = await attempts.run((walletStore) => walletStore.load(round, []));
    if (loaded.kind === 'unknown') {
      await attempts.failed(loaded);
      continue;
    }
    const ruling = decideRejection(id, loaded.snapshot.head, context);
    if (ruling.kind === 'refused') return ruling;
    const { change, repair } = ruling;
    if (change === null) return { kind: 'rejected', repair };
    const result = await attempts.run((walletStore) => walletStore.commit(round, change));
    if (result.kind === 'committed') return { kind: 'rejected', repair };
    if (result.kind === 'unknown') await attempts.failed(result);
  }
  return { kind: 'unknown', cause: attempts.failure };
}
