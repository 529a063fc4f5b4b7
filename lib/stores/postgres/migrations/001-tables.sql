-- The tables of the store. {schema} stands for the schema of the store.
--
-- Every amount is a bigint that counts units, within +-(2^53-1); the checks are a second fence behind those of the
-- functions. Identifiers are compared byte for byte. Times of the protocol are milliseconds since 1970.
--
-- Rounds and their records have no foreign keys: they are written by functions that hold the round, and a key would cost
-- a lookup for each record. Rounds do not refer to players either: a round may be known of a player who is not.

CREATE TABLE {schema}.settings (
  name text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);

CREATE TABLE {schema}.players (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  blocked boolean NOT NULL DEFAULT false,
  UNIQUE (operator_id, player_id)
);

-- bonus is null where there is no such balance. Room is left on each page for the next version of a row beside it.
CREATE TABLE {schema}.accounts (
  player bigint NOT NULL REFERENCES {schema}.players (id),
  currency text COLLATE "C" NOT NULL,
  real bigint NOT NULL CHECK (real BETWEEN -9007199254740991 AND 9007199254740991),
  bonus bigint CHECK (bonus BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY (player, currency)
) WITH (fillfactor = 70);

-- Cash that was moved, once per reference; units below zero were taken.
CREATE TABLE {schema}.cash (
  player bigint NOT NULL REFERENCES {schema}.players (id),
  reference text COLLATE "C" NOT NULL,
  units bigint NOT NULL,
  currency text COLLATE "C" NOT NULL,
  balance text COLLATE "C" NOT NULL,
  moved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (player, reference)
);

-- The head of each round. expires_at is null where the round is kept for ever.
CREATE TABLE {schema}.rounds (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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
  credited boolean NOT NULL,
  declined boolean NOT NULL,
  unanswered bigint NOT NULL,
  debits_real bigint NOT NULL CHECK (debits_real BETWEEN -9007199254740991 AND 9007199254740991),
  debits_bonus bigint NOT NULL CHECK (debits_bonus BETWEEN -9007199254740991 AND 9007199254740991),
  credits_real bigint NOT NULL CHECK (credits_real BETWEEN -9007199254740991 AND 9007199254740991),
  credits_bonus bigint NOT NULL CHECK (credits_bonus BETWEEN -9007199254740991 AND 9007199254740991),
  pending text,
  attention boolean NOT NULL,
  expires_at timestamptz,
  UNIQUE (operator_id, player_id, game_round)
) WITH (fillfactor = 80);

CREATE INDEX rounds_attention ON {schema}.rounds (operator_id, player_id, game_round) WHERE attention;
CREATE INDEX rounds_unfinished ON {schema}.rounds (operator_id, player_id, game_round) WHERE pending IS NOT NULL;
CREATE INDEX rounds_expiring ON {schema}.rounds (expires_at) WHERE expires_at IS NOT NULL;

-- Debits, credits and ends by their hash.
CREATE TABLE {schema}.transactions (
  round bigint NOT NULL,
  hash text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  currency text COLLATE "C",
  amount bigint,
  discount bigint,
  first boolean,
  serial text COLLATE "C",
  real bigint,
  bonus bigint,
  PRIMARY KEY (round, hash)
);

-- Voids, each by the hash of the debit that it voids.
CREATE TABLE {schema}.voids (
  round bigint NOT NULL,
  hash text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  real bigint NOT NULL,
  bonus bigint NOT NULL,
  PRIMARY KEY (round, hash)
);
