import assert from 'node:assert/strict';
import { addPurses, emptyPurse, type Purse } from '../../protocol/money/purse';
import type { Account } from '../../operator/wallet';

/** A player's balances by currency; an absent bonus balance counts as empty. */
export type Balances = ReadonlyMap<string, Purse>;

/** Money that moves in one moment, by currency. */
export type Moment = ReadonlyMap<string, Purse>;

/** Accounts as someone saw them; `own` is the work whose effects they must include. */
export interface Sight {
  readonly accounts: readonly Account[] | null;
  readonly own: readonly Work[];
}

/** The effect of one call or order: stage after stage, the moments of a stage in any order. */
export interface Work {
  readonly stages: readonly (readonly Moment[])[];
}

/**
 * Money that may have moved or been taken back, from an unknown balance: a debit with an unknown outcome,
 * in flight to a ledger (D7). Below zero if it leaves the player.
 */
export interface Guess {
  readonly currency: string;
  readonly units: bigint;
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
 * O10: accounts seen during concurrent work must equal the balances before plus some order of its moments,
 * and always include one's own work. With guesses, only the totals are compared.
 */
export function checkSights(
  before: Balances,
  works: readonly Work[],
  sights: readonly Sight[],
  guesses: readonly Guess[] = [],
): void {
  const view = guesses.length > 0 ? totalsOf : (balances: Balances) => balances;
  const moving = works.filter(({ stages }) => stages.length > 0);
  const guessed = guesses.map(({ currency, units }): Work => {
    return { stages: [[new Map([[currency, { real: units, bonus: 0n }]])]] };
  });
  for (const { accounts, own } of sights) {
    const text = textOf(view(toBalances(accounts)));
    const possible = possibleBalances(before, [...moving, ...guessed], own, view);
    assert.ok(
      possible.has(text),
      `O10: ${text} was seen, not one of: ${[...possible.keys()].join(' | ')}`,
    );
  }
}

/** The possible balances while works are in progress, each as far as it may have come; by their text. */
function possibleBalances(
  before: Balances,
  works: readonly Work[],
  own: readonly Work[],
  view: (balances: Balances) => Balances,
): ReadonlyMap<string, Balances> {
  let possible = new Map([[textOf(view(before)), view(before)]]);
  for (const work of works) {
    const next = new Map<string, Balances>();
    for (const sum of own.includes(work) ? [wholeOf(work)] : sumsOf(work)) {
      for (const balances of possible.values()) {
        const after = view(moved(balances, sum));
        next.set(textOf(after), after);
      }
    }
    possible = next;
  }
  return possible;
}

/** What work may have moved so far, from nothing to all of it. */
function sumsOf({ stages }: Work): Moment[] {
  const nothing: Moment = new Map();
  const sums = new Map([['', nothing]]);
  let done = nothing;
  for (const stage of stages) {
    let partial: Moment[] = [done];
    for (const moment of stage) {
      partial = [...partial, ...partial.map((sum) => moved(sum, moment))];
    }
    for (const sum of partial) sums.set(textOf(sum), sum);
    done = stage.reduce(moved, done);
  }
  return [...sums.values()];
}

function wholeOf({ stages }: Work): Moment {
  return stages.flat().reduce(moved, new Map() as Moment);
}

/** Balances of which only the totals are known. */
function totalsOf(balances: Balances): Balances {
  return new Map(
    Array.from(balances, ([currency, { real, bonus }]) => {
      return [currency, { real: real + bonus, bonus: 0n }] as const;
    }),
  );
}

/** Balances as text, in the order of their currencies. */
export function textOf(balances: Balances): string {
  return [...balances]
    .map(([currency, { real, bonus }]) => `${currency} ${real} real ${bonus} bonus`)
    .toSorted()
    .join(', ');
}

/** The sum of both parts. */
export function sumOf({ real, bonus }: Purse): bigint {
  return real + bonus;
}
