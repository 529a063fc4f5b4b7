// For the contract suites: how the platform opens, funds and blocks players, and the rows that game rounds wrote. Only tests
// use it. Amounts are units: 0.0001 each.
import type { Pool } from 'pg';
import type {
  ContractCash,
  ContractCashResult,
  ContractPlayers,
  MovedRow,
} from 'rgs-wallet-kit/testing';

type PlatformPlayers = ContractPlayers & Required<Pick<ContractPlayers, 'moved'>>;

export function createPlatformPlayers(pool: Pool): PlatformPlayers {
  const move = async (
    kind: string,
    order: ContractCash,
    units: bigint,
  ): Promise<ContractCashResult> => {
    const { playerId, currency, balance = 'real' } = order;
    const [real, bonus] = balance === 'real' ? [units, 0n] : [0n, units];
    // One statement: the balance and its entry, or neither.
    const { rowCount } = await pool.query(
      `WITH moved AS (
         UPDATE casino.wallets SET balance = balance + $3::bigint / 10000.0,
           bonus = CASE WHEN $4::bigint = 0 THEN bonus ELSE coalesce(bonus, 0) + $4::bigint / 10000.0 END
         WHERE user_id = $1 AND ccy = $2 AND ($3::bigint >= 0 OR balance * 10000 >= -$3::bigint)
           AND ($4::bigint >= 0 OR bonus * 10000 >= -$4::bigint)
         RETURNING user_id
       )
       INSERT INTO casino.entries (user_id, ccy, kind, real, bonus)
         SELECT user_id, $2, $5, $3::bigint / 10000.0, $4::bigint / 10000.0 FROM moved`,
      [playerId, currency, real, bonus, kind],
    );
    return { kind: rowCount === 1 ? 'done' : 'refused' };
  };
  return {
    openPlayer: ({ playerId, currency, balances: { real, bonus } }) =>
      pool.query(
        `INSERT INTO casino.wallets (user_id, ccy, balance, bonus)
         VALUES ($1, $2, $3::bigint / 10000.0, $4::bigint / 10000.0)`,
        [playerId, currency, real.units, bonus?.units],
      ),
    deposit: (order) => move('deposit', order, order.amount.units),
    withdraw: (order) => move('withdrawal', order, -order.amount.units),
    setBlocked: ({ playerId }, blocked) =>
      pool.query('UPDATE casino.wallets SET locked = $2 WHERE user_id = $1', [playerId, blocked]),
    moved: async ({ playerId }) => {
      const { rows } = await pool.query<{ currency: string; hash: string } & Sums>(
        `SELECT ccy AS currency, hash, (real * 10000)::bigint AS real, (bonus * 10000)::bigint AS bonus
         FROM casino.entries WHERE user_id = $1 AND hash IS NOT NULL`,
        [playerId],
      );
      return rows.map(
        ({ currency, hash, real, bonus }): MovedRow => ({
          currency,
          hash,
          real: BigInt(real),
          bonus: BigInt(bonus),
        }),
      );
    },
  };
}

interface Sums {
  readonly real: string;
  readonly bonus: string;
}

/** An id as the platform has them, for the digits that a suite derives from its own. */
export function uuidOf(digits: string): string {
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(digits) ?? [];
  return parts.slice(1).join('-');
}
