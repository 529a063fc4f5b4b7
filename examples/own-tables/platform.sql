-- The platform as it is: users with ids of type uuid, amounts with four decimals, a row for everything that moves money, and a
-- limit of what a user may lose in a day. Nothing here knows of the wallet.
CREATE SCHEMA casino;

CREATE TABLE casino.wallets (
  user_id uuid NOT NULL,
  ccy text NOT NULL,
  balance numeric(20, 4) NOT NULL,
  bonus numeric(20, 4), -- null: the user has no bonus balance
  locked boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, ccy)
);

CREATE TABLE casino.loss_limits (
  user_id uuid PRIMARY KEY,
  a_day numeric(20, 4) NOT NULL
);

-- kind: deposit and withdrawal are the platform's; take, give and reverse come from game rounds.
CREATE TABLE casino.entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL,
  ccy text NOT NULL,
  kind text NOT NULL,
  real numeric(20, 4) NOT NULL,
  bonus numeric(20, 4) NOT NULL,
  game_round text,
  hash text,
  at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX entries_of_user ON casino.entries (user_id, ccy, at);
