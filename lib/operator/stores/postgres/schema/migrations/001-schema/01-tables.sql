-- The tables of the store. {schema} stands for the schema of the store.
--
-- Every amount is a bigint that counts units, within +-(2^53-1). Identifiers are compared byte for byte. Times of the
-- protocol are milliseconds since 1970.
--
-- There are no foreign keys: a function that writes a reference holds the row that it refers to, and a key would cost a
-- look-up for each row. Rounds do not refer to accounts either: a round may exist for a player who has no account.

-- decimals: of amounts, with the unit of calls; money: where the money is, with journal beside it (note_money); history: tells this
-- store from any other, since a cursor of a list belongs to one; events_cluster: where the events were written (renew_events).
CREATE TABLE {schema}.settings (
  name text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);
INSERT INTO {schema}.settings (name, value) VALUES ('history', gen_random_uuid()::text);

-- What processes know of the past of these data: data that lack a process's latest renewal of its token are older than those
-- that it has used, as after a restored backup or a failover that lost commits.
-- token: of a process that serves; renewed_at: milliseconds since 1970, by that process's clock
CREATE TABLE {schema}.lineage (
  token text COLLATE "C" PRIMARY KEY,
  renewed_at bigint NOT NULL
);

-- A player is known who has an account. bonus is null where there is no such balance; blocked, blocked_until and limited are
-- the same in all accounts of a player, so that a commit which holds one account knows them.
-- blocked_until: when the block ends by itself, in milliseconds since 1970; limited: whether the player has limits, or a block
-- that ends, so that a commit must know its moment. The checks are a second fence after those of the
-- functions. Each page has room for the next version of a row on the same page.
CREATE TABLE {schema}.accounts (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  real bigint NOT NULL CHECK (real BETWEEN -9007199254740991 AND 9007199254740991),
  bonus bigint CHECK (bonus BETWEEN -9007199254740991 AND 9007199254740991),
  blocked boolean NOT NULL,
  blocked_until bigint,
  limited boolean NOT NULL DEFAULT false,
  PRIMARY KEY (operator_id, player_id, currency)
) WITH (fillfactor = 70);

-- Cash that was moved, once per reference; units below zero were taken.
-- kind: opening, deposit, withdrawal or correction; actor_, reason: null where a program moved it
-- moved_at is -infinity where the time is not known
CREATE TABLE {schema}.cash (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  reference text COLLATE "C" NOT NULL,
  units bigint NOT NULL,
  currency text COLLATE "C" NOT NULL,
  balance text COLLATE "C" NOT NULL,
  moved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  kind text COLLATE "C" NOT NULL,
  actor_id text COLLATE "C",
  actor_name text COLLATE "C",
  reason text COLLATE "C",
  PRIMARY KEY (operator_id, player_id, reference)
);
CREATE INDEX cash_by_time ON {schema}.cash (operator_id, player_id, moved_at, reference);
-- What people did, for list_acts; a row of a program is in none of these indexes.
CREATE INDEX cash_acts ON {schema}.cash (operator_id, moved_at, player_id, reference) WHERE actor_id IS NOT NULL;

-- When players were blocked, and when it was lifted: by whom and why. Rows are added, never changed or deleted.
-- number: 1 for the player's first; actor_id, actor_name, reason: null where a program did it
CREATE TABLE {schema}.blocks (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  blocked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  blocked boolean NOT NULL,
  ends_at bigint,
  actor_id text,
  actor_name text,
  reason text,
  PRIMARY KEY (operator_id, player_id, number)
);
CREATE INDEX blocks_acts ON {schema}.blocks (operator_id, blocked_at, player_id, number) WHERE actor_id IS NOT NULL;

