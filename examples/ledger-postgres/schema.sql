-- The platform's existing table: a player's money, in the smallest unit. bonus is null if there is none.
CREATE TABLE accounts (
  operator_id text NOT NULL,
  player_id text NOT NULL,
  currency text NOT NULL,
  balance bigint NOT NULL,
  bonus bigint,
  blocked boolean NOT NULL DEFAULT false,
  PRIMARY KEY (operator_id, player_id, currency)
);

-- The one new table: the outcome of each key. It is written in the transaction that moves the money.
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

-- A debit or a credit, once per key, in one statement and so in one transaction: recording the key and
-- moving the money, both or neither. Returns the recorded row, new or old, with each of the player's
-- accounts.
-- How a debit is split is the one rule shared with the kit: splitDebit (docs/architecture.md).
CREATE FUNCTION post_money(
  of_key text, of_content text, of_operator text, of_player text, of_currency text, of_round text, of_hash text,
  kind text, units bigint, bonus_units bigint, bonus_first boolean
) RETURNS TABLE (
  content text, refusal text, reversed boolean, paid bigint, paid_bonus bigint,
  currency text, balance bigint, bonus bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  account accounts;
  refused text;
BEGIN
  -- The first transaction records the key. The others wait here until it ends, and read its row below.
  INSERT INTO posting_keys (key, content, operator_id, player_id, currency, game_round, hash)
    VALUES (of_key, of_content, of_operator, of_player, of_currency, of_round, of_hash) ON CONFLICT (key) DO NOTHING;
  IF FOUND THEN
    SELECT * INTO account FROM accounts
      WHERE operator_id = of_operator AND player_id = of_player AND currency = of_currency FOR UPDATE;
    IF kind = 'debit' THEN
      bonus_units := CASE WHEN bonus_first THEN -least(greatest(account.bonus, 0), units)
        ELSE least(greatest(account.balance, 0) - units, 0) END;
      units := -units - bonus_units;
    END IF;
    -- The rules of the platform: why a posting is refused, for good. A blocked player is paid too.
    refused := CASE
      WHEN NOT EXISTS (SELECT FROM accounts WHERE operator_id = of_operator AND player_id = of_player) THEN 'noPlayer'
      WHEN account.currency IS NULL THEN 'noCurrency'
      WHEN kind = 'debit' AND account.blocked THEN 'blocked'
      WHEN kind = 'debit' AND (greatest(account.balance, 0) < -units OR greatest(account.bonus, 0) < -bonus_units) THEN 'tooLow'
      WHEN greatest(account.balance + units, coalesce(account.bonus, 0) + bonus_units) > 9007199254740991 THEN 'outOfRange'
    END;
    IF refused IS NULL THEN
      UPDATE accounts SET balance = balance + units, bonus = CASE WHEN bonus_units = 0 THEN bonus ELSE coalesce(bonus, 0) + bonus_units END
        WHERE operator_id = of_operator AND player_id = of_player AND currency = of_currency;
      UPDATE posting_keys SET real = units, bonus = bonus_units WHERE key = of_key;
    ELSE
      UPDATE posting_keys SET refusal = refused WHERE key = of_key;
    END IF;
  END IF;
  RETURN QUERY SELECT k.content, k.refusal, k.reversed, -k.real, -k.bonus, a.currency, a.balance, a.bonus
    FROM posting_keys k LEFT JOIN accounts a ON a.operator_id = of_operator AND a.player_id = of_player
    WHERE k.key = of_key;
END $$;

-- Takes back what a posting moved, once.
CREATE FUNCTION reverse_posting(of_key text, of_operator text, of_player text, of_round text, of_hash text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  note posting_keys;
BEGIN
  -- A key that never arrived is recorded as well, so that its later arrival is refused.
  INSERT INTO posting_keys (key, content, operator_id, player_id, game_round, hash)
    VALUES (of_key, 'reversed', of_operator, of_player, of_round, of_hash) ON CONFLICT (key) DO NOTHING;
  -- One of several concurrent reversals finds the key not reversed. The others wait for it, and then find nothing.
  UPDATE posting_keys SET reversed = true WHERE key = of_key AND NOT reversed RETURNING * INTO note;
  UPDATE accounts SET balance = balance - note.real,
      bonus = CASE WHEN note.bonus = 0 THEN bonus ELSE coalesce(bonus, 0) - note.bonus END
    WHERE operator_id = note.operator_id AND player_id = note.player_id AND currency = note.currency;
END $$;
