-- Money in tables of the platform's own. Two functions of the platform's in this schema read and move it, inside the statement
-- that writes the round:
--   accounts_of(of_operator text, of_player text) RETURNS TABLE (currency text, real_units bigint, bonus_units bigint) STABLE
--   move_money(m movement, OUT refusal text, OUT real_units bigint, OUT bonus_units bigint)
-- They are bound when they are called, so they may come after this migration.

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

-- The number of the player's latest round, null where there is no round.
CREATE FUNCTION {schema}.latest_round(of_operator text, of_player text) RETURNS bigint LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
BEGIN
  RETURN (SELECT l.number FROM {schema}.rounds l WHERE l.operator_id = of_operator AND l.player_id = of_player AND l.number > 0
    ORDER BY l.operator_id DESC, l.player_id DESC, l.number DESC LIMIT 1);
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
  moved record;
  account record;
  took bigint[];
  reals bigint[];
  bonuses bigint[];
  line text[];
  held_round bigint;
  -- What begin_write does, as an assignment: a statement would cost more.
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
  ELSE
    -- A new round is written as commit_round does it: a function within this one costs more than the statement.
    IF expected_version = 0 THEN
      INSERT INTO {schema}.rounds (
        operator_id, player_id, game_round, number, version, state, resume, changed_at, currency, game_code,
        started, credited, ended, declined, unanswered, debits_real, debits_bonus, credits_real, credits_bonus,
        first_records, took, pending, attention, expires_at
      ) SELECT
        of_operator, of_player, of_round,
        greatest((extract(epoch FROM clock_timestamp()) * 1000000)::bigint, 1 + {schema}.latest_round(of_operator, of_player)), next_version, next_state, next_resume, next_changed_at, next_currency,
        next_game_code, is_started, next_credited, next_ended, next_declined, next_unanswered, commit_own.debits_real,
        commit_own.debits_bonus, commit_own.credits_real, commit_own.credits_bonus,
        opening, CASE WHEN opening IS NULL THEN NULL ELSE took END, next_pending, needs_attention,
        statement_timestamp() + keep_ms * interval '1 millisecond'
      ON CONFLICT DO NOTHING RETURNING number INTO held_round;
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
        INSERT INTO {schema}.records (operator_id, player_id, round, hash, kind, record, real, bonus)
        SELECT of_operator, of_player, held_round, n.hash, n.kind, n.record, took[2 * n.take - 1], took[2 * n.take]
        FROM unnest(record_hash, record_kind, record_text, record_take) AS n (hash, kind, record, take)
        ON CONFLICT (operator_id, player_id, round, hash, kind) DO UPDATE SET
          record = excluded.record, real = excluded.real, bonus = excluded.bonus;
      END IF;
    END IF;
  END IF;
  IF next_repairs IS NOT NULL AND line[1] = 'committed' THEN
    PERFORM {schema}.write_repairs(of_operator, of_player, of_round, next_repairs);
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

