-- Money in tables of the platform's own. Two functions of the platform's in this schema read and move it, inside the statement
-- that writes the round:
--   accounts_of(of_operator text, of_player text) RETURNS TABLE (currency text, real_units bigint, bonus_units bigint) STABLE
--   move_money(m movement, OUT refusal text, OUT real_units bigint, OUT bonus_units bigint)
-- They are bound when they are called, so they may come after this migration.

-- kind: take, give or reverse
-- real, bonus: units. A take has all of them in real, and bonus_first says which balance pays first; give and reverse have what
--   each balance gets, below zero where it is taken back
CREATE TYPE {schema}.movement AS (
  operator_id text, player_id text, currency text, kind text,
  real bigint, bonus bigint, bonus_first boolean,
  game_round text, hash text, game_code text
);

-- A schema that is in use already keeps the money in its table of accounts.
INSERT INTO {schema}.settings (name, value)
  SELECT 'money', 'accounts' FROM {schema}.settings s WHERE s.name = 'decimals' ON CONFLICT DO NOTHING;

-- Lines: as those of read_accounts.
CREATE FUNCTION {schema}.read_own(of_operator text, of_player text)
RETURNS SETOF text[] LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT ARRAY['account', a.currency, a.real_units::text, a.bonus_units::text]
    FROM {schema}.accounts_of(of_operator, of_player) AS a;
END $$;

-- Lines: as those of load_round.
CREATE FUNCTION {schema}.load_own(of_operator text, of_player text, of_round text, hashes text[])
RETURNS SETOF text[] LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT * FROM {schema}.load_round(of_operator, of_player, of_round, hashes);
  RETURN QUERY SELECT * FROM {schema}.read_own(of_operator, of_player);
END $$;

-- The version of a round; 0 where it is not there.
CREATE FUNCTION {schema}.version_of(of_operator text, of_player text, of_round text) RETURNS bigint LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
BEGIN
  RETURN coalesce((SELECT r.version FROM {schema}.rounds r
    WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round
      AND (r.expires_at IS NULL OR r.expires_at > statement_timestamp())), 0);
END $$;

-- Ends the statement with an answer, and undoes all of it: the store reads the answer from the error.
CREATE FUNCTION {schema}.undo(answer text[]) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION '%', array_to_string(answer, ' ') USING ERRCODE = 'RW002';
END $$;

-- The number of the movement that took a balance out of the range, from what the balance is after all of them.
-- moved: what each movement added to it, 0 where it was another balance
CREATE FUNCTION {schema}.beyond_range(balance bigint, moved bigint[]) RETURNS integer LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  FOR number IN REVERSE cardinality(moved) .. 1 LOOP
    balance := balance - moved[number];
    IF moved[number] <> 0 AND abs(balance) <= 9007199254740991 THEN RETURN number; END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- The commit of commit_round, with the money in the platform's tables: first the money, then the round. What moved is undone
