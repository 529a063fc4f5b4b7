import type { Account, LedgerCredit, LedgerDebit, MovementRefusal } from 'rgs-wallet-kit';

/** Of `accounts`, as pg gives it: bigints are texts. */
export interface Row {
  readonly currency: string;
  readonly balance: string;
  readonly bonus: string | null;
  readonly blocked: boolean;
}

/** Of `posting_keys`. */
export interface Note {
  readonly content: string;
  readonly refusal: MovementRefusal | null;
  readonly reversed: boolean;
  readonly operator_id: string;
  readonly player_id: string;
  readonly currency: string | null;
  readonly real: string;
  readonly bonus: string;
}

/** What a posting moves in each balance, or why it may not. */
export type Decision =
  | { readonly refusal: MovementRefusal; readonly real?: never; readonly bonus?: never }
  | { readonly refusal?: never; readonly real: bigint; readonly bonus: bigint };

/** The largest balance that the wallet can show. */
const max = 2n ** 53n - 1n;

export function decideDebit({ amount, bonusFirst }: LedgerDebit) {
  return ({ balance, bonus, blocked }: Row): Decision => {
    if (blocked) return { refusal: 'blocked' };
    const has = { real: atLeast0(BigInt(balance)), bonus: atLeast0(BigInt(bonus ?? 0)) };
    if (has.real + has.bonus < amount) return { refusal: 'tooLow' };
    const first = bonusFirst ? has.bonus : has.real;
    const paidFirst = first < amount ? first : amount;
    const paidBonus = bonusFirst ? paidFirst : amount - paidFirst;
    return { real: paidBonus - amount, bonus: -paidBonus };
  };
}

/** Blocked players are paid too. */
export function decideCredit({ purse }: LedgerCredit) {
  return ({ balance, bonus }: Row): Decision => {
    const fits = BigInt(balance) + purse.real <= max && BigInt(bonus ?? 0) + purse.bonus <= max;
    return fits ? purse : { refusal: 'outOfRange' };
  };
}

/** The player's accounts for an answer; null where there are none. */
export function toAccounts(rows: readonly Row[]): readonly Account[] | null {
  const accounts = rows.map(({ currency, balance, bonus }) => {
    return { currency, real: BigInt(balance), bonus: bonus === null ? null : BigInt(bonus) };
  });
  return accounts.length === 0 ? null : accounts;
}

function atLeast0(units: bigint): bigint {
  return units > 0n ? units : 0n;
}
