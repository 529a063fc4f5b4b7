-- The commit: commit_round and all that it calls, each before what calls it. It writes a change of one round with its
-- movements, all or nothing, if the round has the version that the change was decided on. It knows no rule of the protocol
-- but the split of a debit.
--
-- A function that locks several rows takes accounts first, in the order of their currencies, and a round after them; so
-- nothing deadlocks. What a debit takes from each balance is part of the round's head: so each row is written once.

-- Whether a session does not wait for the disk, or may find half of a page there: it would lose what it answers.
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

-- Why there is no such account.
CREATE FUNCTION {schema}.missing_account(of_operator text, of_player text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN EXISTS (
    SELECT FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player
  ) THEN 'noCurrency' ELSE 'noPlayer' END
$$;

-- Holds the accounts that movements name, and works out what they come to; writes nothing.
-- movements: JSON, each [kind, currency, real, bonus, bonus first]
--   take: real units in all, bonus first tells which balance pays first; refused where funds are too low
--   give, reverse: units to each balance
-- took: what each take takes, real and bonus in turn, and debits_: what debits took in all, both as if the real balance
--   paid everything; corrected where the bonus pays
-- refused_at is the number of the movement that is refused, and refusal why
CREATE FUNCTION {schema}.weigh_movements(
  of_operator text, of_player text, movements json, credits_real bigint, credits_bonus bigint,
  INOUT debits_real bigint, INOUT debits_bonus bigint, INOUT took bigint[],
  OUT currencies text[], OUT reals bigint[], OUT bonuses bigint[], OUT refused_at integer, OUT refusal text
) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
DECLARE
  highest CONSTANT bigint := 9007199254740991;
  move json;
  held record;
  is_blocked boolean;
  is_take boolean;
  takes integer := 0;
  at_account integer;
  from_real bigint;
  from_bonus bigint;
BEGIN
  FOR held IN SELECT a.currency, a.real, a.bonus, a.blocked FROM {schema}.accounts a
    WHERE a.operator_id = of_operator AND a.player_id = of_player
      AND a.currency = ANY (ARRAY(SELECT m.value ->> 1 FROM json_array_elements(movements) AS m))
    ORDER BY a.currency FOR NO KEY UPDATE
  LOOP
    currencies := currencies || held.currency;
    reals := reals || held.real;
    bonuses := bonuses || held.bonus;
    is_blocked := held.blocked;
  END LOOP;
  refused_at := 0;
  FOR move IN SELECT m.value FROM json_array_elements(movements) AS m LOOP
    refused_at := refused_at + 1;
    is_take := move ->> 0 = 'take';
    at_account := array_position(currencies, move ->> 1);
    IF at_account IS NULL THEN
      refusal := {schema}.missing_account(of_operator, of_player);
      RETURN;
    END IF;
    from_real := (move ->> 2)::bigint;
    from_bonus := (move ->> 3)::bigint;
    IF is_take AND is_blocked THEN
      refusal := 'blocked';
      RETURN;
    ELSIF is_take THEN
      takes := takes + 1;
      from_bonus := greatest(coalesce(bonuses[at_account], 0), 0);
      IF greatest(reals[at_account], 0) + from_bonus < from_real THEN
        refusal := 'tooLow';
        RETURN;
      ELSIF (move ->> 4)::boolean THEN
        from_bonus := least(from_bonus, from_real);
      ELSE
        from_bonus := from_real - least(greatest(reals[at_account], 0), from_real);
      END IF;
      from_real := from_real - from_bonus;
      debits_real := debits_real - from_bonus;
      debits_bonus := debits_bonus + from_bonus;
      took[2 * takes - 1] := from_real;
      took[2 * takes] := from_bonus;
      from_real := -from_real;
      from_bonus := -from_bonus;
    END IF;
    reals[at_account] := reals[at_account] + from_real;
    IF from_bonus <> 0 OR bonuses[at_account] IS NOT NULL THEN
      bonuses[at_account] := coalesce(bonuses[at_account], 0) + from_bonus;
    END IF;
    IF greatest(abs(reals[at_account]), abs(coalesce(bonuses[at_account], 0))) > highest THEN
      refusal := 'outOfRange';
      RETURN;
    END IF;
  END LOOP;
  IF greatest(abs(debits_real), abs(debits_bonus), abs(credits_real), abs(credits_bonus)) > highest THEN
    refusal := 'outOfRange';
  END IF;
END $$;

-- The commit. Where all movements are in one currency it is first tried with the money as a guard: if the account has
-- from `lowest` to `highest`, the real balance pays everything, and nothing has to be weighed. If it has not, or the round
-- is another, the long way finds out which.
--
-- debits_, credits_, took: as weigh_movements has them
-- movements: null where no money moves; in_currency: null where it is not tried
-- net: what all movements add to the real balance; takes: whether one is a take, bonus_first: whether the bonus pays
--   first for one
-- keep_ms: milliseconds to keep the round, null for ever
-- opening: what becomes first_records, or null; record_: records of the table, record_take the number of the take whose
--   split is the record's, or null
-- event: what the commit tells its consumers, or null where none is declared: then nothing is written for them. A commit with
--   one holds the player by one lock in place of all accounts, which would be rows to write
-- Lines: 'committed' with currency, real, bonus or null for each account after it; 'committed' alone where there is none
--        'stale'
--        'refused', number of the movement, reason
CREATE FUNCTION {schema}.commit_round(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_round text,
  expected_version bigint, next_version bigint,
  next_state text, next_resume text, next_changed_at bigint, next_currency text, next_game_code text,
  is_started boolean, next_credited bigint, next_ended bigint, next_declined text, next_unanswered bigint,
  debits_real bigint, debits_bonus bigint, credits_real bigint, credits_bonus bigint,
  keeps_pending boolean, next_pending text, needs_attention boolean, keep_ms bigint,
  movements text, in_currency text, net bigint, lowest bigint, highest bigint, takes boolean, bonus_first boolean,
  took bigint[], opening text, record_hash text[], record_kind text[], record_text text[], record_take integer[],
  event text DEFAULT NULL
) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
-- A plan made while a table was small would walk it when it is large.
SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  is_quick boolean := movements IS NULL OR in_currency IS NOT NULL;
  held_round bigint;
  weighed record;
  player_lock text;
  -- What begin_write does, as an assignment: a statement would cost more.
  lock_timeout CONSTANT text := set_config('lock_timeout', lock_timeout_ms::text, true);
BEGIN
  IF NOT accept_loss AND {schema}.loses_writes() THEN
    PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  END IF;
  -- One event of a player after the other, in the order of their ids, also where no money moves. The lock is that of hold_player.
  IF event IS NOT NULL THEN
    player_lock := pg_advisory_xact_lock(hashtextextended(of_player, hashtextextended(of_operator, 0)))::text;
  END IF;
  LOOP
    IF NOT is_quick THEN
      IF movements IS NOT NULL THEN
        SELECT * INTO weighed FROM {schema}.weigh_movements(of_operator, of_player, movements::json,
          commit_round.credits_real, commit_round.credits_bonus,
          commit_round.debits_real, commit_round.debits_bonus, commit_round.took);
        IF weighed.refusal IS NOT NULL THEN
          -- Another commit of this round may have taken the funds: then the change is stale, not refused.
          IF expected_version = coalesce((SELECT r.version FROM {schema}.rounds r
            WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round
              AND (r.expires_at IS NULL OR r.expires_at > statement_timestamp())), 0)
          THEN
            RETURN NEXT ARRAY['refused', weighed.refused_at::text, weighed.refusal];
          ELSE
            RETURN NEXT ARRAY['stale'];
          END IF;
          RETURN;
        END IF;
        debits_real := weighed.debits_real;
        debits_bonus := weighed.debits_bonus;
        took := weighed.took;
      END IF;
      WITH gone AS (
        DELETE FROM {schema}.rounds r
          WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round
            AND r.expires_at <= statement_timestamp() AND expected_version = 0
          RETURNING r.number
      )
      DELETE FROM {schema}.records USING gone
        WHERE operator_id = of_operator AND player_id = of_player AND round = gone.number;
    END IF;
    IF expected_version = 0 THEN
      WITH held AS (
        SELECT FROM {schema}.accounts a
          WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = in_currency
            AND a.real BETWEEN lowest AND highest AND NOT (takes AND a.blocked) AND NOT (bonus_first AND coalesce(a.bonus, 0) > 0)
          FOR NO KEY UPDATE
      )
      INSERT INTO {schema}.rounds (
        operator_id, player_id, game_round, number, version, state, resume, changed_at, currency, game_code,
        started, credited, ended, declined, unanswered, debits_real, debits_bonus, credits_real, credits_bonus,
        first_records, took, pending, attention, expires_at
      ) SELECT
        of_operator, of_player, of_round,
        -- Read once the account is held: a round that waited for it comes after those written meanwhile.
        greatest((extract(epoch FROM clock_timestamp()) * 1000000)::bigint, 1 + (
          SELECT l.number FROM {schema}.rounds l WHERE l.operator_id = of_operator AND l.player_id = of_player AND l.number > 0
          ORDER BY l.operator_id DESC, l.player_id DESC, l.number DESC LIMIT 1
        )), next_version, next_state, next_resume, next_changed_at, next_currency,
        next_game_code, is_started, next_credited, next_ended, next_declined, next_unanswered, commit_round.debits_real,
        commit_round.debits_bonus, commit_round.credits_real, commit_round.credits_bonus,
        opening, CASE WHEN opening IS NULL THEN NULL ELSE commit_round.took END, next_pending, needs_attention,
        statement_timestamp() + keep_ms * interval '1 millisecond'
      WHERE NOT is_quick OR movements IS NULL OR EXISTS (SELECT FROM held)
      ON CONFLICT DO NOTHING RETURNING number INTO held_round;
    ELSE
      WITH held AS (
        SELECT FROM {schema}.accounts a
          WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = in_currency
            AND a.real BETWEEN lowest AND highest AND NOT (takes AND a.blocked) AND NOT (bonus_first AND coalesce(a.bonus, 0) > 0)
          FOR NO KEY UPDATE
      )
      UPDATE {schema}.rounds r SET
        version = next_version, state = next_state, resume = next_resume, changed_at = next_changed_at,
        currency = next_currency, game_code = next_game_code,
        started = is_started, credited = next_credited, ended = next_ended, declined = next_declined,
        unanswered = next_unanswered,
        debits_real = commit_round.debits_real, debits_bonus = commit_round.debits_bonus,
        credits_real = commit_round.credits_real, credits_bonus = commit_round.credits_bonus,
        pending = CASE WHEN keeps_pending THEN r.pending ELSE next_pending END,
        attention = needs_attention, expires_at = statement_timestamp() + keep_ms * interval '1 millisecond'
      WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round
        AND r.version = expected_version AND (r.expires_at IS NULL OR r.expires_at > statement_timestamp())
        AND (NOT is_quick OR movements IS NULL OR EXISTS (SELECT FROM held))
      RETURNING r.number INTO held_round;
    END IF;
    EXIT WHEN held_round IS NOT NULL;
    IF NOT is_quick THEN
      RETURN NEXT ARRAY['stale'];
      RETURN;
    END IF;
    is_quick := false;
  END LOOP;

  IF record_hash IS NOT NULL THEN
    INSERT INTO {schema}.records (operator_id, player_id, round, hash, kind, record, real, bonus)
    SELECT of_operator, of_player, held_round, n.hash, n.kind, n.record,
      commit_round.took[2 * n.take - 1], commit_round.took[2 * n.take]
    FROM unnest(record_hash, record_kind, record_text, record_take) AS n (hash, kind, record, take)
    ON CONFLICT (operator_id, player_id, round, hash, kind) DO UPDATE SET
      record = excluded.record, real = excluded.real, bonus = excluded.bonus;
  END IF;
  IF is_quick AND movements IS NOT NULL THEN
    IF event IS NULL THEN
      RETURN QUERY WITH paid AS (
        UPDATE {schema}.accounts a SET real = a.real + net
          WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = in_currency
          RETURNING a.currency, a.real, a.bonus
      )
      SELECT ARRAY['committed', p.currency, p.real::text, p.bonus::text] FROM paid p
      UNION ALL
      SELECT ARRAY['committed', o.currency, o.real::text, o.bonus::text] FROM {schema}.accounts o
        WHERE o.operator_id = of_operator AND o.player_id = of_player AND o.currency <> in_currency;
      RETURN;
    END IF;
    RETURN QUERY WITH paid AS (
      UPDATE {schema}.accounts a SET real = a.real + net
        WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = in_currency
        RETURNING a.currency, a.real::text, a.bonus::text
    ), known AS (
      SELECT p.currency, p.real, p.bonus FROM paid p
      UNION ALL
      SELECT o.currency, o.real::text, o.bonus::text FROM {schema}.accounts o
        WHERE o.operator_id = of_operator AND o.player_id = of_player AND o.currency <> in_currency
    ), told AS (
      INSERT INTO {schema}.events (operator_id, player_id, game_round, version, event, took, accounts)
        SELECT of_operator, of_player, of_round, next_version, commit_round.event, commit_round.took,
          array_agg(ARRAY[k.currency, k.real, k.bonus])
        FROM known k
    )
    SELECT ARRAY['committed', k.currency, k.real, k.bonus] FROM known k;
    RETURN;
  END IF;
  IF movements IS NOT NULL THEN
    UPDATE {schema}.accounts a SET real = n.real, bonus = n.bonus
      FROM unnest(weighed.currencies, weighed.reals, weighed.bonuses) AS n (currency, real, bonus)
      WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = n.currency;
  END IF;
  RETURN QUERY SELECT ARRAY['committed', a.currency, a.real::text, a.bonus::text] FROM {schema}.accounts a
    WHERE a.operator_id = of_operator AND a.player_id = of_player;
  IF NOT FOUND THEN RETURN NEXT ARRAY['committed']; END IF;
  IF event IS NOT NULL THEN
    INSERT INTO {schema}.events (operator_id, player_id, game_round, version, event, took, accounts)
      SELECT of_operator, of_player, of_round, next_version, commit_round.event, commit_round.took,
        array_agg(ARRAY[a.currency, a.real::text, a.bonus::text])
      FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player;
  END IF;
END $$;
