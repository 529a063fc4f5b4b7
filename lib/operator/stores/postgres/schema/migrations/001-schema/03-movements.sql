-- What functions that write call, and the movements of a commit.

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

-- The version of a round; 0 where it is not there.
CREATE FUNCTION {schema}.version_of(of_operator text, of_player text, of_round text) RETURNS bigint LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
BEGIN
  RETURN coalesce((SELECT r.version FROM {schema}.rounds r
    WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round
      AND (r.expires_at IS NULL OR r.expires_at > statement_timestamp())), 0);
END $$;

-- Holds the accounts that movements name, and works out what they come to; writes nothing.
-- movements: JSON, each [kind, currency, real, bonus, bonus first]
--   take: real units in all, bonus first tells which balance pays first; refused where funds are too low
--   give, reverse: units to each balance
-- took: what each take takes, real and bonus in turn, and debits_: what debits took in all, both as if the real balance
--   paid everything; corrected where the bonus pays
-- moment: as begin_limits has it, for a player with limits; null else
-- refused_at is the number of the movement that is refused, and refusal why; 'limits' where the moment is missing, or lacks
--   the zones in missing
CREATE FUNCTION {schema}.weigh_movements(
  of_operator text, of_player text, movements json, credits_real bigint, credits_bonus bigint,
  INOUT debits_real bigint, INOUT debits_bonus bigint, INOUT took bigint[], moment json,
  OUT counted {schema}.limits[], OUT missing text,
  OUT currencies text[], OUT reals bigint[], OUT bonuses bigint[], OUT refused_at integer, OUT refusal text
) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
DECLARE
  highest CONSTANT bigint := 9007199254740991;
  move json;
  held record;
  is_blocked boolean;
  is_limited boolean;
  sums record;
  is_take boolean;
  takes integer := 0;
  at_account integer;
  from_real bigint;
  from_bonus bigint;
BEGIN
  FOR held IN SELECT a.currency, a.real, a.bonus, a.blocked, a.blocked_until, a.limited FROM {schema}.accounts a
    WHERE a.operator_id = of_operator AND a.player_id = of_player
      AND a.currency = ANY (ARRAY(SELECT m.value ->> 1 FROM json_array_elements(movements) AS m))
    ORDER BY a.currency FOR NO KEY UPDATE
  LOOP
    currencies := currencies || held.currency;
    reals := reals || held.real;
    bonuses := bonuses || held.bonus;
    is_blocked := held.blocked AND (held.blocked_until IS NULL OR (moment ->> 'now')::bigint < held.blocked_until);
    is_limited := held.limited;
  END LOOP;
  refused_at := 0;
  IF is_limited THEN
    sums := {schema}.begin_limits(of_operator, of_player, moment);
    counted := sums.counted;
    missing := sums.missing;
    IF moment IS NULL OR missing IS NOT NULL THEN
      refusal := 'limits';
      RETURN;
    END IF;
  END IF;
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
      IF counted IS NOT NULL THEN
        sums := {schema}.count_limits(counted, '{1,2}', move ->> 1, from_real, from_bonus);
        counted := sums.counted;
        IF sums.exceeded THEN
          refusal := 'limitReached';
          RETURN;
        END IF;
      END IF;
      from_real := -from_real;
      from_bonus := -from_bonus;
    ELSIF move ->> 0 = 'give' AND counted IS NOT NULL THEN
      sums := {schema}.count_limits(counted, '{2}', move ->> 1, -from_real, -from_bonus);
      counted := sums.counted;
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
