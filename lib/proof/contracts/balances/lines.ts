import assert from 'node:assert/strict';
import { parseAmount } from '../../../protocol/money';
import type { AccountJson, RoundJson } from '../../../operator/wallet';
import { orderOf } from '../case';
import { keepsMoney } from '../../subject/players';
import type { RoundPlay } from '../repairs/round-play';

/** The round as JSON. */
export async function jsonOf({ wallet, round }: RoundPlay): Promise<RoundJson> {
  const report = await wallet.store.readRound(round);
  assert.ok(report !== null, 'the round must be known');
  return report.toJSON();
}

/**
 * Asserts the transactions in their order, each with the units that the account held after it: `d 90`, or
 * `d 90+5` with a bonus. `-` is an unknown balance. Over a ledger any line may lack its balance.
 */
export async function assertLines(play: RoundPlay, expected: readonly string[]): Promise<void> {
  const { transactions } = await jsonOf(play);
  const { decimals } = play.wallet.store;
  const actual = transactions.map(({ hash, type, balance }) => {
    return `${type === 'void' ? 'void ' : ''}${hash} ${textOf(balance, decimals)}`;
  });
  if (keepsMoney(play.wallet)) assert.deepEqual(actual, expected);
  else assert.deepEqual(withUnknown(actual, expected), expected);
}

/** The balance as in {@link assertLines}. */
export function textOf(balance: AccountJson | undefined, decimals: number): string {
  if (balance === undefined) return '-';
  assert.equal(balance.currency, 'EUR');
  const bonus = balance.bonus === null ? '' : `+${unitsOf(balance.bonus, decimals)}`;
  return `${unitsOf(balance.real, decimals)}${bonus}`;
}

/** The player gets cash between two calls. */
export async function deposit({ wallet, round }: RoundPlay, units: bigint): Promise<void> {
  const result = await wallet.players.deposit(orderOf(round, units));
  assert.equal(result.kind, 'done');
}

/** Lines without a balance as they were expected. */
function withUnknown(actual: readonly string[], expected: readonly string[]): string[] {
  return actual.map((line, at) => {
    const wanted = expected[at] ?? '';
    const isUnknown = line.endsWith(' -') && wanted.startsWith(line.slice(0, -1));
    return isUnknown ? wanted : line;
  });
}

function unitsOf(text: string, decimals: number): bigint {
  const units = parseAmount(text, decimals);
  assert.ok(units !== null, `${text} is no amount`);
  return units;
}
