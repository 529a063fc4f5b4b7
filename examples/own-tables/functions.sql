-- The two functions of the platform's, in the wallet's schema. One unit of the wallet is 0.0001, since the store keeps 4 decimals.
-- They run with the rights of their owner (SECURITY DEFINER): the wallet's own user needs no right on the platform's tables.

-- An id as the RGS sends it may be any text: what is no uuid is a player that is not known.
CREATE FUNCTION casino.user_of(player_id text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN player_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN player_id::uuid END
$$;

-- Whether a stake takes what the user has lost since yesterday above the limit.
CREATE FUNCTION casino.is_above_limit(of_user uuid, of_ccy text, stake numeric) RETURNS boolean LANGUAGE plpgsql STABLE
SET search_path = casino, pg_temp AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM loss_limits l WHERE l.user_id = of_user AND l.a_day < stake - (
      SELECT coalesce(sum(e.real), 0) FROM entries e
      WHERE e.user_id = of_user AND e.ccy = of_ccy AND e.at > now() - interval '1 day' AND e.kind IN ('take', 'give', 'reverse')
    )
  );
END $$;

CREATE FUNCTION rgs_wallet.accounts_of(of_operator text, of_player text)
RETURNS TABLE (currency text, real_units bigint, bonus_units bigint) LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = casino, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT ccy, (balance * 10000)::bigint, (bonus * 10000)::bigint FROM wallets WHERE user_id = user_of(of_player);
END $$;

CREATE FUNCTION rgs_wallet.move_money(
  m rgs_wallet.movement, OUT refusal text, OUT real_units bigint, OUT bonus_units bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = casino, pg_temp AS $$
DECLARE
  w wallets;
  real_before bigint;
  bonus_before bigint;
  rows_moved bigint;
BEGIN
  -- What a win or a reversal moves is given, below zero where it takes back, and it is never refused.
  real_units := m.real;
  bonus_units := m.bonus;
  IF m.kind = 'take' THEN
    -- The lock comes first: nobody else moves this money until the commit is over.
    SELECT * INTO w FROM wallets WHERE user_id = user_of(m.player_id) AND ccy = m.currency FOR NO KEY UPDATE;
    -- A balance below zero pays nothing. One pays what it has, the other the rest.
    real_before := greatest(w.balance * 10000, 0);
    bonus_before := greatest(coalesce(w.bonus, 0) * 10000, 0);
    bonus_units := CASE WHEN m.bonus_first THEN -least(bonus_before, m.real) ELSE least(real_before - m.real, 0) END;
    real_units := -m.real - bonus_units;
    -- Every rule comes before the first write.
    refusal := CASE
      WHEN w.user_id IS NULL THEN NULL -- no such wallet: answered by the last lines
      WHEN w.locked THEN 'blocked'
      WHEN real_before < -real_units OR bonus_before < -bonus_units THEN 'tooLow'
      WHEN is_above_limit(w.user_id, w.ccy, m.real * 0.0001) THEN 'limitReached'
    END;
    IF refusal IS NOT NULL THEN RETURN; END IF;
  END IF;
  -- One statement: the balance and its entry, or neither.
  WITH moved AS (
    UPDATE wallets SET balance = balance + real_units * 0.0001,
        bonus = CASE WHEN bonus_units = 0 THEN bonus ELSE coalesce(bonus, 0) + bonus_units * 0.0001 END
      WHERE user_id = user_of(m.player_id) AND ccy = m.currency RETURNING user_id, ccy
  ), entered AS (
    INSERT INTO entries (user_id, ccy, kind, real, bonus, game_round, hash)
      SELECT user_id, ccy, m.kind, real_units * 0.0001, bonus_units * 0.0001, m.game_round, m.hash FROM moved
  )
  SELECT count(*) INTO rows_moved FROM moved; -- not of the entries: a trigger may keep them elsewhere
  IF rows_moved = 0 THEN
    refusal := CASE WHEN EXISTS (SELECT FROM wallets WHERE user_id = user_of(m.player_id)) THEN 'noCurrency' ELSE 'noPlayer' END;
  END IF;
END $$;
