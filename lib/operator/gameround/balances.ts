import { isRepairHash } from './repair';
import type { AccountBalance, NewRecord, RoundChange } from './round';

/** What a store with a history keeps of a commit besides the balances after it. */
export interface CommitNote {
  /** The time that its records have, or that of a person's decision; milliseconds since 1970. */
  readonly at: number;
  /**
   * Of its records as {@link compareLines} orders them: the place that each had in the call, a digit of base
   * 36 each. Empty for a single one; {@link decisionMark} for a person's decision without a record;
   * {@link unorderedMark} if they are too many.
   */
  readonly lines: string;
  /** What it moved in all, in units of either balance; null if it took back what a repair had paid. */
  readonly net: bigint | null;
}

/** A commit with a note, and the balances after it. */
export interface KeptBalances extends CommitNote {
  /** The version of the round after it. */
  readonly version: number;
  readonly accounts: readonly AccountBalance[];
}

/** `lines` of a decision about a repair. */
export const decisionMark = '!';
/** `lines` of a call with more records than base 36 has digits. */
const unorderedMark = '*';

const maxOrdered = 36;
const typeOrder = ['debit', 'credit', 'end', 'void'] as const;

/** A line of a round: a record under its hash. */
export type RoundLine = Pick<NewRecord, 'hash' | 'record'>;

/** The order of a round's lines: by time; within a time debits, credits, ends and voids, by their hash. */
export function compareLines(one: RoundLine, other: RoundLine): number {
  return (
    one.record.at - other.record.at ||
    typeOrder.indexOf(one.record.type) - typeOrder.indexOf(other.record.type) ||
    (one.hash < other.hash ? -1 : 1)
  );
}

/**
 * What to keep of a change with the balances after it; null for one that writes no line of the round: a
 * proposal, records that are written again, what is pending at a ledger.
 */
export function noteOf(change: RoundChange): CommitNote | null {
  const { movements, elsewhere = [] } = change;
  const all = [...movements, ...elsewhere];
  let net: bigint | null = 0n;
  for (const one of all) {
    if (isRepairHash(one.hash)) net = null;
    else if (net !== null) {
      net += one.kind === 'take' ? -one.amount : one.purse.real + one.purse.bonus;
    }
  }
  const records = latestOf(change.records);
  const at = records.reduce((latest, { record }) => Math.max(latest, record.at), 0);
  const called = records.filter(({ record }) => record.at === at);
  if (called.length > 0) return { at, lines: placesOf(called), net };
  const decidedAt = decisionIn(change);
  return decidedAt === null ? null : { at: decidedAt, lines: decisionMark, net };
}

/**
 * Of several records of a kind under one hash a store keeps the last. The mark of a debit that was answered
 * 5xx (D7) moves nothing, and its debit may have been recorded long before.
 */
function latestOf(records: readonly NewRecord[]): readonly NewRecord[] {
  const fresh = records.filter(
    ({ record, isRewritten }) =>
      isRewritten !== true && !(record.type === 'debit' && record.outcome === 'unanswered'),
  );
  if (fresh.length < 2) return fresh;
  return [...new Map(fresh.map((item) => [kindOf(item), item])).values()];
}

function kindOf({ record, hash }: NewRecord): string {
  return `${record.type === 'void' ? 'v' : 't'}${hash}`;
}

function placesOf(records: readonly NewRecord[]): string {
  if (records.length === 1) return '';
  if (records.length > maxOrdered) return unorderedMark;
  const sorted = records.toSorted(compareLines);
  return sorted.map((item) => records.indexOf(item).toString(maxOrdered)).join('');
}

/** When the repair was decided whose decision the change writes; null if it writes none. */
function decisionIn({ before, after }: RoundChange): number | null {
  if (after.repairs === undefined || after.repairs === before.repairs) return null;
  const known = new Map(before.repairs?.list.map((one) => [one.id, one.status]));
  const decided = after.repairs.list.find(
    ({ id, status, decidedAt }) =>
      decidedAt !== null && status !== 'takenBack' && status !== known.get(id),
  );
  return decided?.decidedAt ?? null;
}
