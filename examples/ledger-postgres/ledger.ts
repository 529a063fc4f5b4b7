// The platform's table `accounts` as the ledger of the wallet. Each posting is one transaction: the note of its key and
// the movement, both or neither. Whatever PostgreSQL throws is thrown on: the outcome is not known.
import type { Pool, PoolClient } from 'pg';
import type { Ledger, LedgerDone, LedgerPosting, LedgerRefused } from 'rgs-wallet-kit';
import {
  type Decision,
  decideCredit,
  decideDebit,
  type Note,
  type Row,
  toAccounts,
} from './decide';

type Posting = LedgerPosting & { readonly currency: string };

/** The pool needs time limits of its own: a query that was sent does not hear the signal. */
export function createPostgresLedger(pool: Pool): Ledger {
  return {
    debit: (posting) => {
      const terms = ['debit', posting.amount, posting.bonusFirst];
      return transact(pool, (db) => post(db, posting, terms, decideDebit(posting)));
    },
    credit: (posting) => {
      const terms = ['credit', posting.purse.real, posting.purse.bonus];
      return transact(pool, (db) => post(db, posting, terms, decideCredit(posting)));
    },
    reverse: (posting) => transact(pool, (db) => reverse(db, posting)),
    balances: async ({ operatorId, playerId }) =>
      toAccounts((await pool.query<Row>(readAccounts, [operatorId, playerId])).rows),
  };
}

async function post(
  db: PoolClient,
  { key, operatorId, playerId, gameRound, hash, currency }: Posting,
  terms: readonly unknown[],
  decide: (account: Row) => Decision,
): Promise<LedgerDone | LedgerRefused> {
  const content = [...terms, currency, operatorId, playerId].join('\n');
  // Whoever comes first notes the key. The others wait here for the end of that transaction, and read its note below.
  const noted = await db.query(noteKey, [key, content, operatorId, playerId, gameRound, hash]);
  if (noted.rowCount === 1) {
    const { rows } = await db.query<Row>(lockAccounts, [operatorId, playerId]);
    const account = rows.find((row) => row.currency === currency);
    const absent: Decision = { refusal: rows.length === 0 ? 'noPlayer' : 'noCurrency' };
    const { refusal, real = 0n, bonus = 0n } = account === undefined ? absent : decide(account);
    await db.query(moveMoney, [operatorId, playerId, currency, real, bonus]);
    await db.query(noteOutcome, [key, refusal, currency, real, bonus]);
  }
  const note = (await db.query<Note>(readNote, [key])).rows[0];
  if (note === undefined) throw new Error('a key that was noted is gone');
  if (note.reversed || note.content !== content) return { kind: 'refused', reason: 'refused' };
  if (note.refusal !== null) return { kind: 'refused', reason: note.refusal };
  const accounts = toAccounts((await db.query<Row>(readAccounts, [operatorId, playerId])).rows);
  const paid = { real: -BigInt(note.real), bonus: -BigInt(note.bonus) };
  return { kind: 'done', paid, accounts: accounts ?? [] };
}

async function reverse(
  db: PoolClient,
  { key, operatorId, playerId, gameRound, hash }: LedgerPosting,
): Promise<LedgerDone> {
  // A key that never arrived is noted as well, so that its arrival is refused.
  await db.query(noteKey, [key, 'reversed', operatorId, playerId, gameRound, hash]);
  // Of several reversals at once one finds it not reversed. The others wait for that one, and then find nothing.
  const note = (await db.query<Note>(noteReversal, [key])).rows[0];
  if (note !== undefined) {
    const { operator_id, player_id, currency, real, bonus } = note;
    await db.query(moveMoney, [operator_id, player_id, currency, -BigInt(real), -BigInt(bonus)]);
  }
  return { kind: 'done' };
}

const noteKey = `INSERT INTO posting_keys (key, content, operator_id, player_id, game_round, hash)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (key) DO NOTHING`;
const noteOutcome = `UPDATE posting_keys SET refusal = $2, currency = $3, real = $4, bonus = $5 WHERE key = $1`;
const noteReversal = `UPDATE posting_keys SET reversed = true WHERE key = $1 AND NOT reversed RETURNING *`;
const readNote = `SELECT * FROM posting_keys WHERE key = $1`;
const readAccounts = `SELECT * FROM accounts WHERE operator_id = $1 AND player_id = $2`;
const lockAccounts = `${readAccounts} ORDER BY currency FOR UPDATE`;
const moveMoney = `UPDATE accounts SET balance = balance + $4,
    bonus = CASE WHEN $5::bigint = 0 THEN bonus ELSE COALESCE(bonus, 0) + $5::bigint END
  WHERE operator_id = $1 AND player_id = $2 AND currency = $3`;

async function transact<T>(pool: Pool, work: (db: PoolClient) => Promise<T>): Promise<T> {
  const db = await pool.connect();
  db.on('error', leaveToQuery);
  try {
    await db.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    const answer = await work(db);
    await db.query('COMMIT');
    db.off('error', leaveToQuery);
    db.release();
    return answer;
  } catch (error) {
    db.release(true); // closes the connection, and with it what was not committed
    throw error;
  }
}

/** A connection that is lost between two queries must not end the process: the next query tells of it. */
function leaveToQuery(): void {}
