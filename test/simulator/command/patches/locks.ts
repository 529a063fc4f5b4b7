import type { Patch } from './patch';

/** A lock fault of PostgreSQL's functions, and the pairs of statements that show it. */
export interface LockPatch extends Patch {
  /** The variant of test/proof/interleavings. */
  readonly variant: string;
  /** The operation that comes first in a pair that shows it. */
  readonly first: string;
}

const folder = 'operator/stores/postgres/schema/migrations/001-schema';
const commit = { file: `${folder}/04-commit.sql`, store: 'sql' } as const;
const follow = { file: `${folder}/05-follow.sql`, store: 'sql' } as const;
const weigh = { file: `${folder}/03-movements.sql`, store: 'sql' } as const;
const cash = { file: `${folder}/08-players.sql`, store: 'sql' } as const;
const own = { file: `${folder}/07-own-money.sql`, store: 'sql' } as const;
const eventLock =
  'player_lock := pg_advisory_xact_lock(hashtextextended(of_player, hashtextextended(of_operator, 0)))::text;';

/** Bugs that need two transactions at once: test/proof/interleavings finds them. */
export const lockPatches: readonly LockPatch[] = [
  {
    ...weigh,
    name: 'SQL: the accounts are not held for a commit',
    breaks: 'O1: of two movements at once one is lost',
    variant: 'accounts with bonus money, events and history',
    first: 'a deposit',
    from: 'ORDER BY a.currency FOR NO KEY UPDATE',
    to: 'ORDER BY a.currency',
  },
  {
    ...weigh,
    name: 'SQL: a commit holds its accounts in another order than a block does',
    breaks: 'nothing stored: a deadlock, which the server ends',
    variant: 'accounts',
    first: 'the void of a round with money in two currencies',
    from: 'ORDER BY a.currency FOR NO KEY UPDATE',
    to: 'ORDER BY a.currency DESC FOR NO KEY UPDATE',
  },
  {
    ...commit,
    name: 'SQL: the quick way to a new round does not hold the account',
    breaks: 'property 4: two debits take more than there is',
    variant: 'accounts',
    first: 'a new round',
    from: 'FOR NO KEY UPDATE\n      )\n      INSERT INTO {schema}.rounds (',
    to: ')\n      INSERT INTO {schema}.rounds (',
  },
  {
    ...commit,
    name: 'SQL: a new round that is there is an error',
    breaks: 'a call that comes twice has an answer',
    variant: 'accounts',
    first: 'a new round',
    from: 'ON CONFLICT DO NOTHING RETURNING number INTO held_round',
    to: 'RETURNING number INTO held_round',
  },
  {
    ...commit,
    name: 'SQL: a commit with an event does not hold the player',
    breaks: 'the events of a player come in their order',
    variant: 'accounts with events',
    first: 'the mark of a call without an answer',
    from: eventLock,
    to: "player_lock := '';",
  },
  {
    ...follow,
    name: 'SQL: a follow-up with an event does not hold the player',
    breaks: 'the events of a player come in their order',
    variant: 'accounts with events',
    first: 'the void of a debit to come',
    from: eventLock,
    to: "player_lock := '';",
  },
  {
    ...follow,
    name: 'SQL: a follow-up does not hold the account',
    breaks: 'property 4: two debits take more than there is',
    variant: 'accounts',
    first: 'a new round',
    from: 'AND EXISTS (SELECT FROM seen)\n        FOR NO KEY UPDATE',
    to: 'AND EXISTS (SELECT FROM seen)',
  },
  {
    ...follow,
    name: 'SQL: a follow-up does not compare the version',
    breaks: 'property 3',
    variant: 'accounts',
    first: 'the void of a first debit',
    from: ' AND r.version = seen.version',
    to: '',
  },
  {
    ...cash,
    name: 'SQL: an order does not hold the account',
    breaks: 'O1: of two movements at once one is lost',
    variant: 'accounts',
    first: 'a new round',
    from: 'AND a.currency = of_currency FOR NO KEY UPDATE;',
    to: 'AND a.currency = of_currency;',
  },
  {
    ...cash,
    name: 'SQL: a reference that is used meanwhile is an error',
    breaks: 'an order has an answer',
    variant: 'accounts',
    first: 'a deposit',
    from: 'of_actor, of_actor_name, of_reason) ON CONFLICT DO NOTHING;',
    to: 'of_actor, of_actor_name, of_reason);',
  },
  {
    ...cash,
    name: 'SQL: a new account does not hold the player',
    breaks: 'D4.9: an account that is opened while the player is blocked is not',
    variant: 'accounts',
    first: 'a new account',
    from: 'PERFORM {schema}.hold_player(of_operator, of_player);\n  SELECT * INTO other',
    to: 'SELECT * INTO other',
  },
  {
    ...own,
    name: 'SQL: a commit to own tables with an event does not hold the player',
    breaks: 'the events of a player come in their order',
    variant: 'own tables with events',
    first: 'the mark of a call without an answer',
    from: 'IF event IS NOT NULL THEN PERFORM {schema}.hold_player(of_operator, of_player); END IF;',
    to: '',
  },
  {
    ...own,
    name: 'SQL: a new round over own tables that is there is an error',
    breaks: 'a call that comes twice has an answer',
    variant: 'own tables with events',
    first: 'the void of a debit to come',
    from: 'ON CONFLICT DO NOTHING RETURNING number INTO held_round',
    to: 'RETURNING number INTO held_round',
  },
];
