import { generatePlan } from '../plan/generate';
import type { OpenHost } from '../ports/host';
import { playPlan } from '../run/simulate';
import { accessPlants } from './access';
import { ledgerPlants } from './ledgers';
import type { Plant } from './over';
import { replyPlants } from './replies';
import { storePlants } from './stores';

/** All planted bugs. */
export const plants: readonly Plant[] = [
  ...storePlants,
  ...accessPlants,
  ...replyPlants,
  ...ledgerPlants,
];

/** Where a planted bug was found. */
export interface Find {
  readonly seed: number;
  /** Calls of that seed until it was. */
  readonly calls: number;
  /** The rule that did not hold. */
  readonly rule: string;
}

/** Plays worlds with a planted bug until one shows it; null if none of these seeds does. `openHost`: of a store that needs one. */
export async function hunt(
  { plant, store, wire = 'message' }: Plant,
  { seeds, calls }: { readonly seeds: readonly number[]; readonly calls: number },
  openHost?: OpenHost,
): Promise<Find | null> {
  for (const seed of seeds) {
    const plan = generatePlan({ seed, calls, store, wire });
    const { violation } = await playPlan(plan, { planted: plant(), ...(openHost && { openHost }) });
    if (violation !== null) return { seed, calls: violation.calls, rule: violation.rule };
  }
  return null;
}
