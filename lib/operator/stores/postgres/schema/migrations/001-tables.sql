-- The tables of the store. {schema} stands for the schema of the store.
--
-- Every amount is a bigint that counts units, within +-(2^53-1). Identifiers are compared byte for byte. Times of the
-- protocol are milliseconds since 1970.
--
-- There are no foreign keys: what refers is written by functions that hold what it refers to, and a key would cost a
-- look-up for each row. Rounds do not refer to accounts either: a round may be known of a player who is not.

CREATE TABLE {schema}.settings (
  name text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);

-- A player is known who has an account. bonus is null where there is no such balance; blocked is the same in all accounts
-- of a player, so that whoever holds one knows it. The checks are a second fence behind those of the functions. Room is
-- left on each page for the next version of a row beside it.
CREATE TABLE {schema}.accounts (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  real bigint NOT NULL CHECK (real BETWEEN -9007199254740991 AND 9007199254740991),
  bonus bigint CHECK (bonus BETWEEN -9007199254740991 AND 9007199254740991),
  blocked boolean NOT NULL,
  PRIMARY KEY (operator_id, player_id, currency)
) WITH (fillfactor = 70);

-- Cash that was moved, once per reference; units below zero were taken.
CREATE TABLE {schema}.cash (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  reference text COLLATE "C" NOT NULL,
  units bigint NOT NULL,
  currency text COLLATE "C" NOT NULL,
  balance text COLLATE "C" NOT NULL,
  moved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (operator_id, player_id, reference)
);

-- The head of each round, in a row of limited size. id is unique, and needs no index: a round is looked up by its names.
-- first_records: JSON, a list of [hash, ...record] of the call that opened the round, where they are few; null where they
--   are in the table records. A record there under the same hash and kind is the later one.
-- took: what the debits among them took, real and bonus of each in turn.
-- credited, ended: credits and ends that are accepted; declined: hash of the debit that was declined last, or null.
-- expires_at is null where the round is kept for ever.
CREATE TABLE {schema}.rounds (
  id bigint GENERATED ALWAYS AS IDENTITY,
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  game_round text COLLATE "C" NOT NULL,
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
  PRIMARY KEY (operator_id, player_id, game_round)
) WITH (fillfactor = 80);

CREATE INDEX rounds_attention ON {schema}.rounds (operator_id, player_id, game_round) WHERE attention;
CREATE INDEX rounds_unfinished ON {schema}.rounds (operator_id, player_id, game_round) WHERE pending IS NOT NULL;
CREATE INDEX rounds_expiring ON {schema}.rounds (expires_at) WHERE expires_at IS NOT NULL;

-- Records by their hash: kind 't' is a debit, credit or end, 'v' a void of the debit with the hash. record is JSON, a list
-- that the store's code describes; what a debit took is in real and bonus.
CREATE TABLE {schema}.records (
  round bigint NOT NULL,
  hash text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  record text NOT NULL,
  real bigint,
  bonus bigint,
  PRIMARY KEY (round, hash, kind)
);
