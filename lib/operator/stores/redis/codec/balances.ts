import type { RoundChange } from '../../../gameround';
import { type KeptBalances, noteOf } from '../../../gameround/balances';
import { unreadable } from '../../codec/record';
import { decodeAccounts, encodeBalance } from './record';
import { decodeTime, encodeTime } from './time';

/**
 * The balances after a commit, in a field of its round: its name is `b` with the version after it, its value
 * `at/lines/net/` and the accounts, `currency|balance|...`. The script adds the accounts, which it has anyway.
 * `net` is left out if the commit has a single line: there is nothing to check then.
 */

/** Begins the field's name; no other field of a round begins so. */
const letter = 'b';

/**
 * The field of a change, its name and its value: the script adds the accounts to a value that ends with `/`.
 * Null if the change writes no line of the round, or the ledger did not report balances.
 */
export function balancesField(change: RoundChange): readonly [name: string, value: string] | null {
  const note = noteOf(change);
  const { after, balances } = change;
  if (note === null || balances === null || balances?.length === 0) return null;
  const { at, lines, net } = note;
  const held = balances?.map(
    ({ currency, real, bonus }) => `${currency}|${encodeBalance(real, bonus)}`,
  );
  const checked = lines.length < 2 ? '' : (net ?? '');
  const text = [encodeTime(at), lines, checked, held?.join('|') ?? ''].join('/');
  return [`${letter}${after.version}`, text];
}

/** The balances that a round has kept, from all its fields, each followed by its value. */
export function balancesIn(flat: readonly string[]): KeptBalances[] {
  const kept: KeptBalances[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const [field = '', text = ''] = flat.slice(at, at + 2);
    if (field.startsWith(letter)) kept.push(decodeBalances(field, text));
  }
  return kept;
}

/** @throws Error for a text that this version cannot read. */
function decodeBalances(field: string, text: string): KeptBalances {
  const version = Number(field.slice(1));
  const [at, lines, net, held, ...more] = text.split('/');
  if (!Number.isSafeInteger(version) || held === undefined || more.length > 0) {
    throw unreadable('balances of a round', text);
  }
  const accounts = decodeAccounts(held === '' ? [] : held.split('|')) ?? [];
  const time = decodeTime(at);
  return { version, at: time, lines: lines ?? '', net: netOf(net), accounts };
}

function netOf(text: string | undefined): bigint | null {
  return text === undefined || text === '' ? null : BigInt(text);
}
