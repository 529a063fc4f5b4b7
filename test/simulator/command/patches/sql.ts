import type { Patch } from './patch';

const folder = 'operator/stores/postgres/schema/migrations/001-schema';
const commit = { file: `${folder}/04-commit.sql`, store: 'sql' } as const;
const weigh = { file: `${folder}/03-movements.sql`, store: 'sql' } as const;
const cash = { file: `${folder}/08-players.sql`, store: 'sql' } as const;
const follow = { file: `${folder}/05-follow.sql`, store: 'sql' } as const;
const books = { file: `${folder}/10-retention.sql`, store: 'sql' } as const;

/** Bugs of PostgreSQL's functions. */
export const sqlPatches: readonly Patch[] = [
  {
    ...commit,
    name: 'SQL: a commit does not compare the version',
    breaks: 'property 3',
    from: 'AND r.version = expected_version AND (r.expires_at',
    to: 'AND (r.expires_at',
  },
  {
    ...commit,
    name: 'SQL: the quick way moves nothing',
    breaks: 'O1',
    from: 'SET real = a.real + net\n          WHERE',
    to: 'SET real = a.real\n          WHERE',
  },
  {
    ...commit,
    name: 'SQL: a first debit takes the quick way without a look at the account',
    breaks: 'property 4',
    from: '      WHERE NOT is_quick OR movements IS NULL OR EXISTS (SELECT FROM held)',
    to: '',
  },
  {
    ...commit,
    name: 'SQL: a record that is there stays as it is',
    breaks: 'D5.3: what a void took back counts in the records',
    from: 'record = excluded.record, real',
    to: 'record = records.record, real',
  },
  {
    ...commit,
    name: 'SQL: a round whose retention is over is in the way of its successor',
    breaks: 'nothing: what comes is answered as unknown, and again once the round is deleted',
    isObservable: false,
    from: 'AND r.expires_at <= statement_timestamp()\n          RETURNING',
    to: 'AND false\n          RETURNING',
  },
  {
    ...weigh,
    name: 'SQL: a debit may overdraw',
    breaks: 'property 4',
    from: 'IF greatest(reals[at_account], 0) + from_bonus < from_real THEN',
    to: 'IF false THEN',
  },
  {
    ...weigh,
    name: 'SQL: bonus money pays what real money should',
    breaks: 'the split; every sum is right',
    from: 'ELSIF (move ->> 4)::boolean THEN',
    to: 'ELSIF NOT (move ->> 4)::boolean THEN',
  },
  {
    ...weigh,
    name: 'SQL: the accounts are not held for a commit',
    breaks: 'nothing here: one session after the other; two at once show it (locks.ts)',
    isObservable: false,
    from: 'ORDER BY a.currency FOR NO KEY UPDATE',
    to: 'ORDER BY a.currency',
  },
  {
    ...cash,
    name: 'SQL: an order that comes again is compared, and its money moves again',
    breaks: 'one reference, one movement',
    from: "RETURN NEXT ARRAY['done', of_currency, account.real::text, account.bonus::text, 'replay'];",
    to: "RETURN QUERY UPDATE {schema}.accounts a SET real = a.real + move_units WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = of_currency RETURNING ARRAY['done', a.currency, a.real::text, a.bonus::text, 'replay'];",
  },
  {
    ...cash,
    name: 'SQL: a withdrawal may overdraw',
    breaks: 'property 4',
    from: 'IF move_units < 0 AND units_after < 0 THEN',
    to: 'IF false THEN',
  },
  {
    ...follow,
    name: 'SQL: a follow-up does not look for its hashes',
    breaks: 'O2',
    from: '  IF FOUND THEN RETURN NULL; END IF;\n  IF head.first_records',
    to: '  IF head.first_records',
  },
  {
    ...follow,
    name: 'SQL: a follow-up may have another currency than its round',
    breaks: 'D4.7',
    from: 'AND r.repairs IS NULL AND r.currency = of_currency AND',
    to: 'AND r.repairs IS NULL AND',
  },
  {
    ...follow,
    name: 'SQL: a follow-up comes behind a debit that was declined',
    breaks: 'D4.5',
    from: 'AND r.declined IS NULL AND r.unanswered',
    to: 'AND r.unanswered',
  },
  {
    ...books,
    name: 'SQL: what rounds carried is what the last ones carried',
    breaks: 'the books; every balance is right',
    from: 'SET real = c.real + excluded.real,',
    to: 'SET real = excluded.real,',
  },
  {
    file: `${folder}/10-retention.sql`,
    store: 'sql',
    name: 'SQL: rounds are deleted an hour before their retention is over',
    breaks: 'D10',
    from: 'AND r.expires_at <= moment\n',
    to: "AND r.expires_at <= moment + interval '1 hour'\n",
  },
];
