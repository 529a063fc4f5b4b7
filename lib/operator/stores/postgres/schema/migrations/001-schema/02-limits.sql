-- The tables of limits. {schema} stands for the schema of the store.

-- The limits of players (D13): a row for what is counted of one kind in one currency.
-- kind: 1 stake, 2 loss, 3 deposit; counts: 0 for the real balance, 1 for real and bonus
-- since: when the row was made, in milliseconds since 1970: it has not counted what moved until then
-- numbers, used, most: for the day, the week and the month the number of the window, what is used in it, and the limit, -1 for
--   none
CREATE TABLE {schema}.limits (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  kind smallint NOT NULL,
  currency text COLLATE "C" NOT NULL,
  zone text COLLATE "C" NOT NULL,
  counts smallint NOT NULL,
  since bigint NOT NULL,
  numbers bigint[] NOT NULL,
  used bigint[] NOT NULL,
  most bigint[] NOT NULL,
  PRIMARY KEY (operator_id, player_id, kind, currency)
) WITH (fillfactor = 70);

-- When limits were set and lifted: by whom and why. Rows are added, never changed or deleted.
-- number, actor_id, actor_name, reason: as of blocks; terms: kind, currency, window, zone, what counts, units or "-"
CREATE TABLE {schema}.limit_changes (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  terms text COLLATE "C" NOT NULL,
  actor_id text,
  actor_name text,
  reason text,
  PRIMARY KEY (operator_id, player_id, number)
);
