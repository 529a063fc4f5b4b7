CREATE TABLE accounts (
  player_id text NOT NULL,
  currency text NOT NULL,
  balance bigint NOT NULL CHECK (balance >= 0), -- cents
  PRIMARY KEY (player_id, currency)
);

CREATE TABLE rounds (
  player_id text NOT NULL,
  game_round text NOT NULL,
  state text NOT NULL, -- new, open or closed
  started_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (player_id, game_round)
);

CREATE TABLE transactions (
  player_id text NOT NULL,
  game_round text NOT NULL,
  hash text NOT NULL,
  content text NOT NULL, -- type, currency and cents, so that a hash with other content is seen
  outcome text NOT NULL,
  PRIMARY KEY (player_id, game_round, hash)
);
