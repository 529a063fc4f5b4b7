import type { Repair } from '../../gameround';
import { decideProposal } from '../../gameround/repairs/propose';
import { repairOf } from '../../gameround/repairs/standing';
import type { RepairOrder, RepairRefusal } from '../../gameround/repairs/order';
import type { Actor, RoundKey, Unknown } from '../../wallet';
import { checkRoundKey } from '../../stores/check-input';
import { Attempts } from '../../wallet/attempts';
import { checkOrder, personOf, checkRepairOptions, type RepairOptions } from './input';
import { readAccounts, readWhole } from './whole-round';

/** The answer to {@link proposeRepair}. */
export type ProposeRepairResult =
  /** Written; `repair.id` names it. Nothing has moved. */
  | { readonly kind: 'proposed'; readonly repair: Repair }
  | { readonly kind: 'refused'; readonly reason: RepairRefusal }
  /** The store did not answer: the proposal may be there, see `readRound`. */
  | Unknown;

/**
 * Proposes a repair of a round (D11.1). It moves nothing. Another person approves it within a day, unless
 * `fourEyes` lets the same one.
 * @throws InvalidInputError or TypeError that names what is missing or wrong, or that the store keeps no repairs.
 */
export async function proposeRepair(
  round: RoundKey,
  order: RepairOrder,
  by: Actor,
  options: RepairOptions,
): Promise<ProposeRepairResult> {
  const { store, policy, deadlineMs, clock, random } = checkRepairOptions(options);
  checkRoundKey(round);
  const checked = checkOrder(order);
  const person = personOf(by);
  const attempts = new Attempts(store.rounds, clock, deadlineMs);
  const id = random.bytes(9).toString('base64url');
  const context = { gameRound: round.gameRound, id, by: person, now: clock.now(), policy };
  while (attempts.isWorthwhile) {
    const view = await readWhole(round, attempts);
    if (view === null) continue;
    const written = repairOf(view.head, id);
    if (written !== undefined) return { kind: 'proposed', repair: written };
    const accounts = checked.kind === 'pay' ? await readAccounts(round, attempts) : null;
    if (accounts === undefined) continue;
    const ruling = decideProposal(checked, view, { ...context, accounts });
    if (ruling.kind === 'refused') return ruling;
    const result = await attempts.run((rounds) => rounds.commit(round, ruling.change));
    if (result.kind === 'committed') return { kind: 'proposed', repair: ruling.repair };
    if (result.kind === 'unknown') await attempts.failed(result);
  }
  return { kind: 'unknown', cause: attempts.failure };
}
