import { emptyPurse, type Purse } from '../../../protocol/money';
import type { AccountBalance } from '../round';
import { decisionMark, type KeptBalances, type RoundLine } from '../balances';

/** A line, and what the account held after it; null where that is not known. */
export interface LineAfter<L> {
  readonly line: L;
  readonly balance: AccountBalance | null;
}

/**
 * The lines of a round, given as `compareLines` orders them, each with the balance after it. The lines of a
 * call that was one commit have the order of the call, and each its own balance: that of the commit less what
 * the lines behind it moved. Where that is not exact, the last line of the call alone has a balance: of
 * several commits at one time, and of a commit whose lines no longer say what it moved, because a void took
 * credits or repairs back.
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
  const latest = latestOf(commits);
  return latest === undefined ? null : accountIn(latest.accounts, currency);
}

function callAfter<L extends RoundLine>(
  call: readonly L[],
  commits: readonly KeptBalances[],
  ofRound: string | null,
): LineAfter<L>[] {
  const latest = latestOf(commits);
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

function latestOf(commits: readonly KeptBalances[]): KeptBalances | undefined {
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

/** The account in the currency; without a currency the only one. */
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