-- with the statement if a later movement is refused or the round has changed.
--
-- move_: the movements, null where no money moves; debits_: as if the real balance paid everything
-- event: as commit_round has it; next_repairs: as commit_repairs has it, or null
-- all else as commit_round has it
-- Lines: as those of commit_round. The same as texts in one line, in an error RW002, where money had moved.
CREATE FUNCTION {schema}.commit_own(
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
  m {schema}.movement;
  moved record;
  account record;
  took bigint[];
  reals bigint[];
  bonuses bigint[];
  line text[];
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
    m := ROW(of_operator, of_player, move_currency[number], move_kind[number], move_real[number], move_bonus[number],
      move_bonus_first[number], of_round, move_hash[number], next_game_code);
    moved := {schema}.move_money(m);
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
    IF m.kind = 'take' THEN
      debits_real := debits_real + bonuses[number];
      debits_bonus := debits_bonus - bonuses[number];
      took := took || -reals[number] || -bonuses[number];
    END IF;
    IF m.kind = 'take' AND (greatest(reals[number], bonuses[number]) > 0 OR reals[number] + bonuses[number] <> -m.real)
      OR m.kind <> 'take' AND (reals[number] <> m.real OR bonuses[number] <> m.bonus)
    THEN
      RAISE EXCEPTION 'move_money must move what it is told, in %: movement % is a % of other units than it answers',
        m.currency, number, m.kind USING ERRCODE = 'RW003';
    END IF;
  END LOOP;
  IF greatest(abs(debits_real), abs(debits_bonus), abs(credits_real), abs(credits_bonus)) > highest THEN
    line := ARRAY['refused', movements::text, 'outOfRange'];
  ELSIF next_repairs IS NULL THEN
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
    line := (SELECT r FROM {schema}.commit_repairs(
      true, lock_timeout_ms, of_operator, of_player, of_round,
      expected_version, next_version, next_state, next_resume, next_changed_at, next_currency, next_game_code,
      is_started, next_credited, next_ended, next_declined, next_unanswered,
      debits_real, debits_bonus, credits_real, credits_bonus,
      keeps_pending, next_pending, needs_attention, keep_ms,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      took, opening, record_hash, record_kind, record_text, record_take, NULL, next_repairs
    ) AS r LIMIT 1);
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

-- The names and types of what a function answers, in the order of their names.
CREATE FUNCTION {schema}.answers_of(of_function oid) RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT string_agg(a.name || ' ' || format_type(a.type, NULL), ', ' ORDER BY a.name COLLATE "C")
  FROM pg_proc p, unnest(p.proargnames, p.proallargtypes, p.proargmodes) AS a (name, type, mode)
  WHERE p.oid = of_function AND a.mode IN ('o', 't')
$$;

-- What is wrong with the two functions of the platform's, for a person; what the probe writes is undone.
-- of_players: ids that no player has
-- Line: a sentence; none where nothing is.
CREATE FUNCTION {schema}.probe_own(of_players text[]) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  mover CONSTANT oid := to_regprocedure('{schema}.move_money({schema}.movement)');
  reader CONSTANT oid := to_regprocedure('{schema}.accounts_of(text, text)');
  moved record;
  of_player text;
  kind text;
  known boolean := false;
  wrong text;
BEGIN
  IF mover IS NULL THEN
    wrong := 'The function {schema}.move_money({schema}.movement) is missing.';
  ELSIF {schema}.answers_of(mover) IS DISTINCT FROM 'bonus_units bigint, real_units bigint, refusal text'
    OR (SELECT p.proretset OR p.provolatile <> 'v' FROM pg_proc p WHERE p.oid = mover)
  THEN
    wrong := 'move_money must be VOLATILE and answer OUT refusal text, OUT real_units bigint, OUT bonus_units bigint.';
  ELSIF NOT has_function_privilege(mover, 'EXECUTE') THEN
    wrong := 'The user ' || current_user || ' may not EXECUTE move_money.';
  ELSIF reader IS NULL THEN
    wrong := 'The function {schema}.accounts_of(text, text) is missing.';
  ELSIF {schema}.answers_of(reader) IS DISTINCT FROM 'bonus_units bigint, currency text, real_units bigint'
    OR (SELECT NOT p.proretset OR p.provolatile <> 's' FROM pg_proc p WHERE p.oid = reader)
  THEN
    wrong := 'accounts_of must be STABLE and RETURNS TABLE (currency text, real_units bigint, bonus_units bigint).';
  ELSIF NOT has_function_privilege(reader, 'EXECUTE') THEN
    wrong := 'The user ' || current_user || ' may not EXECUTE accounts_of.';
  END IF;
  IF wrong IS NOT NULL THEN
    RETURN NEXT ARRAY[wrong];
    RETURN;
  END IF;
  FOREACH of_player IN ARRAY of_players LOOP
    BEGIN
      FOREACH kind IN ARRAY ARRAY['take', 'give', 'reverse'] LOOP
        moved := {schema}.move_money(ROW('probe', of_player, 'EUR', kind, 1, 0, false, 'probe', 'probe', NULL)::{schema}.movement);
        IF coalesce(moved.refusal, '') NOT IN ('noPlayer', 'noCurrency') THEN
          wrong := 'move_money must refuse a ' || kind || ' of the unknown player ' || of_player || ' as noPlayer, not as '
            || coalesce(moved.refusal, 'done') || '.';
        END IF;
      END LOOP;
      known := EXISTS (SELECT FROM {schema}.accounts_of('probe', of_player));
      RAISE EXCEPTION USING ERRCODE = 'RW002';
    EXCEPTION
      WHEN SQLSTATE 'RW002' THEN NULL;
      WHEN OTHERS THEN
        wrong := 'The functions fail for the unknown player ' || of_player || ': ' || SQLERRM;
    END;
    IF known THEN wrong := 'accounts_of must have no line of the unknown player ' || of_player || '.'; END IF;
    IF wrong IS NOT NULL THEN
      RETURN NEXT ARRAY[wrong];
      RETURN;
    END IF;
  END LOOP;
END $$;
