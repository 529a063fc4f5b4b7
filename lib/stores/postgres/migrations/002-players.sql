-- Functions of players and their cash. As all functions of the store they answer lines, each an array of texts, and
-- know no rule of the protocol. Whoever locks several rows takes accounts first, in the order of their currencies, and
-- a round after them; so nothing deadlocks.

-- What every function that writes does first: a session that does not wait for the disk would lose what it tells.
CREATE FUNCTION {schema}.begin_write(accept_loss boolean, lock_timeout_ms integer)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT accept_loss AND (
    current_setting('synchronous_commit') = 'off'
    OR current_setting('fsync') = 'off'
    OR current_setting('full_page_writes') = 'off'
  ) THEN
    RAISE EXCEPTION 'synchronous_commit must not be off, fsync and full_page_writes must be on: otherwise a crash loses money that was acknowledged.'
      USING ERRCODE = 'RW001';
  END IF;
  PERFORM set_config('lock_timeout', lock_timeout_ms::text, true);
END $$;

-- Notes what the store's data are written with, if nothing is noted yet.
-- Line: the value that is noted.
CREATE FUNCTION {schema}.note_setting(setting_name text, setting_value text)
RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT ARRAY[s.value] FROM {schema}.settings s WHERE s.name = setting_name;
  IF FOUND THEN RETURN; END IF;
  INSERT INTO {schema}.settings (name, value) VALUES (setting_name, setting_value) ON CONFLICT DO NOTHING;
  RETURN QUERY SELECT ARRAY[s.value] FROM {schema}.settings s WHERE s.name = setting_name;
END $$;

-- Lines: 'account', currency, real, bonus or null; none where the player is not known.
CREATE FUNCTION {schema}.read_accounts(of_operator text, of_player text)
RETURNS SETOF text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY['account', a.currency, a.real::text, a.bonus::text]
  FROM {schema}.players p JOIN {schema}.accounts a ON a.player = p.id
  WHERE p.operator_id = of_operator AND p.player_id = of_player
$$;

-- Opens an account unless there is one.
-- Line: 'opened' or 'existed', currency, real, bonus or null.
CREATE FUNCTION {schema}.open_player(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_currency text, real_units bigint, bonus_units bigint
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found_player bigint;
  answer text := 'opened';
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  SELECT p.id INTO found_player FROM {schema}.players p
    WHERE p.operator_id = of_operator AND p.player_id = of_player;
  IF found_player IS NULL THEN
    INSERT INTO {schema}.players (operator_id, player_id) VALUES (of_operator, of_player) ON CONFLICT DO NOTHING;
    SELECT p.id INTO found_player FROM {schema}.players p
      WHERE p.operator_id = of_operator AND p.player_id = of_player;
  END IF;
  INSERT INTO {schema}.accounts (player, currency, real, bonus)
    VALUES (found_player, of_currency, real_units, bonus_units) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN answer := 'existed'; END IF;
  RETURN QUERY SELECT ARRAY[answer, a.currency, a.real::text, a.bonus::text]
    FROM {schema}.accounts a WHERE a.player = found_player AND a.currency = of_currency;
END $$;

-- Blocks a player, or lifts it; it counts for every debit from when it is answered on.
-- Line: 'done' or 'noPlayer'.
CREATE FUNCTION {schema}.block_player(
  accept_loss boolean, lock_timeout_ms integer, of_operator text, of_player text, is_blocked boolean
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found_player bigint;
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  UPDATE {schema}.players SET blocked = is_blocked
    WHERE operator_id = of_operator AND player_id = of_player RETURNING id INTO found_player;
  IF found_player IS NULL THEN
    RETURN NEXT ARRAY['noPlayer'];
    RETURN;
  END IF;
  -- A commit that has read the old value holds an account: it is over once all of them were held here.
  PERFORM 1 FROM {schema}.accounts WHERE player = found_player ORDER BY currency FOR NO KEY UPDATE;
  RETURN NEXT ARRAY['done'];
END $$;

-- Adds cash, or takes it where units are below zero, once per reference.
-- Line: 'done', currency, real, bonus or null, 'replay' where the reference was known with this content, else null
--       'refused', reason
CREATE FUNCTION {schema}.move_cash(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_reference text, move_units bigint, of_currency text, of_balance text
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found_player bigint;
  account record;
  known record;
  units_after bigint;
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  SELECT p.id INTO found_player FROM {schema}.players p
    WHERE p.operator_id = of_operator AND p.player_id = of_player;
  IF found_player IS NULL THEN
    RETURN NEXT ARRAY['refused', 'noPlayer'];
    RETURN;
  END IF;
  SELECT a.real, a.bonus INTO account FROM {schema}.accounts a
    WHERE a.player = found_player AND a.currency = of_currency FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NEXT ARRAY['refused', 'noCurrency'];
    RETURN;
  END IF;
  SELECT c.units, c.currency, c.balance INTO known FROM {schema}.cash c
    WHERE c.player = found_player AND c.reference = of_reference;
  IF FOUND THEN
    IF known.units = move_units AND known.currency = of_currency AND known.balance = of_balance THEN
      RETURN NEXT ARRAY['done', of_currency, account.real::text, account.bonus::text, 'replay'];
    ELSE
      RETURN NEXT ARRAY['refused', 'referenceReused'];
    END IF;
    RETURN;
  END IF;
  units_after := move_units + CASE WHEN of_balance = 'bonus' THEN coalesce(account.bonus, 0) ELSE account.real END;
  IF move_units < 0 AND units_after < 0 THEN
    RETURN NEXT ARRAY['refused', 'tooLow'];
    RETURN;
  END IF;
  IF units_after > 9007199254740991 THEN
    RETURN NEXT ARRAY['refused', 'outOfRange'];
    RETURN;
  END IF;
  INSERT INTO {schema}.cash (player, reference, units, currency, balance)
    VALUES (found_player, of_reference, move_units, of_currency, of_balance) ON CONFLICT DO NOTHING;
  -- The same order waits for its account; only one in another currency comes between.
  IF NOT FOUND THEN
    RETURN NEXT ARRAY['refused', 'referenceReused'];
    RETURN;
  END IF;
  RETURN QUERY UPDATE {schema}.accounts a SET
      real = CASE WHEN of_balance = 'bonus' THEN a.real ELSE units_after END,
      bonus = CASE WHEN of_balance = 'bonus' THEN units_after ELSE a.bonus END
    WHERE a.player = found_player AND a.currency = of_currency
    RETURNING ARRAY['done', a.currency, a.real::text, a.bonus::text, NULL];
END $$;