-- Adds a follow-up call to a round, with the money in the platform's tables.
--
-- move_: as commit_own has them
-- all else as follow_round has it
-- Lines: those of commit_own where it is committed; else nothing was written, and they are those of load_own. Where money had
--   moved, the answer of commit_own in an error RW002: the store loads then.
CREATE FUNCTION {schema}.follow_own(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_round text, hashes text[], in_json text[], of_currency text, of_game_code text,
  next_state text, next_changed_at bigint, more_credited bigint, more_ended bigint,
  more_debits bigint, more_credits_real bigint, more_credits_bonus bigint, keep_ms bigint,
  move_kind text[], move_currency text[], move_real bigint[], move_bonus bigint[], move_bonus_first boolean[], move_hash text[],
  record_hash text[], record_kind text[], record_text text[], record_take integer[],
  event text
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  head CONSTANT {schema}.rounds :=
    {schema}.head_to_follow(of_operator, of_player, of_round, of_currency, of_game_code, hashes, in_json);
  line text[];
BEGIN
  IF head.number IS NOT NULL THEN
    FOR line IN SELECT * FROM {schema}.commit_own(
      accept_loss => accept_loss, lock_timeout_ms => lock_timeout_ms,
      of_operator => of_operator, of_player => of_player, of_round => of_round,
      expected_version => head.version, next_version => head.version + 1,
      next_state => next_state, next_resume => head.resume,
      next_changed_at => coalesce(next_changed_at, head.changed_at),
      next_currency => head.currency, next_game_code => head.game_code, is_started => true,
      next_credited => head.credited + more_credited, next_ended => head.ended + more_ended,
      next_declined => NULL, next_unanswered => 0,
      debits_real => head.debits_real + more_debits, debits_bonus => head.debits_bonus,
      credits_real => head.credits_real + more_credits_real, credits_bonus => head.credits_bonus + more_credits_bonus,
      keeps_pending => true, next_pending => NULL, needs_attention => false, keep_ms => keep_ms,
      move_kind => move_kind, move_currency => move_currency, move_real => move_real, move_bonus => move_bonus,
      move_bonus_first => move_bonus_first, move_hash => move_hash,
      opening => NULL, record_hash => record_hash, record_kind => record_kind,
      record_text => record_text, record_take => record_take,
      event => event, next_repairs => NULL
    ) LOOP
      EXIT WHEN line[1] <> 'committed';
      RETURN NEXT line;
    END LOOP;
    IF line[1] = 'committed' THEN RETURN; END IF;
  END IF;
  RETURN QUERY SELECT * FROM {schema}.load_own(of_operator, of_player, of_round, hashes);
END $$;

-- Tells the consumers of events of cash in the platform's tables; call it in the transaction that moves it. The player is to be
-- held first: hold_player, then the money, then this. Writes nothing while no consumer is declared.
-- of_kind: 'opening', 'deposit', 'withdrawal' or 'correction'; of_reference: null for an opening
-- units: what was added to the balance 'real' or 'bonus', below zero if it was taken
CREATE FUNCTION {schema}.record_act(
  of_operator text, of_player text, of_kind text, of_reference text, of_currency text, units bigint, of_balance text,
  of_actor text DEFAULT NULL, of_actor_name text DEFAULT NULL, of_reason text DEFAULT NULL
) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF of_kind NOT IN ('opening', 'deposit', 'withdrawal', 'correction') OR of_balance NOT IN ('real', 'bonus')
    OR (of_kind = 'opening') <> (of_reference IS NULL)
    OR of_operator IS NULL OR of_player IS NULL OR of_kind IS NULL OR of_currency IS NULL OR units IS NULL OR of_balance IS NULL
  THEN
    RAISE EXCEPTION 'record_act must be told of an opening without a reference, or of a deposit, withdrawal or correction with one, of real or bonus'
      USING ERRCODE = 'RW003';
  END IF;
  IF NOT EXISTS (SELECT FROM {schema}.event_consumers) THEN RETURN; END IF;
  PERFORM {schema}.hold_player(of_operator, of_player);
  INSERT INTO {schema}.events (operator_id, player_id, game_round, version, event, accounts)
    SELECT of_operator, of_player, '', 0,
      json_build_object('type', 'cash', 'kind', of_kind, 'reference', of_reference, 'currency', of_currency,
        'real', CASE of_balance WHEN 'real' THEN units ELSE 0 END::text,
        'bonus', CASE of_balance WHEN 'bonus' THEN units ELSE 0 END::text,
        'actor', of_actor, 'name', of_actor_name, 'reason', of_reason)::text,
      (SELECT array_agg(ARRAY[a.currency, a.real_units::text, a.bonus_units::text] ORDER BY a.currency COLLATE "C")
      FROM {schema}.accounts_of(of_operator, of_player) AS a);
END $$;
