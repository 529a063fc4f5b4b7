import type { DebitRecord, HashEntry } from '../../operator/gameround';
import { isEmptyPurse } from '../../protocol/money/purse';
import type { Guess, Work } from './moments';
import { type Known, voidedCode } from '../oracle/answers';

/** Whether a debit was given up with its money unknown (D7). */
export function isGivenUp({ transaction: record }: HashEntry = {}): boolean {
  return record?.type === 'debit' && record.outcome === 'unanswered' && isEmptyPurse(record.purse);
}

/** D5.2, O4: the void of a first debit takes back everything; a debit that arrives after its void, nothing. */
function voidsRound({ transaction: record, void: order }: HashEntry): boolean {
  if (order === undefined || record?.type !== 'debit' || !record.first) return false;
  return record.outcome === 'accepted' || record.outcome === 'unanswered';
}

/**
 * A round's debits in flight to a ledger with an unknown outcome: one that was given up may have been
 * taken until it is voided, and then nets to 0.
 */
export class MovingDebits {
  private readonly known = new Set<string>();
  /** Hashes whose void came before: a debit of theirs is never posted, a credit is (D5.5). */
  private readonly voided = new Set<string>();
  private uncertain = new Map<string, Guess>();

  /**
   * What is uncertain now, and what may have moved since the last comparison; more of it if several calls
   * came concurrently.
   */
  compare(
    entries: ReadonlyMap<string, HashEntry>,
    isVoided: boolean,
    came: (hash: string) => boolean,
    isTogether: boolean,
  ): { readonly uncertain: readonly Guess[]; readonly guesses: readonly Guess[] } {
    const guesses: Guess[] = [];
    const isTakenBack = [...entries.values()].some(voidsRound);
    const uncertain = new Map<string, Guess>();
    for (const [hash, entry] of entries) {
      if (!isGivenUp(entry)) continue;
      const { currency, amount, discount } = entry.transaction as DebitRecord;
      const guess = { currency, units: discount - amount };
      if (!came(hash) || guess.units === 0n) continue;
      if (!this.known.has(hash) && !this.voided.has(hash)) guesses.push(guess);
      if (entry.void === undefined && !isTakenBack) uncertain.set(hash, guess);
    }
    for (const [hash, { currency, units }] of this.uncertain) {
      // A round that is voided by the void of an unseen debit takes back what it finds, too.
      if (!uncertain.has(hash) || isVoided) guesses.push({ currency, units: -units });
    }
    if (isTogether) guesses.push(...this.declinedSince(entries));
    for (const [hash, { transaction, void: order }] of entries) {
      if (transaction !== undefined) this.known.add(hash);
      if (order !== undefined) this.voided.add(hash);
    }
    this.uncertain = uncertain;
    return { uncertain: [...uncertain.values()], guesses };
  }

  /** What one call may have posted for a moment, and a concurrent call had taken back. */
  private declinedSince(entries: ReadonlyMap<string, HashEntry>): Guess[] {
    return Array.from(entries).flatMap(([hash, { transaction: record }]) => {
      if (record === undefined || record.type === 'end' || this.known.has(hash)) return [];
      if (record.type === 'debit' && this.voided.has(hash)) return [];
      const { currency, amount } = record;
      if (amount === 0n || settled.includes(record.outcome)) return [];
      return [{ currency, units: record.type === 'credit' ? amount : record.discount - amount }];
    });
  }
}

/** Outcomes that no other call can cause: the ledger's own are final, and moved nothing. */
const settled: readonly string[] = [
  'accepted',
  'unanswered',
  'BALANCETOOLOW',
  'DEBITREFUSED',
  'CREDITREFUSED',
  'PLAYERNOTFOUND',
];

/** All possible sums of some of these. */
export function sumsOfSome(units: readonly bigint[]): ReadonlySet<bigint> {
  let sums = [0n];
  for (const one of units) sums = [...new Set([...sums, ...sums.map((sum) => sum + one)])];
  return new Set(sums);
}

/**
 * What is recorded of hashes in a just voided round that were answered only as voided: a call wrote it, or
 * another one continued with it, and it was decided again after the void (D3.1). By hash, the answer
 * without the void. Accepted debits are excluded: their own call is answered.
 */
export function recordedUnanswered(
  answers: ReadonlyMap<string, Known>,
  entries: ReadonlyMap<string, HashEntry>,
): ReadonlyMap<string, string> {
  const unanswered = new Map<string, string>();
  for (const [hash, known] of answers) {
    const record = entries.get(hash)?.transaction;
    if (record === undefined || known.answer !== voidedCode) continue;
    const { type, outcome } = record;
    if (outcome === 'pending' || outcome === 'unanswered') continue;
    if (outcome !== 'accepted') unanswered.set(hash, outcome);
    else if (type !== 'debit') unanswered.set(hash, 'processed');
  }
  return unanswered;
}

/** What the credits among them paid before the void took it back: work that no answer shows. */
export function unansweredWorks(
  unanswered: ReadonlyMap<string, string>,
  entries: ReadonlyMap<string, HashEntry>,
): readonly Work[] {
  return Array.from(unanswered.keys()).flatMap((hash) => {
    const record = entries.get(hash)?.transaction;
    if (record?.type !== 'credit' || isEmptyPurse(record.purse)) return [];
    return [{ stages: [[new Map([[record.currency, record.purse]])]] }];
  });
}
