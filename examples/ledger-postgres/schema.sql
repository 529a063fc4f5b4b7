-- What the platform has had all along: a player's money, in the smallest unit. bonus is null where there is none.
CREATE TABLE accounts (
  operator_id text NOT NULL,
  player_id text NOT NULL,
  currency text NOT NULL,
  balance bigint NOT NULL,
  bonus bigint,
  blocked boolean NOT NULL DEFAULT false,
  PRIMARY KEY (operator_id, player_id, currency)
);

-- The one new table: what became of each key. It is written in the transaction that moves the money.
CREATE TABLE posting_keys (
  key text COLLATE "C" PRIMARY KEY,
  content text NOT NULL, -- what was posted; 'reversed' where a reversal came first
  refusal text, -- why it was refused; null: it was done
  real bigint NOT NULL DEFAULT 0, -- what it moved, below zero for a debit
  bonus bigint NOT NULL DEFAULT 0,
  reversed boolean NOT NULL DEFAULT false,
  operator_id text NOT NULL,
  player_id text NOT NULL,
  currency text,
  game_round text NOT NULL,
  hash text NOT NULL,
  noted_at timestamptz NOT NULL DEFAULT now()
);
