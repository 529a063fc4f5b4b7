import { Pool } from 'pg';
import type { Migration } from '../../../lib/operator/stores/postgres/schema/migrations';
import { until } from '../../servers/until';
import { Database } from './database';
import { Matrix, type Stop, type Walked } from './matrix';
import { type Operation, prepare } from './operations';
import type { Variant } from './variants';

/** What is walked. */
export interface WalkOptions {
  readonly variant: Variant;
  readonly migrations: readonly Migration[];
  /** Which operations come first; all unless set. */
  readonly isFirst?: (operation: Operation) => boolean;
  /** Of the places where statements are stopped in their middle, those of each pair: all, one in turn, or none. */
  readonly stops: 'all' | 'inTurn' | 'none';
  /** Ends the walk at the first finding. */
  readonly untilFound?: boolean;
}

const ofRound =
  'version, state, resume, changed_at, started, credited, ended, unanswered, debits_real, debits_bonus';
const rest = 'credits_real, credits_bonus, attention';

/** What somebody else holds while two statements come. */
export function stopsOf({ place }: Variant): readonly Stop[] {
  const account = (currency: string): string =>
    place === 'own'
      ? `SELECT FROM casino.accounts WHERE operator = '{operator}' AND currency = '${currency}' FOR UPDATE`
      : `SELECT FROM rgs_wallet.accounts WHERE operator_id = '{operator}' AND currency = '${currency}' FOR UPDATE`;
  return [
    { name: 'the account in EUR', statement: account('EUR') },
    { name: 'the account in USD', statement: account('USD') },
    {
      name: 'the rounds',
      statement: `SELECT FROM rgs_wallet.rounds WHERE operator_id = '{operator}' FOR UPDATE`,
    },
    {
      name: 'the keys of new rounds',
      statement: `INSERT INTO rgs_wallet.rounds (operator_id, player_id, game_round, number, ${ofRound}, ${rest})
        SELECT '{operator}', 'p', n.name, 0, ${ofRound}, ${rest} FROM rgs_wallet.rounds r, unnest(ARRAY['r1', 'r2', 'r3']) AS n (name)
        WHERE r.operator_id = '{operator}' AND r.game_round = 'old'`,
    },
    { name: 'the player', statement: `SELECT rgs_wallet.hold_player('{operator}', 'p')` },
  ];
}

/** What came of a walk. */
export interface WalkResult extends Walked {
  /** Deadlocks that the server ended. */
  readonly deadlocks: number;
}

/** Walks every pair of operations in one variant, in a database that is empty. */
export async function walkPairs(url: string, options: WalkOptions): Promise<WalkResult> {
  const walked = await walk(url, options);
  return { ...walked, deadlocks: await deadlocksOf(url) };
}

/** A session reports its counts when it ends, at the latest. */
async function deadlocksOf(url: string): Promise<number> {
  const pool = new Pool({ connectionString: url, max: 1 });
  try {
    const others = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await until('the sessions to end', async () => (await pool.query(others)).rowCount === 0);
    const { rows } = await pool.query<{ deadlocks: string }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0]?.deadlocks);
  } finally {
    await pool.end();
  }
}

async function walk(url: string, options: WalkOptions): Promise<Walked> {
  const { variant, migrations, untilFound = false, isFirst = () => true } = options;
  const database = await Database.open(url, variant, migrations);
  try {
    const [A, B, observer, holder] = await Promise.all([0, 1, 2, 3].map(() => database.session()));
    if (!A || !B || !observer || !holder) throw new Error('a session is missing');
    const operations = await prepare(database, observer);
    const matrix = new Matrix(database, { A, B, observer, holder });
    const places = stopsOf(variant);
    for (const [row, first] of operations.entries()) {
      if (!isFirst(first)) continue;
      for (const [column, second] of operations.entries()) {
        const turn = options.stops === 'inTurn' ? (row + column) % places.length : null;
        const stops = options.stops === 'none' ? [] : places.filter((_, at) => at === (turn ?? at));
        await matrix.open(first, second, 'COMMIT');
        await matrix.open(first, second, 'ROLLBACK');
        for (const stop of stops) await matrix.stopped(first, second, stop);
        if (untilFound && matrix.walked.findings.length > 0) return matrix.walked;
      }
    }
    return matrix.walked;
  } finally {
    await database.close();
  }
}