-- The head of each round, in a row of limited size.
-- number: names the round among those of its player, in the order in which they were opened: microseconds since 1970, or one
--   more than the latest, whichever is later. Not from a sequence: after a restore or a logical copy it would be too low.
-- first_records: JSON, a list of [hash, ...record] of the call that opened the round, where they are few; null where they
--   are in the table records. A record there under the same hash and kind is the later one.
-- took: what the debits among them took, real and bonus of each in turn.
-- credited, ended: credits and ends that are accepted; declined: hash of the debit that was declined last, or a # and the
--   hash of the credit that stranded or crashed the round (no hash has a #), or null.
-- expires_at is null where the round is kept for ever.
-- repairs: what people proposed and did to the round, JSON that the store's code describes; null for almost every round.
CREATE TABLE {schema}.rounds (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  game_round text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  version bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  resume text COLLATE "C" NOT NULL,
  changed_at bigint NOT NULL,
  currency text COLLATE "C",
  game_code text COLLATE "C",
  started boolean NOT NULL,
  credited bigint NOT NULL,
  ended bigint NOT NULL,
  declined text COLLATE "C",
  unanswered bigint NOT NULL,
  debits_real bigint NOT NULL,
  debits_bonus bigint NOT NULL,
  credits_real bigint NOT NULL,
  credits_bonus bigint NOT NULL,
  first_records text,
  took bigint[],
  pending text,
  attention boolean NOT NULL,
  expires_at timestamptz,
  repairs text,
  PRIMARY KEY (operator_id, player_id, game_round)
) WITH (fillfactor = 80);

CREATE INDEX rounds_attention ON {schema}.rounds (operator_id, player_id, game_round) WHERE attention;
CREATE INDEX rounds_unfinished ON {schema}.rounds (operator_id, player_id, game_round) WHERE pending IS NOT NULL;
CREATE INDEX rounds_expiring ON {schema}.rounds (expires_at) WHERE expires_at IS NOT NULL;
-- A round is found by its key alone. A plan that was made while the table was small, or by statistics of a moment with few
-- open rounds, took one of the next two indexes instead, and so walked all rounds of the player, or all open rounds of the
-- operator. An index with a condition is used only where a query states it too: `number > 0`, which holds for every round, is
-- stated only by the queries that these two are for.
-- The order of a player's first commits.
CREATE UNIQUE INDEX rounds_by_player ON {schema}.rounds (operator_id, player_id, number) WHERE number > 0;
-- Rounds that are open, by when they became so. A commit that leaves a round open changes neither column.
CREATE INDEX rounds_open ON {schema}.rounds (operator_id, changed_at, player_id, game_round) WHERE state = 'open' AND number > 0;

-- Records by the number of their round and their hash: kind 't' is a debit, credit or end, 'v' a void of the debit with the hash. record is JSON, a list
-- that the store's code describes; what a debit took is in real and bonus.
CREATE TABLE {schema}.records (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  round bigint NOT NULL,
  hash text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  record text NOT NULL,
  real bigint,
  bonus bigint,
  PRIMARY KEY (operator_id, player_id, round, hash, kind)
);

-- The balances after the commits of a round, for its timeline: written where the store is made with `history: true`.
-- round: its number; at, lines, net: what the store's code notes of the commit; accounts: currency, real, bonus or null of each account after it
CREATE TABLE {schema}.balances (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  round bigint NOT NULL,
  version bigint NOT NULL,
  at bigint NOT NULL,
  lines text COLLATE "C" NOT NULL,
  net bigint,
  accounts text[] NOT NULL,
  PRIMARY KEY (operator_id, player_id, round, version)
);

-- A repair in the order of its proposal, by milliseconds since 1970; how it ended is in its round. Rounds with repairs are
-- kept for ever, so the round always exists.
-- decided_at: when a person approved or rejected it; null as long as nobody has
CREATE TABLE {schema}.repairs (
  operator_id text COLLATE "C" NOT NULL,
  proposed_at bigint NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  game_round text COLLATE "C" NOT NULL,
  repair text COLLATE "C" NOT NULL,
  decided_at bigint,
  PRIMARY KEY (operator_id, proposed_at, player_id, game_round, repair)
);
CREATE INDEX repairs_acts ON {schema}.repairs (operator_id, decided_at, player_id, game_round, repair) WHERE decided_at IS NOT NULL;

-- What deleted rounds gave, less what they took, for each account.
CREATE TABLE {schema}.carried (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  real numeric NOT NULL,
  bonus numeric NOT NULL,
  PRIMARY KEY (operator_id, player_id, currency)
);

-- Events for the systems that follow the store: one for each commit while a consumer is declared, written by the commit.
--
-- Transactions end in another order than they begin, so a position is a snapshot: a consumer has seen what its snapshot
-- `previous` sees. It reads up to a snapshot `target`, in pages by transaction, player and number. A commit is a transaction
-- with one event, and holds the player: so the player's events are in order.
--
-- number: orders the events of a player that have one transaction, as after a restore (renew_events); 0 before.
-- game_round: empty for what was done to a player outside the rounds; version: then of a block its number, else 0.
-- event: JSON that the store's code describes, a list for a commit and an object for an act; took: what its takes took, real and bonus of each in turn; accounts:
-- currency, real, bonus of each account after it in any order, null where the player has none.
CREATE TABLE {schema}.events (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
  number bigint NOT NULL DEFAULT 0,
  game_round text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  event text NOT NULL,
  took bigint[],
  accounts text[]
);
CREATE INDEX events_by_tx ON {schema}.events (operator_id, tx, player_id, number);

CREATE TABLE {schema}.event_consumers (
  consumer text COLLATE "C" PRIMARY KEY,
  declared_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Where a consumer is. target: the snapshot of the pages that it reads now, null between two; last_: the last event of
-- them that it has acknowledged. step rises with each acknowledgement.
CREATE TABLE {schema}.event_cursors (
  operator_id text COLLATE "C" NOT NULL,
  consumer text COLLATE "C" NOT NULL,
  previous pg_snapshot NOT NULL DEFAULT '1:1:',
  target pg_snapshot,
  last_tx xid8 NOT NULL DEFAULT '0',
  last_player text COLLATE "C" NOT NULL DEFAULT '',
  last_number bigint NOT NULL DEFAULT 0,
  step bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (operator_id, consumer)
);

-- Sums by quarter of an hour, kept by a consumer of the events (13-totals.sql). The names are those of the port, where they are
-- explained.
CREATE TABLE {schema}.totals (
  operator_id text COLLATE "C" NOT NULL,
  quarter bigint NOT NULL,
  counted_by text COLLATE "C" NOT NULL,
  game text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  games numeric NOT NULL,
  free_plays numeric NOT NULL,
  bet numeric NOT NULL,
  win numeric NOT NULL,
  voided_games numeric NOT NULL,
  voided_free_plays numeric NOT NULL,
  voided_bet numeric NOT NULL,
  voided_win numeric NOT NULL,
  back_games numeric NOT NULL,
  back_free_plays numeric NOT NULL,
  back_bet numeric NOT NULL,
  back_win numeric NOT NULL,
  repaired numeric NOT NULL,
  cash_in numeric NOT NULL,
  cash_out numeric NOT NULL,
  corrected numeric NOT NULL,
  PRIMARY KEY (operator_id, quarter, counted_by, game, currency)
);

-- What the totals keep of a round, for its later events; in a form that only the code reads. expires_at: milliseconds since 1970.
-- is_found: whether its id alone finds it.
CREATE TABLE {schema}.totals_rounds (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  game_round text COLLATE "C" NOT NULL,
  kept text NOT NULL,
  expires_at bigint,
  is_found boolean NOT NULL,
  PRIMARY KEY (operator_id, player_id, game_round)
);
CREATE INDEX totals_rounds_found ON {schema}.totals_rounds (operator_id, game_round, player_id) WHERE is_found;
CREATE INDEX totals_rounds_expiring ON {schema}.totals_rounds (operator_id, expires_at) WHERE expires_at IS NOT NULL;

-- What a quarter lacks: the first of its kinds that was found.
CREATE TABLE {schema}.totals_gaps (
  operator_id text COLLATE "C" NOT NULL,
  quarter bigint NOT NULL,
  kind text NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  game_round text COLLATE "C" NOT NULL,
  PRIMARY KEY (operator_id, quarter)
);

-- From when on the totals have all events, in milliseconds since 1970.
CREATE TABLE {schema}.totals_since (
  operator_id text COLLATE "C" PRIMARY KEY,
  since bigint NOT NULL
);

-- What comparisons with the RGS found, by day, in a form that only the code reads. saved_at: milliseconds since 1970.
CREATE TABLE {schema}.reconciliations (
  operator_id text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  saved_at bigint NOT NULL,
  result text NOT NULL,
  PRIMARY KEY (operator_id, day, source)
);

-- A movement of money as the function of the platform's own tables gets it (07-own-money.sql).
-- kind: take, give or reverse
-- real, bonus: units. A take has all of them in real, and bonus_first says which balance pays first; give and reverse have what
--   each balance gets, below zero where it is taken back
CREATE TYPE {schema}.movement AS (
  operator_id text, player_id text, currency text, kind text,
  real bigint, bonus bigint, bonus_first boolean,
  game_round text, hash text, game_code text
);
