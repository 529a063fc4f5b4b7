import type { Reconciliations } from '../../wallet';
import { readSavedDay, type SavedVoid } from './day';

/** Voids without a debit (D10.4), the oldest first. */
export interface SavedVoids {
  readonly voids: readonly SavedVoid[];
  /** How many more were found. */
  readonly leftOut: number;
}

/**
 * What `rgs-wallet reconcile --save` found on the newest days that were saved.
 * @throws StoreUnavailableError
 */
export async function savedVoids(
  reconciliations: Reconciliations,
  operatorId: string,
  days: number,
): Promise<SavedVoids> {
  const found = new Map<string, SavedVoid>();
  let leftOut = 0;
  for (const { text } of await reconciliations.list(operatorId, { days })) {
    const { voids = [], voidsLeftOut = 0 } = readSavedDay(text) ?? {};
    for (const one of voids) {
      found.set(JSON.stringify([one.player, one.round, one.hash, one.at]), one);
    }
    leftOut += voidsLeftOut;
  }
  const voids = [...found.values()].toSorted((one, other) => (one.at < other.at ? -1 : 1));
  return { voids, leftOut };
}
