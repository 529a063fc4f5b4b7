// The platform's table `accounts` as the ledger of the wallet. Each posting is one statement: a call of a
// function of schema.sql. Errors of PostgreSQL are rethrown: the outcome is unknown.
import type { Pool } from 'pg';
import type {
  Ledger,
  LedgerDone,
  LedgerPosting,
  LedgerRefused,
  PostedQuery,
  PostedRound,
} from 'rgs-wallet-kit/ledger';
import type { Account } from 'rgs-wallet-kit/store';

/** A row of post_money; bigints arrive as strings, and the account is null if the player has none. */
interface Row {
  readonly content: string;
  readonly refusal: LedgerRefused['reason'] | null;
  readonly reversed: boolean;
  readonly paid: string;
  readonly paid_bonus: string;
  readonly currency: string | null;
  readonly balance: string;
  readonly bonus: string | null;
}

/** Give the pool its own time limits: a query in flight ignores the signal. */
export function createPostgresLedger(pool: Pool): Ledger {
  const post = async (posting: LedgerPosting & { currency: string }, terms: readonly unknown[]) => {
    const { key, operatorId, playerId, gameRound, hash, currency } = posting;
    const content = [...terms, currency, operatorId, playerId].join('\n');
    const values = [key, content, operatorId, playerId, currency, gameRound, hash, ...terms];
    const { rows } = await pool.query<Row>({ name: 'post-money', text: postMoney, values });
    return answerOf(rows, content);
  };
  return {
    debit: (posting) => post(posting, ['debit', posting.amount, 0n, posting.bonusFirst]),
    credit: (posting) => post(posting, ['credit', posting.purse.real, posting.purse.bonus, false]),
    reverse: async ({ key, operatorId, playerId, gameRound, hash }) => {
      await pool.query(reversePosting, [key, operatorId, playerId, gameRound, hash]);
      return { kind: 'done' };
    },
    balances: async ({ operatorId, playerId }) => {
      const { rows } = await pool.query<Row>(readAccounts, [operatorId, playerId]);
      return rows.length === 0 ? null : toAccounts(rows);
    },
    postedRounds: (query) => listPosted(pool, query),
  };
}

/** For `rgs-wallet books --check`: page by page, in the order of players and rounds. */
async function* listPosted(pool: Pool, query: PostedQuery): AsyncGenerator<PostedRound> {
  const { operatorId = null, playerId = null, gameRound = null, since = 0 } = query;
  let after = ['', '', '', ''];
  for (;;) {
    const values = [operatorId, playerId, gameRound, since, ...after, roundsOfPage];
    const { rows } = await pool.query<SumRow>(sumOfRounds, values);
    for (const { operator_id, player_id, game_round, currency, real, bonus, last_ms } of rows) {
      const moved = { real: BigInt(real), bonus: BigInt(bonus) };
      const names = { operatorId: operator_id, playerId: player_id, gameRound: game_round };
      yield { ...names, currency, moved, lastAt: last_ms };
      after = [operator_id, player_id, game_round, currency];
    }
    if (rows.length < roundsOfPage) return;
  }
}

/** What the postings of a round moved in one currency. */
interface SumRow {
  readonly operator_id: string;
  readonly player_id: string;
  readonly game_round: string;
  readonly currency: string;
  readonly real: string;
  readonly bonus: string;
  readonly last_ms: number;
}

const roundsOfPage = 1000;

function answerOf(rows: readonly Row[], content: string): LedgerDone | LedgerRefused {
  const [note] = rows;
  if (note === undefined) throw new Error('a key that was noted is gone');
  if (note.reversed || note.content !== content) return { kind: 'refused', reason: 'refused' };
  if (note.refusal !== null) return { kind: 'refused', reason: note.refusal };
  const paid = { real: BigInt(note.paid), bonus: BigInt(note.paid_bonus) };
  return { kind: 'done', paid, accounts: toAccounts(rows) };
}

function toAccounts(rows: readonly Row[]): readonly Account[] {
  return rows.flatMap(({ currency, balance, bonus }) => {
    if (currency === null) return [];
    return { currency, real: BigInt(balance), bonus: bonus === null ? null : BigInt(bonus) };
  });
}

// With a name it is planned once in each connection. Leave the name out behind a pooler that shares
// sessions and does not support prepared statements.
const postMoney = 'SELECT * FROM post_money($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)';

const readAccounts = 'SELECT * FROM accounts WHERE operator_id = $1 AND player_id = $2';

// An index on (operator_id, player_id, game_round, currency) makes it quick.
const sumOfRounds = `
  SELECT operator_id, player_id, game_round, currency,
    sum(CASE WHEN reversed THEN 0 ELSE real END)::text AS real,
    sum(CASE WHEN reversed THEN 0 ELSE bonus END)::text AS bonus,
    floor(extract(epoch FROM max(noted_at)) * 1000)::float8 AS last_ms
  FROM posting_keys
  WHERE refusal IS NULL AND currency IS NOT NULL
    AND ($1::text IS NULL OR operator_id = $1) AND ($2::text IS NULL OR player_id = $2)
    AND ($3::text IS NULL OR game_round = $3)
    AND (operator_id, player_id, game_round, currency) > ($5, $6, $7, $8)
  GROUP BY operator_id, player_id, game_round, currency
  HAVING max(noted_at) >= to_timestamp($4::float8 / 1000)
  ORDER BY operator_id, player_id, game_round, currency
  LIMIT $9`;

const reversePosting = 'SELECT reverse_posting($1, $2, $3, $4, $5)';
