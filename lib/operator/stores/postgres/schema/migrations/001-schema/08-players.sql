-- Functions of players and their cash.

-- Players are opened and blocked one after the other: a new account is blocked as the others are.
CREATE FUNCTION {schema}.hold_player(of_operator text, of_player text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(of_player, hashtextextended(of_operator, 0)))
$$;

-- Writes the event of what was done to a player outside the rounds, with the accounts after it. The player is held.
-- of_number: of a block, its number
CREATE FUNCTION {schema}.tell_act(of_operator text, of_player text, of_number bigint, event text)
RETURNS void LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO {schema}.events (operator_id, player_id, game_round, version, event, accounts)
    SELECT of_operator, of_player, '', of_number, tell_act.event,
      (SELECT array_agg(ARRAY[a.currency, a.real::text, a.bonus::text])
      FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player)
$$;

-- Opens an account unless there is one, with its opening movements: one for each balance that it has.
-- event: what tells consumers of it, or null where none is declared
-- Line: 'opened' or 'existed', currency, real, bonus or null.
CREATE FUNCTION {schema}.open_account(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_currency text, real_units bigint, bonus_units bigint,
  of_actor text, of_actor_name text, of_reason text, event text DEFAULT NULL
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  answer text := 'opened';
  other {schema}.accounts;
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  PERFORM {schema}.hold_player(of_operator, of_player);
  SELECT * INTO other FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player LIMIT 1;
  INSERT INTO {schema}.accounts (operator_id, player_id, currency, real, bonus, blocked, blocked_until, limited)
    VALUES (of_operator, of_player, of_currency, real_units, bonus_units,
      coalesce(other.blocked, false), other.blocked_until, coalesce(other.limited, false)) ON CONFLICT DO NOTHING;
  IF FOUND THEN
    INSERT INTO {schema}.cash
      (operator_id, player_id, reference, kind, units, currency, balance, actor_id, actor_name, reason)
    SELECT of_operator, of_player, '#opening ' || of_currency || ' ' || o.balance, 'opening', o.units, of_currency,
      o.balance, of_actor, of_actor_name, of_reason
    FROM (VALUES ('real', real_units), ('bonus', bonus_units)) AS o (balance, units) WHERE o.units IS NOT NULL;
    IF event IS NOT NULL THEN PERFORM {schema}.tell_act(of_operator, of_player, 0, event); END IF;
  ELSE
    answer := 'existed';
  END IF;
  RETURN QUERY SELECT ARRAY[answer, a.currency, a.real::text, a.bonus::text] FROM {schema}.accounts a
    WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = of_currency;
END $$;

-- Blocks a player, or lifts it, and records it unless it repeats the latest record of the player. It counts for every debit
-- from when it is answered on: a commit that has read the old value holds the account, and is over once it was held here.
-- event: as open_account has it
-- Line: 'done' or 'noPlayer'.
CREATE FUNCTION {schema}.record_block(
  accept_loss boolean, lock_timeout_ms integer, of_operator text, of_player text, is_blocked boolean, ends_at bigint,
  of_actor text, of_actor_name text, of_reason text, event text DEFAULT NULL
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  last {schema}.blocks;
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  PERFORM {schema}.hold_player(of_operator, of_player);
  PERFORM FROM {schema}.accounts WHERE operator_id = of_operator AND player_id = of_player
    ORDER BY currency FOR NO KEY UPDATE;
  UPDATE {schema}.accounts SET blocked = is_blocked, blocked_until = record_block.ends_at,
      limited = record_block.ends_at IS NOT NULL OR EXISTS (
        SELECT FROM {schema}.limits l WHERE l.operator_id = of_operator AND l.player_id = of_player
      )
    WHERE operator_id = of_operator AND player_id = of_player;
  IF NOT FOUND THEN
    RETURN NEXT ARRAY['noPlayer'];
    RETURN;
  END IF;
  SELECT * INTO last FROM {schema}.blocks b
    WHERE b.operator_id = of_operator AND b.player_id = of_player ORDER BY b.number DESC LIMIT 1;
  IF NOT FOUND OR (last.blocked, last.ends_at, last.actor_id, last.actor_name, last.reason)
    IS DISTINCT FROM (is_blocked, record_block.ends_at, of_actor, of_actor_name, of_reason) THEN
    INSERT INTO {schema}.blocks (operator_id, player_id, number, blocked, ends_at, actor_id, actor_name, reason)
      VALUES (of_operator, of_player, coalesce(last.number, 0) + 1, is_blocked, record_block.ends_at, of_actor, of_actor_name, of_reason);
    IF event IS NOT NULL THEN
      PERFORM {schema}.tell_act(of_operator, of_player, coalesce(last.number, 0) + 1, event);
    END IF;
  END IF;
  RETURN NEXT ARRAY['done'];
END $$;

-- The latest records of a player, the newest first.
-- Lines: 'block', 'true' or 'false', microseconds since 1970, actor, name, reason, when it ends or null; 'noPlayer'
CREATE FUNCTION {schema}.list_blocks(of_operator text, of_player text, at_most integer)
RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT ARRAY['block', b.blocked::text, (extract(epoch FROM b.blocked_at) * 1000000)::bigint::text,
      b.actor_id, b.actor_name, b.reason, b.ends_at::text]
    FROM {schema}.blocks b WHERE b.operator_id = of_operator AND b.player_id = of_player
    ORDER BY b.number DESC LIMIT at_most;
  IF NOT FOUND AND {schema}.missing_account(of_operator, of_player) = 'noPlayer' THEN
    RETURN NEXT ARRAY['noPlayer'];
  END IF;
END $$;

-- Adds cash, or takes it where units are below zero, once per reference. The same reference is a replay where kind,
-- units, currency and balance are the same, whoever sends it.
-- event: as open_account has it. Then the player is held before the account, as commit_round has it: no two wait for each other
-- moment: as begin_limits has it, for a player who may have limits; null else
-- Line: 'done', currency, real, bonus or null, 'replay' where the reference was known with this content, else null
--       'refused', reason
--       'limits', zones: nothing was written, since the moment is missing or lacks these zones
CREATE FUNCTION {schema}.record_cash(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_reference text, of_kind text, move_units bigint, of_currency text, of_balance text,
  of_actor text, of_actor_name text, of_reason text, event text DEFAULT NULL, moment json DEFAULT NULL
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  begun record;
  weighed record;
  account record;
  known record;
  units_after bigint;
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  IF event IS NOT NULL THEN PERFORM {schema}.hold_player(of_operator, of_player); END IF;
  SELECT a.real, a.bonus, a.limited INTO account FROM {schema}.accounts a
    WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = of_currency FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NEXT ARRAY['refused', {schema}.missing_account(of_operator, of_player)];
    RETURN;
  END IF;
  SELECT c.kind, c.units, c.currency, c.balance INTO known FROM {schema}.cash c
    WHERE c.operator_id = of_operator AND c.player_id = of_player AND c.reference = of_reference;
  IF FOUND THEN
    IF known.kind = of_kind AND known.units = move_units AND known.currency = of_currency AND known.balance = of_balance THEN
      RETURN NEXT ARRAY['done', of_currency, account.real::text, account.bonus::text, 'replay'];
    ELSE
      RETURN NEXT ARRAY['refused', 'referenceReused'];
    END IF;
    RETURN;
  END IF;
  IF account.limited AND of_kind = 'deposit' THEN
    SELECT * INTO begun FROM {schema}.begin_limits(of_operator, of_player, moment);
    IF begun.missing IS NOT NULL THEN
      RETURN NEXT ARRAY['limits', begun.missing];
      RETURN;
    END IF;
    SELECT * INTO weighed FROM {schema}.count_limits(begun.counted, '{3}', of_currency,
      CASE WHEN of_balance = 'bonus' THEN 0 ELSE move_units END, CASE WHEN of_balance = 'bonus' THEN move_units ELSE 0 END);
    IF weighed.exceeded THEN
      RETURN NEXT ARRAY['refused', 'limitReached'];
      RETURN;
    END IF;
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
  INSERT INTO {schema}.cash
    (operator_id, player_id, reference, kind, units, currency, balance, actor_id, actor_name, reason)
    VALUES (of_operator, of_player, of_reference, of_kind, move_units, of_currency, of_balance,
      of_actor, of_actor_name, of_reason) ON CONFLICT DO NOTHING;
  -- The same order waits for its account; only one in another currency comes between.
  IF NOT FOUND THEN
    RETURN NEXT ARRAY['refused', 'referenceReused'];
    RETURN;
  END IF;
  IF account.limited AND of_kind = 'deposit' THEN
    PERFORM {schema}.write_limits(of_operator, of_player, weighed.counted);
  END IF;
  RETURN QUERY UPDATE {schema}.accounts a SET
      real = CASE WHEN of_balance = 'bonus' THEN a.real ELSE units_after END,
      bonus = CASE WHEN of_balance = 'bonus' THEN units_after ELSE a.bonus END
    WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = of_currency
    RETURNING ARRAY['done', a.currency, a.real::text, a.bonus::text, NULL];
  IF event IS NOT NULL THEN PERFORM {schema}.tell_act(of_operator, of_player, 0, event); END IF;
END $$;

-- A page of a player's cash, newest first; of what moved at one time, the later reference first.
-- before_reference: the last of the page before, null for the newest page; before_at: its time in microseconds since
-- 1970, null where it is not known.
-- Lines: 'cash', reference, kind, units, currency, balance, time as above, id and name of the person, reason
--        'noPlayer'
CREATE FUNCTION {schema}.list_cash(
  of_operator text, of_player text, before_at bigint, before_reference text, at_most integer
) RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  latest CONSTANT timestamptz := CASE
    WHEN before_reference IS NULL THEN 'infinity'
    WHEN before_at IS NULL THEN '-infinity'
    ELSE timestamptz 'epoch' + before_at * interval '1 microsecond' END;
BEGIN
  RETURN QUERY SELECT ARRAY['cash', c.reference, c.kind, c.units::text, c.currency, c.balance,
      CASE WHEN isfinite(c.moved_at) THEN (extract(epoch FROM c.moved_at) * 1000000)::bigint::text END,
      c.actor_id, c.actor_name, c.reason]
    FROM {schema}.cash c
    WHERE c.operator_id = of_operator AND c.player_id = of_player
      AND (c.moved_at, c.reference) < (latest, coalesce(before_reference, ''))
    ORDER BY c.moved_at DESC, c.reference DESC LIMIT at_most;
  IF NOT FOUND AND {schema}.missing_account(of_operator, of_player) = 'noPlayer' THEN
    RETURN NEXT ARRAY['noPlayer'];
  END IF;
END $$;
