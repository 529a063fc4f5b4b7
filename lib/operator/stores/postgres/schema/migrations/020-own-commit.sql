-- A commit that opens a round, with the money in the platform's tables, writes the round by itself: no function within the function.

-- As before, in all that it takes and answers.
CREATE OR REPLACE FUNCTION {schema}.commit_own(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_round text,
  expected_version bigint, next_version bigint,
  next_state text, next_resume text, next_changed_at bigint, next_currency text, next_game_code text,
  is_started boolean, next_credited bigint, next_ended bigint, next_declined text, next_unanswered bigint,
  debits_real bigint, debits_bonus bigint, credits_real bigint, credits_bonus bigint,
  keeps_pending boolean, next_pending text, needs_attention boolean, keep_ms bigint,
  move_kind text[], move_currency text[], move_real bigint[], move_bonus bigint[], move_bonus_first boolean[], move_hash text[],
  opening text, record_hash text[], record_kind text[], record_text text[], record_take integer[],
  event text, next_repairs text
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  highest CONSTANT bigint := 9007199254740991;
  movements CONSTANT integer := coalesce(cardinality(move_kind), 0);
  moved record;
  account record;
  took bigint[];
  reals bigint[];
  bonuses bigint[];
  line text[];
  held_round bigint;
  -- As begin_write has it; an assignment is no statement of its own, which would cost more.
  lock_timeout CONSTANT text := set_config('lock_timeout', lock_timeout_ms::text, true);
BEGIN
  IF NOT accept_loss AND {schema}.loses_writes() THEN
    PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  END IF;
  -- One event of a player after the other: the platform's accounts are not held by a commit without money.
  IF event IS NOT NULL THEN PERFORM {schema}.hold_player(of_operator, of_player); END IF;
  -- A call that is sent again assumes a new round: its movements do not come to the platform's function again.
  IF movements > 0 AND {schema}.version_of(of_operator, of_player, of_round) <> expected_version THEN
    RETURN NEXT ARRAY['stale'];
    RETURN;
  END IF;
  FOR number IN 1 .. movements LOOP
    moved := {schema}.move_money(ROW(of_operator, of_player, move_currency[number], move_kind[number], move_real[number],
      move_bonus[number], move_bonus_first[number], of_round, move_hash[number], next_game_code)::{schema}.movement);
    IF moved.refusal IS NOT NULL THEN
      line := ARRAY['refused', number::text, moved.refusal];
      -- Another commit of this round may have taken the funds: then the change is stale, not refused.
      IF {schema}.version_of(of_operator, of_player, of_round) <> expected_version THEN line := ARRAY['stale']; END IF;
      IF number > 1 THEN PERFORM {schema}.undo(line); END IF;
      RETURN NEXT line;
      RETURN;
    END IF;
    reals := reals || coalesce(moved.real_units, 0);
    bonuses := bonuses || coalesce(moved.bonus_units, 0);
    IF move_kind[number] = 'take' THEN
      debits_real := debits_real + bonuses[number];
      debits_bonus := debits_bonus - bonuses[number];
      took := took || -reals[number] || -bonuses[number];
    END IF;
    IF move_kind[number] = 'take'
        AND (greatest(reals[number], bonuses[number]) > 0 OR reals[number] + bonuses[number] <> -move_real[number])
      OR move_kind[number] <> 'take' AND (reals[number] <> move_real[number] OR bonuses[number] <> move_bonus[number])
    THEN
      RAISE EXCEPTION 'move_money must move what it is told, in %: movement % is a % of other units than it answers',
        move_currency[number], number, move_kind[number] USING ERRCODE = 'RW003';
    END IF;
  END LOOP;
  IF greatest(abs(debits_real), abs(debits_bonus), abs(credits_real), abs(credits_bonus)) > highest THEN
    line := ARRAY['refused', movements::text, 'outOfRange'];
  ELSIF next_repairs IS NOT NULL THEN
    line := (SELECT r FROM {schema}.commit_repairs(
      true, lock_timeout_ms, of_operator, of_player, of_round,
      expected_version, next_version, next_state, next_resume, next_changed_at, next_currency, next_game_code,
      is_started, next_credited, next_ended, next_declined, next_unanswered,
      debits_real, debits_bonus, credits_real, credits_bonus,
      keeps_pending, next_pending, needs_attention, keep_ms,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      took, opening, record_hash, record_kind, record_text, record_take, NULL, next_repairs
    ) AS r LIMIT 1);
  ELSE
    -- A new round is written as commit_round does it: a function within this one costs more than the statement.
    IF expected_version = 0 THEN
      INSERT INTO {schema}.rounds (
        operator_id, player_id, game_round, version, state, resume, changed_at, currency, game_code,
        started, credited, ended, declined, unanswered, debits_real, debits_bonus, credits_real, credits_bonus,
        first_records, took, pending, attention, expires_at
      ) VALUES (
        of_operator, of_player, of_round, next_version, next_state, next_resume, next_changed_at, next_currency,
        next_game_code, is_started, next_credited, next_ended, next_declined, next_unanswered, commit_own.debits_real,
        commit_own.debits_bonus, commit_own.credits_real, commit_own.credits_bonus,
        opening, CASE WHEN opening IS NULL THEN NULL ELSE took END, next_pending, needs_attention,
        statement_timestamp() + keep_ms * interval '1 millisecond'
      ) ON CONFLICT DO NOTHING RETURNING id INTO held_round;
    END IF;
    IF held_round IS NULL THEN
      -- Another round than a new one: an UPDATE needs its plan, made with enable_seqscan off, which must not reach move_money.
      line := (SELECT r FROM {schema}.commit_round(
        true, lock_timeout_ms, of_operator, of_player, of_round,
        expected_version, next_version, next_state, next_resume, next_changed_at, next_currency, next_game_code,
        is_started, next_credited, next_ended, next_declined, next_unanswered,
        debits_real, debits_bonus, credits_real, credits_bonus,
        keeps_pending, next_pending, needs_attention, keep_ms,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        took, opening, record_hash, record_kind, record_text, record_take, NULL
      ) AS r LIMIT 1);
    ELSE
      line := ARRAY['committed'];
      IF record_hash IS NOT NULL THEN
        INSERT INTO {schema}.records (round, hash, kind, record, real, bonus)
        SELECT held_round, n.hash, n.kind, n.record, took[2 * n.take - 1], took[2 * n.take]
        FROM unnest(record_hash, record_kind, record_text, record_take) AS n (hash, kind, record, take)
        ON CONFLICT (round, hash, kind) DO UPDATE SET
          record = excluded.record, real = excluded.real, bonus = excluded.bonus;
      END IF;
    END IF;
  END IF;
  IF line[1] <> 'committed' THEN
    IF movements > 0 THEN PERFORM {schema}.undo(line); END IF;
    RETURN NEXT line;
    RETURN;
  END IF;
  FOR account IN SELECT * FROM {schema}.accounts_of(of_operator, of_player) LOOP
    IF account.currency IS NULL OR account.real_units IS NULL THEN
      RAISE EXCEPTION 'accounts_of must have a currency and real_units in each line' USING ERRCODE = 'RW003';
    ELSIF movements > 0 AND greatest(abs(account.real_units), abs(account.bonus_units)) > highest THEN
      FOR number IN 1 .. movements LOOP
        IF move_currency[number] <> account.currency THEN
          reals[number] := 0;
          bonuses[number] := 0;
        END IF;
      END LOOP;
      PERFORM {schema}.undo(ARRAY['refused', coalesce(
        CASE WHEN abs(account.real_units) > highest THEN {schema}.beyond_range(account.real_units, reals)
          ELSE {schema}.beyond_range(account.bonus_units, bonuses) END, movements)::text, 'outOfRange']);
    END IF;
    RETURN NEXT ARRAY['committed', account.currency, account.real_units::text, account.bonus_units::text];
  END LOOP;
  IF NOT FOUND THEN RETURN NEXT ARRAY['committed']; END IF;
  IF event IS NOT NULL THEN
    INSERT INTO {schema}.events (operator_id, player_id, game_round, version, event, took, accounts)
      SELECT of_operator, of_player, of_round, next_version, commit_own.event, took,
        array_agg(ARRAY[a.currency, a.real_units::text, a.bonus_units::text] ORDER BY a.currency COLLATE "C")
      FROM {schema}.accounts_of(of_operator, of_player) AS a;
  END IF;
END $$;
