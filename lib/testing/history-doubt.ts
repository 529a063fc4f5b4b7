import type { DebitRecord, HashEntry } from '../gameround';
import { isEmptyPurse } from '../money';
import type { Guess } from './history-moments';

/** Whether a debit was given up, without its money being known (D7). */
export function isGivenUp({ transaction: record }: HashEntry = {}): boolean {
  return record?.type === 'debit' && record.outcome === 'unanswered' && isEmptyPurse(record.purse);
}

/**
 * What a round has, or had, under way to a ledger without its outcome being known: a debit that
 * was given up may have been taken until it is voided, and then nets to 0.
 */
export class MovingDebits {
  private readonly known = new Set<string>();
  private uncertain = new Map<string, Guess>();

  /** What is uncertain now, and what may have moved since the round was compared last. */
  compare(
    entries: ReadonlyMap<string, HashEntry>,
    isVoided: boolean,
    came: (hash: string) => boolean,
  ): { readonly uncertain: readonly Guess[]; readonly guesses: readonly Guess[] } {
    const guesses: Guess[] = [];
    const uncertain = new Map<string, Guess>();
    let hasNew = false;
    for (const [hash, entry] of entries) {
      if (!isGivenUp(entry)) continue;
      const { currency, amount, discount } = entry.transaction as DebitRecord;
      const guess = { currency, units: discount - amount };
      if (!came(hash) || guess.units === 0n) continue;
      if (!this.known.has(hash)) {
        guesses.push(guess);
        hasNew = true;
      }
      if (entry.void === undefined && !isVoided) uncertain.set(hash, guess);
    }
    for (const [hash, { currency, units }] of this.uncertain) {
      if (!uncertain.has(hash)) guesses.push({ currency, units: -units });
    }
    if (hasNew) guesses.push(...this.declinedSince(entries));
    for (const hash of entries.keys()) this.known.add(hash);
    this.uncertain = uncertain;
    return { uncertain: [...uncertain.values()], guesses };
  }

  /** Credits after a debit that was given up: given for a moment, perhaps, and taken back. */
  private declinedSince(entries: ReadonlyMap<string, HashEntry>): Guess[] {
    return Array.from(entries).flatMap(([hash, { transaction: record }]) => {
      const isDeclined = record?.type === 'credit' && record.outcome === 'DEBITFAILEDBEFORE';
      if (!isDeclined || this.known.has(hash)) return [];
      return [{ currency: record.currency, units: record.amount }];
    });
  }
}

/** All that some of these may come to. */
export function sumsOfSome(units: readonly bigint[]): ReadonlySet<bigint> {
  let sums = [0n];
  for (const one of units) sums = [...new Set([...sums, ...sums.map((sum) => sum + one)])];
  return new Set(sums);
}
