// For the contract suites: how the platform opens, funds and blocks players. Only tests use it.
import type { Pool } from 'pg';
import type { ContractCash, ContractCashResult, ContractPlayers } from 'rgs-wallet-kit/testing';

export function createPostgresPlayers(pool: Pool): ContractPlayers {
  const move = async (order: ContractCash, units: bigint): Promise<ContractCashResult> => {
    const { operatorId, playerId, currency, balance = 'real' } = order;
    const column = balance === 'real' ? 'balance' : 'bonus';
    const after = `COALESCE(${column}, 0) + $4::bigint`;
    const { rowCount } = await pool.query(
      `UPDATE accounts SET ${column} = ${after} WHERE operator_id = $1 AND player_id = $2
       AND currency = $3 AND ($4::bigint >= 0 OR ${after} >= 0)`,
      [operatorId, playerId, currency, units],
    );
    return { kind: rowCount === 1 ? 'done' : 'refused' };
  };
  return {
    openPlayer: ({ operatorId, playerId, currency, balances }) =>
      pool.query(
        `INSERT INTO accounts (operator_id, player_id, currency, balance, bonus)
         VALUES ($1, $2, $3, $4, $5)`,
        [operatorId, playerId, currency, balances.real.units, balances.bonus?.units],
      ),
    deposit: (order) => move(order, order.amount.units),
    withdraw: (order) => move(order, -order.amount.units),
    setBlocked: ({ operatorId, playerId }, blocked) =>
      pool.query('UPDATE accounts SET blocked = $3 WHERE operator_id = $1 AND player_id = $2', [
        operatorId,
        playerId,
        blocked,
      ]),
  };
}
