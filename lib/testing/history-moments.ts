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
  const moving = works.filter(({ moments }) => moments.length > 0);
  for (const { accounts, own } of sights) {
    const text = textOf(toBalances(accounts));
    const isPossible = possibleBalances(before, moving, own).has(text);
    assert.ok(isPossible, `O10: ${text} was seen, which never was`);
  }
}

/** What the balances may be while works go on, each as far as it may have come; by their text. */
function possibleBalances(
  before: Balances,
  works: readonly Work[],
  own: Work | null,
): ReadonlyMap<string, Balances> {
  let possible = new Map([[textOf(before), before]]);
  for (const work of works) {
    const next = work === own ? new Map<string, Balances>() : new Map(possible);
    for (let balances of possible.values()) {
      for (const [at, moment] of work.moments.entries()) {
        balances = moved(balances, moment);
        const isLast = at === work.moments.length - 1;
        if (work !== own || isLast) next.set(textOf(balances), balances);
      }
    }
    possible = next;
  }
  return possible;
}

/** Balances as text, in the order of their currencies. */
export function textOf(balances: Balances): string {
  return [...balances]
    .map(([currency, { real, bonus }]) => `${currency} ${real} real ${bonus} bonus`)
    .toSorted()
    .join(', ');
}
