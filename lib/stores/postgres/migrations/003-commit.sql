-- Writes a change of one round with its movements, all or nothing, if the round has the version that the change was
-- decided on. Knows no rule of the protocol. Accounts are held before the round, since what a debit takes from each
-- balance is part of the round's head: so each row is written once.
--
-- Movements: kind 'take', 'give' or 'reverse', and currency
--   take: real_units in all, bonus_first tells which balance pays first; refused where funds are too low
--   give, reverse: real_units to real, bonus_units to bonus
-- Records: t_ of debits, credits and ends, v_ of voids; t_movement is the number of the take that fills in what the
--   debit took, or null
-- sums: debits real, debits bonus, credits real, credits bonus, without this change's takes
-- keep_ms: milliseconds to keep the round, null for ever
-- Lines: 'committed', then the accounts after it as read_accounts tells them
--        'stale'
--        'refused', number of the movement, reason
CREATE FUNCTION {schema}.commit_round(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_round text,
  expected_version bigint, next_version bigint,
  next_state text, next_resume text, next_changed_at bigint, next_currency text, next_game_code text,
  is_started boolean, is_credited boolean, is_declined boolean, next_unanswered bigint,
  sums bigint[], keeps_pending boolean, next_pending text, needs_attention boolean, keep_ms bigint,
  kinds text[], currencies text[], real_units bigint[], bonus_units bigint[], bonus_first boolean[],
  t_hash text[], t_type text[], t_outcome text[], t_at bigint[], t_currency text[], t_amount bigint[],
  t_discount bigint[], t_first boolean[], t_serial text[], t_real bigint[], t_bonus bigint[], t_movement integer[],
  v_hash text[], v_at bigint[], v_real bigint[], v_bonus bigint[]
) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
-- A plan made while a table was small would walk it when it is large.
SET enable_seqscan = off AS $$
DECLARE
  highest CONSTANT bigint := 9007199254740991;
  moment CONSTANT timestamptz := clock_timestamp();
  movements CONSTANT integer := cardinality(kinds);
  held_player bigint;
  held_round bigint;
  live_version bigint;
  is_blocked boolean;
  held record;
  held_currencies text[] := '{}';
  held_real bigint[] := '{}';
  held_bonus bigint[] := '{}';
  took_real bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(kinds)]);
  took_bonus bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(kinds)]);
  refusal text;
  refused_at integer;
  at_account integer;
  from_real bigint;
  from_bonus bigint;
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  IF movements > 0 THEN
    SELECT p.id INTO held_player FROM {schema}.players p
      WHERE p.operator_id = of_operator AND p.player_id = of_player;
    FOR held IN SELECT a.currency, a.real, a.bonus FROM {schema}.accounts a
      WHERE a.player = held_player AND a.currency = ANY (currencies)
      ORDER BY a.currency FOR NO KEY UPDATE
    LOOP
      held_currencies := held_currencies || held.currency;
      held_real := held_real || held.real;
      held_bonus := held_bonus || held.bonus;
    END LOOP;
    -- Read once the accounts are held: see block_player.
    SELECT p.blocked INTO is_blocked FROM {schema}.players p WHERE p.id = held_player;
  END IF;

  FOR i IN 1 .. movements LOOP
    at_account := array_position(held_currencies, currencies[i]);
    IF held_player IS NULL THEN
      refusal := 'noPlayer';
    ELSIF at_account IS NULL THEN
      refusal := 'noCurrency';
    ELSIF kinds[i] = 'take' AND is_blocked THEN
      refusal := 'blocked';
    ELSE
      IF kinds[i] = 'take' THEN
        from_real := greatest(held_real[at_account], 0);
        from_bonus := greatest(coalesce(held_bonus[at_account], 0), 0);
        IF from_real + from_bonus < real_units[i] THEN
          refusal := 'tooLow';
        ELSIF bonus_first[i] THEN
          from_bonus := least(from_bonus, real_units[i]);
          from_real := real_units[i] - from_bonus;
        ELSE
          from_real := least(from_real, real_units[i]);
          from_bonus := real_units[i] - from_real;
        END IF;
        took_real[i] := from_real;
        took_bonus[i] := from_bonus;
        sums[1] := sums[1] + from_real;
        sums[2] := sums[2] + from_bonus;
        from_real := -from_real;
        from_bonus := -from_bonus;
      ELSE
        from_real := real_units[i];
        from_bonus := bonus_units[i];
      END IF;
      held_real[at_account] := held_real[at_account] + from_real;
      IF from_bonus <> 0 OR held_bonus[at_account] IS NOT NULL THEN
        held_bonus[at_account] := coalesce(held_bonus[at_account], 0) + from_bonus;
      END IF;
      IF refusal IS NULL
        AND greatest(abs(held_real[at_account]), abs(coalesce(held_bonus[at_account], 0))) > highest
      THEN
        refusal := 'outOfRange';
      END IF;
    END IF;
    IF refusal IS NOT NULL THEN
      refused_at := i;
      EXIT;
    END IF;
  END LOOP;
  IF refusal IS NULL AND movements > 0
    AND greatest(abs(sums[1]), abs(sums[2]), abs(sums[3]), abs(sums[4])) > highest
  THEN
    refusal := 'outOfRange';
    refused_at := movements;
  END IF;

  IF refusal IS NOT NULL THEN
    -- Another commit of this round may have taken the funds: then the change is stale, not refused.
    SELECT r.version INTO live_version FROM {schema}.rounds r
      WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round
        AND (r.expires_at IS NULL OR r.expires_at > moment);
    IF coalesce(live_version, 0) <> expected_version THEN
      RETURN NEXT ARRAY['stale'];
    ELSE
      RETURN NEXT ARRAY['refused', refused_at::text, refusal];
    END IF;
    RETURN;
  END IF;

  IF expected_version = 0 THEN
    DELETE FROM {schema}.rounds r
      WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round
        AND r.expires_at <= moment
      RETURNING r.id INTO held_round;
    IF held_round IS NOT NULL THEN
      DELETE FROM {schema}.transactions t WHERE t.round = held_round;
      DELETE FROM {schema}.voids v WHERE v.round = held_round;
    END IF;
    held_round := NULL;
    INSERT INTO {schema}.rounds (
      operator_id, player_id, game_round, version, state, resume, changed_at, currency, game_code,
      started, credited, declined, unanswered, debits_real, debits_bonus, credits_real, credits_bonus,
      pending, attention, expires_at
    ) VALUES (
      of_operator, of_player, of_round, next_version, next_state, next_resume, next_changed_at, next_currency,
      next_game_code, is_started, is_credited, is_declined, next_unanswered, sums[1], sums[2], sums[3], sums[4],
      next_pending, needs_attention, moment + keep_ms * interval '1 millisecond'
    ) ON CONFLICT DO NOTHING RETURNING id INTO held_round;
  ELSE
    UPDATE {schema}.rounds r SET
      version = next_version, state = next_state, resume = next_resume, changed_at = next_changed_at,
      currency = next_currency, game_code = next_game_code,
      started = is_started, credited = is_credited, declined = is_declined, unanswered = next_unanswered,
      debits_real = sums[1], debits_bonus = sums[2], credits_real = sums[3], credits_bonus = sums[4],
      pending = CASE WHEN keeps_pending THEN r.pending ELSE next_pending END,
      attention = needs_attention, expires_at = moment + keep_ms * interval '1 millisecond'
    WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round
      AND r.version = expected_version AND (r.expires_at IS NULL OR r.expires_at > moment)
    RETURNING r.id INTO held_round;
  END IF;
  IF held_round IS NULL THEN
    RETURN NEXT ARRAY['stale'];
    RETURN;
  END IF;

  FOR i IN 1 .. cardinality(held_currencies) LOOP
    UPDATE {schema}.accounts a SET real = held_real[i], bonus = held_bonus[i]
      WHERE a.player = held_player AND a.currency = held_currencies[i];
  END LOOP;
  IF cardinality(t_hash) > 0 THEN
    INSERT INTO {schema}.transactions AS t
      (round, hash, type, outcome, at, currency, amount, discount, first, serial, real, bonus)
    SELECT held_round, n.hash, n.type, n.outcome, n.at, n.currency, n.amount, n.discount, n.first, n.serial,
      coalesce(took_real[n.movement], n.real), coalesce(took_bonus[n.movement], n.bonus)
    FROM unnest(t_hash, t_type, t_outcome, t_at, t_currency, t_amount, t_discount, t_first, t_serial, t_real,
      t_bonus, t_movement)
      AS n (hash, type, outcome, at, currency, amount, discount, first, serial, real, bonus, movement)
    ON CONFLICT (round, hash) DO UPDATE SET
      type = excluded.type, outcome = excluded.outcome, at = excluded.at, currency = excluded.currency,
      amount = excluded.amount, discount = excluded.discount, first = excluded.first, serial = excluded.serial,
      real = excluded.real, bonus = excluded.bonus;
  END IF;
  IF cardinality(v_hash) > 0 THEN
    INSERT INTO {schema}.voids (round, hash, at, real, bonus)
    SELECT held_round, n.hash, n.at, n.real, n.bonus
    FROM unnest(v_hash, v_at, v_real, v_bonus) AS n (hash, at, real, bonus)
    ON CONFLICT (round, hash) DO UPDATE SET at = excluded.at, real = excluded.real, bonus = excluded.bonus;
  END IF;
  RETURN NEXT ARRAY['committed'];
  RETURN QUERY SELECT * FROM {schema}.read_accounts(of_operator, of_player);
END $$;
