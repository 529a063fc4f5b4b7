import type { Entry, Round, RoundCredit } from './round';
import { withoutTrailing } from '../../platform/trailing';

/** amountToCollect: the sum of the open pieces (E12.1). */
export function amountToCollect(round: Pick<Round, 'entries'>): bigint {
  let total = 0n;
  for (const { open } of round.entries) if (open > 0n) total += open;
  return total;
}

/** amountCredited: the amount that the wallet has confirmed so far (E12.1). */
export function amountCredited(round: Round): bigint {
  return sumOf(round, 'paid');
}

/** Units that are due at the wallet and not confirmed yet (E12.1). */
export function creditPending(round: Round): bigint {
  return sumOf(round, 'due');
}

/** The nominal stake of all debits taken; a free play counts that of its ticket (E14.3). */
export function stakeOf(round: Round): bigint {
  const taken = round.debits.filter(({ state }) => state === 'accepted');
  return round.state === 'voided' ? 0n : sum(taken.map(({ stake }) => stake));
}

/** Every unit that the round may have to pay: open, due or paid; it has to stay exact (E4.1). */
export function owed(round: Round): bigint {
  return amountToCollect(round) + sum(round.credits.map(({ due }) => due.amount));
}

/** Takes an amount from the open pieces, oldest first; `isCollected` says where it goes (E12.1). */
export function takeOpen(
  entries: readonly Entry[],
  amount: bigint,
  isCollected: boolean,
): readonly Entry[] {
  if (amount === 0n) return entries;
  let left = amount;
  return entries.map((entry) => {
    const part = entry.open < left ? entry.open : left;
    if (part === 0n) return entry;
    left -= part;
    const collected = isCollected ? entry.collected + part : entry.collected;
    return { ...entry, open: entry.open - part, collected };
  });
}

/**
 * The stake in base units, as the shortest decimal text; null if the quotient has no finite form (E14.3).
 * The multiplier is a decimal text above 0.
 */
export function baseStake(stake: bigint, multiplier: string): string | null {
  const [whole = '', fraction = ''] = multiplier.split('.');
  const divisor = BigInt(whole + fraction);
  const dividend = stake * 10n ** BigInt(fraction.length);
  // Every factor 2 or 5 of the divisor needs at most one decimal; there are fewer than this many.
  const decimals = divisor.toString(2).length;
  const scaled = dividend * 10n ** BigInt(decimals);
  if (scaled % divisor !== 0n) return null;
  const digits = (scaled / divisor).toString().padStart(decimals + 1, '0');
  const [units, rest] = [digits.slice(0, -decimals), withoutTrailing(digits.slice(-decimals), '0')];
  return rest === '' ? units : `${units}.${rest}`;
}

function sumOf(round: Round, state: RoundCredit['state']): bigint {
  const credits = round.credits.filter((credit) => credit.state === state);
  return sum(credits.map(({ due }) => due.amount));
}

/** The sum of amounts; 0 of none. */
export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
