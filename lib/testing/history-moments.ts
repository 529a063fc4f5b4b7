import assert from 'node:assert/strict';
import { addPurses, emptyPurse, type Purse } from '../money';
import type { Account } from '../wallet';

/** What a player has by currency; an absent bonus balance counts as empty. */
export type Balances = ReadonlyMap<string, Purse>;

/** Money that moves by currency, all of it in one moment. */
export type Moment = ReadonlyMap<string, Purse>;

/** Accounts as someone saw them; `own` are the work whose effects they must hold. */
export interface Sight {
  readonly accounts: readonly Account[] | null;
  readonly own: Work | null;
}

/** What one call or one order did, a moment after the other. */
export interface Work {
  readonly moments: readonly Moment[];
}

/** Balances from accounts as they were read. */
export function toBalances(accounts: readonly Account[] | null): Balances {
  const list = accounts ?? [];
  return new Map(list.map(({ currency, real, bonus }) => [currency, { real, bonus: bonus ?? 0n }]));
}

/** The balances after a moment. */
export function moved(balances: Balances, moment: Moment): Balances {
  const after = new Map(balances);
  for (const [currency, purse] of moment) {
    after.set(currency, addPurses(after.get(currency) ?? emptyPurse, purse));
  }
  return after;
}

/**
 * O10: what was seen while several did their work at once is what some order of their moments
 * makes of the balances before, and one's own work is always seen.
 */
export function checkSights(
  before: Balances,
  works: readonly Work[],
  sights: readonly Sight[],
): void {
  const seen = new Set(sights);
  const visit = (at: number, balances: Balances, done: ReadonlySet<Work>): void => {
    const work = works[at];
    if (work === undefined) {
      for (const sight of seen) {
        const isOwnDone = sight.own === null || done.has(sight.own);
        if (isOwnDone && isSame(toBalances(sight.accounts), balances)) seen.delete(sight);
      }
      return;
    }
    let after = balances;
    if (work.moments.length > 0) visit(at + 1, after, done);
    for (const [index, moment] of work.moments.entries()) {
      after = moved(after, moment);
      if (index < work.moments.length - 1) visit(at + 1, after, done);
    }
    visit(at + 1, after, new Set([...done, work]));
  };
  visit(0, before, new Set());
  for (const { accounts } of seen) {
    assert.fail(`O10: ${textOf(toBalances(accounts))} was seen, which never was`);
  }
}

/** Whether both hold the same money. */
export function isSame(one: Balances, other: Balances): boolean {
  return textOf(one) === textOf(other);
}

/** Balances as text, in the order of their currencies. */
export function textOf(balances: Balances): string {
  return [...balances]
    .map(([currency, { real, bonus }]) => `${currency} ${real} real ${bonus} bonus`)
    .toSorted()
    .join(', ');
}
