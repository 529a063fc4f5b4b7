import type { Pool, PoolClient } from 'pg';
import type { CheckedBalanceCall } from './check-balance-call';
import type { CheckedCall, CheckedTransaction } from './check-call';
import { CallRefused } from './check-sender';
import type { Processed } from './reply';

/** A round in progress: its row is locked until the end of the transaction. */
interface RoundInWork {
  state: string;
  failed: boolean;
}

interface Known {
  readonly hash: string;
  readonly content: string;
  readonly outcome: string;
}

/** Whether a row of a table of entries is written with each movement, as platforms have them. */
export interface Rows {
  readonly hasEntries?: boolean;
}

/** Every statement is prepared once for each connection, as pg does for those with a name. */
const statements = {
  lockRound: `INSERT INTO rounds (player_id, game_round, state) VALUES ($1, $2, 'new')
    ON CONFLICT (player_id, game_round) DO UPDATE SET state = rounds.state RETURNING state`,
  readKnown: `SELECT hash, content, outcome FROM transactions
    WHERE player_id = $1 AND game_round = $2 AND hash = ANY ($3)`,
  readBalance: `SELECT balance FROM accounts WHERE player_id = $1 AND currency = $2`,
  debit: `UPDATE accounts SET balance = balance - $3
    WHERE player_id = $1 AND currency = $2 AND balance >= $3 RETURNING balance`,
  credit: `UPDATE accounts SET balance = balance + $3
    WHERE player_id = $1 AND currency = $2 RETURNING balance`,
  record: `INSERT INTO transactions (player_id, game_round, hash, content, outcome)
    SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[])`,
  enter: `INSERT INTO entries (player_id, currency, game_round, kind, amount, hash)
    SELECT $1, $2, $3, * FROM unnest($4::text[], $5::bigint[], $6::text[])`,
  setState: `UPDATE rounds SET state = $3 WHERE player_id = $1 AND game_round = $2`,
} as const;

/**
 * Processes a call in one transaction of PostgreSQL: the round's row is inserted or locked, so that calls of one round
 * come one after the other; each movement is one guarded update; all records are one insert. A new round is not asked
 * for hashes that it cannot have.
 */
export async function moveInPostgres(
  pool: Pool,
  call: CheckedCall,
  { hasEntries = false }: Rows = {},
): Promise<Processed> {
  const db = await pool.connect();
  try {
    await db.query('BEGIN');
    const processed = await processCall(db, call, hasEntries);
    await db.query('COMMIT');
    db.release();
    return processed;
  } catch (error) {
    await db.query('ROLLBACK').then(
      () => db.release(),
      () => db.release(true),
    );
    throw error;
  }
}

/** What a player has, in cents; null for one that is not known. */
export async function readBalanceInPostgres(
  pool: Pool,
  { playerId, currency }: CheckedBalanceCall,
): Promise<number | null> {
  const [row] = await run<{ balance: string }>(pool, 'readBalance', [playerId, currency]);
  return row === undefined ? null : Number(row.balance);
}

async function processCall(
  db: PoolClient,
  call: CheckedCall,
  hasEntries: boolean,
): Promise<Processed> {
  const { playerId, gameRound, transactions } = call;
  const [locked] = await run<{ state: string }>(db, 'lockRound', [playerId, gameRound]);
  const round: RoundInWork = { state: locked?.state ?? 'new', failed: false };
  const before = round.state;
  const known = before === 'new' ? new Map<string, Known>() : await readKnown(db, call);
  const written: Known[] = [];
  const outcomes: string[] = [];
  let balance: number | null = null;
  for (const transaction of transactions) {
    const { type, hash, cents } = transaction;
    const content = `${type} ${call.currency} ${cents}`;
    const earlier = known.get(hash);
    if (earlier === undefined) {
      const done = await decide(db, call, transaction, round);
      balance = done.balance ?? balance;
      const fresh = { hash, content, outcome: done.outcome };
      known.set(hash, fresh);
      written.push(fresh);
      outcomes.push(done.outcome);
    } else {
      outcomes.push(earlier.content === content ? earlier.outcome : 'reused');
    }
    if (type === 'debit' && outcomes.at(-1) !== 'ok') round.failed = true;
  }
  balance ??= await readBalance(db, call);
  await record(db, call, written);
  if (hasEntries) await enter(db, call, written);
  if (round.state !== before) await run(db, 'setState', [playerId, gameRound, round.state]);
  return { balance, outcomes };
}

async function decide(
  db: PoolClient,
  { playerId, currency }: CheckedCall,
  { type, cents }: CheckedTransaction,
  round: RoundInWork,
): Promise<{ outcome: string; balance?: number }> {
  if (round.state === 'closed') return { outcome: 'closed' };
  if (type === 'debit' && round.state !== 'new') return { outcome: 'started' };
  if (type !== 'debit' && (round.failed || round.state === 'new')) return { outcome: 'declined' };
  if (type === 'end') {
    round.state = 'closed';
    return { outcome: 'ok' };
  }
  const moved = await run<{ balance: string }>(db, type, [playerId, currency, cents]);
  const [account] = moved;
  if (type === 'debit') round.state = account === undefined ? 'closed' : 'open';
  return account === undefined
    ? { outcome: 'tooLow' }
    : { outcome: 'ok', balance: Number(account.balance) };
}

async function readKnown(
  db: PoolClient,
  { playerId, gameRound, transactions }: CheckedCall,
): Promise<Map<string, Known>> {
  const hashes = transactions.map(({ hash }) => hash);
  const rows = await run<Known>(db, 'readKnown', [playerId, gameRound, hashes]);
  return new Map(rows.map((row) => [row.hash, row]));
}

/** Where nothing moved; a player that is not known is refused, and with it all that was written. */
async function readBalance(db: PoolClient, call: CheckedCall): Promise<number> {
  const [row] = await run<{ balance: string }>(db, 'readBalance', [call.playerId, call.currency]);
  if (row === undefined) throw new CallRefused(400, 1, 'The player is not known.');
  return Number(row.balance);
}

async function record(db: PoolClient, call: CheckedCall, written: readonly Known[]): Promise<void> {
  if (written.length === 0) return;
  const columns = (['hash', 'content', 'outcome'] as const).map((name) =>
    written.map((each) => each[name]),
  );
  await run(db, 'record', [call.playerId, call.gameRound, ...columns]);
}

/** One row for each movement of what was written now. */
async function enter(db: PoolClient, call: CheckedCall, written: readonly Known[]): Promise<void> {
  const done = new Set(written.flatMap(({ hash, outcome }) => (outcome === 'ok' ? [hash] : [])));
  const moved = call.transactions.filter(({ type, hash }) => type !== 'end' && done.has(hash));
  if (moved.length === 0) return;
  await run(db, 'enter', [
    call.playerId,
    call.currency,
    call.gameRound,
    moved.map(({ type }) => type),
    moved.map(({ type, cents }) => (type === 'debit' ? -cents : cents)),
    moved.map(({ hash }) => hash),
  ]);
}

async function run<Row extends object>(
  db: Pool | PoolClient,
  name: keyof typeof statements,
  values: unknown[],
): Promise<Row[]> {
  return (await db.query<Row>({ name, text: statements[name], values })).rows;
}
