-- Functions of players and their cash. As all functions of the store they answer lines, each an array of texts, and
-- know no rule of the protocol. Whoever locks several rows takes accounts first, in the order of their currencies, and
-- a round after them; so nothing deadlocks.

-- Whether a session does not wait for the disk, or may find half of a page there: it would lose what it tells.
CREATE FUNCTION {schema}.loses_writes() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT current_setting('synchronous_commit') = 'off'
    OR current_setting('fsync') = 'off'
    OR current_setting('full_page_writes') = 'off'
$$;

-- What every function that writes does first.
CREATE FUNCTION {schema}.begin_write(accept_loss boolean, lock_timeout_ms integer)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT accept_loss AND {schema}.loses_writes() THEN
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
  FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player
$$;

-- Players are opened and blocked one after the other: a new account is blocked as the others are.
CREATE FUNCTION {schema}.hold_player(of_operator text, of_player text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(of_player, hashtextextended(of_operator, 0)))
$$;

-- Opens an account unless there is one.
-- Line: 'opened' or 'existed', currency, real, bonus or null.
CREATE FUNCTION {schema}.open_player(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_currency text, real_units bigint, bonus_units bigint
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  answer text := 'opened';
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  PERFORM {schema}.hold_player(of_operator, of_player);
  INSERT INTO {schema}.accounts (operator_id, player_id, currency, real, bonus, blocked)
    VALUES (of_operator, of_player, of_currency, real_units, bonus_units, EXISTS (
      SELECT FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.blocked
    )) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN answer := 'existed'; END IF;
  RETURN QUERY SELECT ARRAY[answer, a.currency, a.real::text, a.bonus::text] FROM {schema}.accounts a
    WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = of_currency;
END $$;

-- Blocks a player, or lifts it; it counts for every debit from when it is answered on: a commit that has read the old
-- value holds the account, and is over once it was held here.
-- Line: 'done' or 'noPlayer'.
CREATE FUNCTION {schema}.block_player(
  accept_loss boolean, lock_timeout_ms integer, of_operator text, of_player text, is_blocked boolean
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  PERFORM {schema}.hold_player(of_operator, of_player);
  PERFORM FROM {schema}.accounts WHERE operator_id = of_operator AND player_id = of_player
    ORDER BY currency FOR NO KEY UPDATE;
  UPDATE {schema}.accounts SET blocked = is_blocked WHERE operator_id = of_operator AND player_id = of_player;
  RETURN NEXT ARRAY[CASE WHEN FOUND THEN 'done' ELSE 'noPlayer' END];
END $$;

-- What is told of an account that is not there.
CREATE FUNCTION {schema}.missing_account(of_operator text, of_player text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN EXISTS (
    SELECT FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player
  ) THEN 'noCurrency' ELSE 'noPlayer' END
$$;

-- Adds cash, or takes it where units are below zero, once per reference.
-- Line: 'done', currency, real, bonus or null, 'replay' where the reference was known with this content, else null
--       'refused', reason
CREATE FUNCTION {schema}.move_cash(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_reference text, move_units bigint, of_currency text, of_balance text
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  account record;
  known record;
  units_after bigint;
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  SELECT a.real, a.bonus INTO account FROM {schema}.accounts a
    WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = of_currency FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NEXT ARRAY['refused', {schema}.missing_account(of_operator, of_player)];
    RETURN;
  END IF;
  SELECT c.units, c.currency, c.balance INTO known FROM {schema}.cash c
    WHERE c.operator_id = of_operator AND c.player_id = of_player AND c.reference = of_reference;
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
  INSERT INTO {schema}.cash (operator_id, player_id, reference, units, currency, balance)
    VALUES (of_operator, of_player, of_reference, move_units, of_currency, of_balance) ON CONFLICT DO NOTHING;
  -- The same order waits for its account; only one in another currency comes between.
  IF NOT FOUND THEN
    RETURN NEXT ARRAY['refused', 'referenceReused'];
    RETURN;
  END IF;
  RETURN QUERY UPDATE {schema}.accounts a SET
      real = CASE WHEN of_balance = 'bonus' THEN a.real ELSE units_after END,
      bonus = CASE WHEN of_balance = 'bonus' THEN units_after ELSE a.bonus END
    WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = of_currency
    RETURNING ARRAY['done', a.currency, a.real::text, a.bonus::text, NULL];
END $$;
