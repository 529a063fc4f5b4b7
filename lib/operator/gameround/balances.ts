import { isRepairHash } from './repair';
import type { AccountBalance, NewRecord, RoundChange } from './change';
import { emptyPurse, type Purse } from '../../protocol/money/purse';

/** What a store with a history keeps of a commit besides the balances after it. */
export interface CommitNote {
  /** Time of its records, or of a person's decision; milliseconds since 1970. */
  readonly at: number;
  /**
   * For each record, in the order of `compareLines`: its place in the call, as a digit of base 36. Empty
   * for a single record; `decisionMark` for a person's decision without a record; `unorderedMark`
   * for too many records.
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
const decisionMark = '!';
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
 * The note of a change, kept with the balances after it. Null if the change adds no line to the round: a
 * proposal, rewritten records, work pending at a ledger.
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

/** The time of the repair decision that the change writes; null if it writes no decision. */
function decisionIn({ before, after }: RoundChange): number | null {
  if (after.repairs === undefined || after.repairs === before.repairs) return null;
  const known = new Map(before.repairs?.list.map((one) => [one.id, one.status]));
  const decided = after.repairs.list.find(
    ({ id, status, decidedAt }) =>
      decidedAt !== null && status !== 'takenBack' && status !== known.get(id),
  );
  return decided?.decidedAt ?? null;
}

/** A line, and what the account held after it; null where that is not known. */
export interface LineAfter<L> {
  readonly line: L;
  readonly balance: AccountBalance | null;
}

/**
 * The lines of a round, given as `compareLines` orders them, each with the balance after it. The lines of a
 * call that was one commit have the order of the call, and each its own balance: that of the commit less what
 * later lines moved. Where that is not exact, only the last line of the call has a balance: after several
 * commits at one time, and where a void took back credits or repairs, so that the lines no longer add up to the
 * commit.
 */
export function linesAfter<L extends RoundLine>(
  lines: readonly L[],
  kept: readonly KeptBalances[],
  currency: string | null,
): LineAfter<L>[] {
  return callsOf(lines).flatMap((call) => {
    const at = call[0]?.record.at;
    const commits = kept.filter((one) => one.at === at && one.lines !== decisionMark);
    return callAfter(call, commits, currency);
  });
}

/** The balance after the decision of a repair; null where it is not known. */
export function decisionAfter(
  kept: readonly KeptBalances[],
  at: number,
  currency: string | null,
): AccountBalance | null {
  const commits = kept.filter((one) => one.at === at && one.lines === decisionMark);
  const latest = latestCommit(commits);
  return latest === undefined ? null : accountIn(latest.accounts, currency);
}

function callAfter<L extends RoundLine>(
  call: readonly L[],
  commits: readonly KeptBalances[],
  ofRound: string | null,
): LineAfter<L>[] {
  const latest = latestCommit(commits);
  if (latest === undefined) return call.map((line) => ({ line, balance: null }));
  const ordered = commits.length === 1 ? inOrder(call, latest.lines) : null;
  const lines = ordered ?? call;
  const isExact = ordered !== null && sumOf(lines) === latest.net;
  const back = new Map<string | null, Purse>();
  const after: LineAfter<L>[] = [];
  for (const line of lines.toReversed()) {
    const isKnown = isExact || after.length === 0;
    const currency = currencyOf(line) ?? ofRound;
    const account = isKnown ? accountIn(latest.accounts, currency) : null;
    const { real, bonus } = back.get(currency) ?? emptyPurse;
    after.push({ line, balance: account && less(account, real, bonus) });
    const moved = movedBy(line);
    back.set(currency, { real: real + moved.real, bonus: bonus + moved.bonus });
  }
  return after.toReversed();
}

/** Lines of one time, which stand together. */
function callsOf<L extends RoundLine>(lines: readonly L[]): L[][] {
  const calls: L[][] = [];
  for (const line of lines) {
    const last = calls.at(-1);
    if (last?.[0]?.record.at === line.record.at) last.push(line);
    else calls.push([line]);
  }
  return calls;
}

function latestCommit(commits: readonly KeptBalances[]): KeptBalances | undefined {
  return commits.reduce<KeptBalances | undefined>(
    (latest, one) => (latest === undefined || one.version > latest.version ? one : latest),
    undefined,
  );
}

/** The lines in the order of the call; null if the commit had other lines than these. */
function inOrder<L>(call: readonly L[], places: string): L[] | null {
  if (places === '') return call.length === 1 ? [...call] : null;
  if (places.length !== call.length) return null;
  const ordered: L[] = [];
  for (const [at, line] of call.entries()) {
    const place = Number.parseInt(places.charAt(at), 36);
    if (!(place < call.length) || ordered[place] !== undefined) return null;
    ordered[place] = line;
  }
  return ordered;
}

function sumOf(lines: readonly RoundLine[]): bigint {
  return lines.map(movedBy).reduce((sum, { real, bonus }) => sum + real + bonus, 0n);
}

function movedBy({ record }: RoundLine): Purse {
  if (record.type === 'end') return emptyPurse;
  const { real, bonus } = record.purse;
  return record.type === 'debit' ? { real: -real, bonus: -bonus } : record.purse;
}

function currencyOf({ record }: RoundLine): string | null {
  return record.type === 'debit' || record.type === 'credit' ? record.currency : null;
}

/** The account in the currency; with null, the only account. */
function accountIn(
  accounts: readonly AccountBalance[],
  currency: string | null,
): AccountBalance | null {
  if (currency === null) return accounts.length === 1 ? (accounts[0] ?? null) : null;
  return accounts.find((one) => one.currency === currency) ?? null;
}

function less(
  { currency, real, bonus }: AccountBalance,
  moved: bigint,
  movedBonus: bigint,
): AccountBalance {
  return { currency, real: real - moved, bonus: bonus === null ? null : bonus - movedBonus };
}
