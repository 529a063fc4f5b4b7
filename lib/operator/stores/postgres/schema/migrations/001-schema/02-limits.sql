-- Limits of players, and how commits and deposits count for them. Whoever holds accounts and limits takes the accounts first, in
-- the order of their currencies.

-- The limits of players (D13): a row for what is counted of one kind in one currency.
-- kind: 1 stake, 2 loss, 3 deposit; counts: 0 for the real balance, 1 for real and bonus
-- since: when the row was made, in milliseconds since 1970: it has not counted what moved until then. 0 where what moved before was
--   read; below zero while what is used may be too much, until end_reading
-- numbers, used, most: for the day, the week and the month the number of the window, what is used in it, and the limit, -1 for
--   none
CREATE TABLE {schema}.limits (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  kind smallint NOT NULL,
  currency text COLLATE "C" NOT NULL,
  zone text COLLATE "C" NOT NULL,
  counts smallint NOT NULL,
  since bigint NOT NULL,
  numbers bigint[] NOT NULL,
  used bigint[] NOT NULL,
  most bigint[] NOT NULL,
  PRIMARY KEY (operator_id, player_id, kind, currency)
) WITH (fillfactor = 70);

-- When limits were set and lifted: by whom and why. Rows are added, never changed or deleted.
-- number, actor_id, actor_name, reason: as of blocks; terms: kind, currency, window, zone, what counts, units or "-"
CREATE TABLE {schema}.limit_changes (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  terms text COLLATE "C" NOT NULL,
  actor_id text,
  actor_name text,
  reason text,
  PRIMARY KEY (operator_id, player_id, number)
);
CREATE INDEX limit_changes_acts ON {schema}.limit_changes (operator_id, changed_at, player_id, number) WHERE actor_id IS NOT NULL;

-- Holds the limits of a player, whose accounts are held as far as the caller moves them, or all of them; moves their windows on to a moment, and counts what voids take back; writes nothing.
-- moment: JSON, now: milliseconds since 1970; zones: of each zone the numbers of its day, week and month; back: of each
--   [currency, real and bonus of debits, real and bonus of credits, {of each zone the numbers of when it moved},
--   when it moved]
-- counted: null where the player has none; missing: zones that the moment lacks, with spaces between, else null
CREATE FUNCTION {schema}.begin_limits(
  of_operator text, of_player text, moment json, OUT counted {schema}.limits[], OUT missing text
) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
DECLARE
  held {schema}.limits;
  running bigint[];
  sums numeric[];
BEGIN
  FOR held IN SELECT l.* FROM {schema}.limits l
    WHERE l.operator_id = of_operator AND l.player_id = of_player ORDER BY l.kind, l.currency FOR NO KEY UPDATE
  LOOP
    running := translate((moment -> 'zones' -> held.zone)::text, '[]', '{}')::bigint[];
    IF running IS NULL THEN
      missing := concat_ws(' ', missing, held.zone);
      CONTINUE;
    END IF;
    IF running <> held.numbers THEN
      FOR at IN 1..3 LOOP
        IF held.numbers[at] < running[at] THEN
          held.numbers[at] := running[at];
          held.used[at] := 0;
        END IF;
      END LOOP;
    END IF;
    -- In one statement: a round may have very many calls.
    IF held.kind < 3 AND json_array_length(moment -> 'back') > 0 THEN
      SELECT ARRAY[
          sum(b.units) FILTER (WHERE (b.numbers ->> 0)::bigint = held.numbers[1]),
          sum(b.units) FILTER (WHERE (b.numbers ->> 1)::bigint = held.numbers[2]),
          sum(b.units) FILTER (WHERE (b.numbers ->> 2)::bigint = held.numbers[3])
        ] INTO sums
        FROM (
          SELECT e.value -> 5 -> held.zone AS numbers,
            CASE held.kind WHEN 2 THEN (e.value ->> 3)::bigint + held.counts * (e.value ->> 4)::bigint ELSE 0 END
              - (e.value ->> 1)::bigint - held.counts * (e.value ->> 2)::bigint AS units
          FROM json_array_elements(moment -> 'back') AS e
          WHERE e.value ->> 0 = held.currency AND (e.value ->> 6)::bigint > held.since
        ) AS b;
      FOR at IN 1..3 LOOP
        held.used[at] := least(greatest(held.used[at] + coalesce(sums[at], 0), -9007199254740991), 9007199254740991);
      END LOOP;
    END IF;
    counted := counted || held;
  END LOOP;
END $$;

-- Adds units to what is used in three windows, which stays within what a number of the other stores is exact for.
CREATE FUNCTION {schema}.add_units(used bigint[], units bigint) RETURNS bigint[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[
    least(greatest(used[1] + units, -9007199254740991), 9007199254740991),
    least(greatest(used[2] + units, -9007199254740991), 9007199254740991),
    least(greatest(used[3] + units, -9007199254740991), 9007199254740991)]
$$;

-- Whether one of three windows has a limit and is over it.
CREATE FUNCTION {schema}.are_over(used bigint[], most bigint[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT most[1] >= 0 AND used[1] > most[1] OR most[2] >= 0 AND used[2] > most[2] OR most[3] >= 0 AND used[3] > most[3]
$$;

-- Counts real and bonus units for the limits of these kinds: of a take, below zero of a give, of a deposit.
-- exceeded: whether one of them is exceeded. Its callers set the search path: to set it again would cost more than to count.
CREATE FUNCTION {schema}.count_limits(
  INOUT counted {schema}.limits[], kinds smallint[], of_currency text, real_units bigint, bonus_units bigint,
  OUT exceeded boolean
) LANGUAGE plpgsql AS $$
DECLARE
  held {schema}.limits;
BEGIN
  exceeded := false;
  FOR place IN 1..coalesce(array_length(counted, 1), 0) LOOP
    held := counted[place];
    CONTINUE WHEN held.currency <> of_currency OR NOT held.kind = ANY (kinds);
    held.used := {schema}.add_units(held.used, real_units + held.counts * bonus_units);
    exceeded := exceeded OR {schema}.are_over(held.used, held.most);
    counted[place] := held;
  END LOOP;
END $$;

-- Counts all movements of a commit in one currency at once, where the real balance pays them and nothing is reversed: what
-- takes take, takes less gives, and the most that this is after any of the takes. An exceeded limit is one that a take might
-- exceed: weigh_movements finds out.
CREATE FUNCTION {schema}.count_call(
  INOUT counted {schema}.limits[], of_currency text, takes boolean, stake bigint, loss bigint, most_loss bigint, OUT exceeded boolean
) LANGUAGE plpgsql AS $$
DECLARE
  held {schema}.limits;
BEGIN
  exceeded := false;
  FOR place IN 1..coalesce(array_length(counted, 1), 0) LOOP
    held := counted[place];
    CONTINUE WHEN held.currency <> of_currency OR held.kind = 3;
    exceeded := exceeded OR takes AND {schema}.are_over({schema}.add_units(held.used, CASE held.kind WHEN 1 THEN stake ELSE most_loss END), held.most);
    held.used := {schema}.add_units(held.used, CASE held.kind WHEN 1 THEN stake ELSE loss END);
    counted[place] := held;
  END LOOP;
END $$;

-- Writes what was counted. A function in plain SQL would be planned for each call.
CREATE FUNCTION {schema}.write_limits(of_operator text, of_player text, counted {schema}.limits[])
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
BEGIN
  UPDATE {schema}.limits l SET numbers = n.numbers, used = n.used FROM unnest(counted) AS n
    WHERE l.operator_id = of_operator AND l.player_id = of_player AND l.kind = n.kind AND l.currency = n.currency
      AND (l.numbers, l.used) IS DISTINCT FROM (n.numbers, n.used);
END $$;

-- Sets the limits of a player to what was made of those that were read, and records it unless it repeats the latest record. They
-- count for every debit from when it is answered on, as record_block has it.
-- terms_read: limit_terms as they were read
-- groups: of each group a line: currency, zone, kind, what counts, the three limits, the numbers of three windows, since when it
--   counts, and what is used in each window that was read, '-' for any other, in which a group that is known keeps its counter
-- of_terms: of the change, as in limit_changes; event: as open_account has it
-- seen_rounds, seen_versions: rounds that were read, and their versions; newest_round: the number of the newest, null where
--   rounds do not matter; latest_cash: the reference of the latest cash that was read, null where cash does not matter
-- Lines: 'done'; 'stale', and nothing was written, where the player has other limits by now. Where something was read, in place of
--   'done' what has changed since: 'past', units added to what is used in the windows that were read, as much as it can count;
--   'round', its name, for each that is newer or has another version, and the lines of read_round; newer deposits as list_cash
--   has them
CREATE FUNCTION {schema}.set_limit(
  accept_loss boolean, lock_timeout_ms integer, of_operator text, of_player text, terms_read text, groups text, of_terms text,
  of_actor text, of_actor_name text, of_reason text, event text DEFAULT NULL,
  seen_rounds text[] DEFAULT '{}', seen_versions bigint[] DEFAULT '{}', newest_round bigint DEFAULT NULL, latest_cash text DEFAULT NULL
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
DECLARE
  last {schema}.limit_changes;
  words text[];
  read_used text[];
  first_used bigint[];
  changed text[];
  read_cash_at timestamptz;
  real_units bigint := 0;
  bonus_units bigint := 0;
  bound bigint := 0;
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  PERFORM {schema}.hold_player(of_operator, of_player);
  PERFORM FROM {schema}.accounts WHERE operator_id = of_operator AND player_id = of_player
    ORDER BY currency FOR NO KEY UPDATE;
  -- The accounts are held, so no money moves from here on. No window goes back, and a counter kept beside one that is read is exact.
  IF {schema}.limit_terms(of_operator, of_player) <> terms_read OR EXISTS (
    SELECT FROM string_to_table(groups, E'\n') AS line, string_to_array(line, ' ') AS word, generate_series(1, 3) AS w, {schema}.limits l
    WHERE l.operator_id = of_operator AND l.player_id = of_player AND CASE word[11 + w]
      WHEN '-' THEN l.most[w] >= 0 AND l.since <> 0 AND word[12:14] <> '{-,-,-}' ELSE l.numbers[w] > word[7 + w]::bigint END AND (l.currency, l.zone, l.kind, l.counts) = (word[1], word[2], word[3]::smallint, word[4]::smallint)
  ) THEN
    RETURN NEXT ARRAY['stale'];
    RETURN;
  END IF;
  IF newest_round IS NOT NULL THEN
    SELECT array_agg(c.game_round), coalesce(sum(r.debits_real), 0), coalesce(sum(r.debits_bonus), 0)
      INTO changed, real_units, bonus_units
      FROM (
        SELECT n.game_round FROM {schema}.rounds n
          WHERE n.operator_id = of_operator AND n.player_id = of_player AND n.number > 0 AND n.number > newest_round
        UNION
        SELECT s.game_round FROM unnest(seen_rounds, seen_versions) AS s (game_round, version)
          LEFT JOIN {schema}.rounds o
            ON o.operator_id = of_operator AND o.player_id = of_player AND o.game_round = s.game_round
          WHERE o.version IS DISTINCT FROM s.version
      ) AS c
      LEFT JOIN {schema}.rounds r
        ON r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = c.game_round;
  ELSIF latest_cash IS NOT NULL THEN
    read_cash_at := (SELECT c.moved_at FROM {schema}.cash c
      WHERE c.operator_id = of_operator AND c.player_id = of_player AND c.reference = latest_cash);
    SELECT coalesce(sum(c.units) FILTER (WHERE c.balance = 'real'), 0), coalesce(sum(c.units) FILTER (WHERE c.balance = 'bonus'), 0)
      INTO real_units, bonus_units
      FROM {schema}.cash c WHERE c.operator_id = of_operator AND c.player_id = of_player AND c.kind = 'deposit'
        AND (c.moved_at, c.reference) > (coalesce(read_cash_at, '-infinity'), latest_cash);
  END IF;
  DELETE FROM {schema}.limits l WHERE l.operator_id = of_operator AND l.player_id = of_player
    AND NOT EXISTS (
      SELECT FROM string_to_table(groups, E'\n') AS line
      WHERE line LIKE concat_ws(' ', l.currency, replace(l.zone, '_', '\_'), l.kind, l.counts) || ' %'
    );
  FOR words IN SELECT string_to_array(line, ' ') FROM string_to_table(groups, E'\n') AS line WHERE line <> '' LOOP
    read_used := ARRAY(SELECT coalesce(words[11 + w], '-') FROM generate_series(1, 3) AS w ORDER BY w);
    IF read_used <> '{-,-,-}' THEN bound := real_units + words[4]::bigint * bonus_units; END IF;
    first_used := ARRAY(SELECT CASE WHEN u.used = '-' THEN 0 ELSE least(u.used::numeric + bound, 9007199254740991)::bigint END
      FROM unnest(read_used) WITH ORDINALITY AS u (used, w) ORDER BY u.w);
    INSERT INTO {schema}.limits AS l (operator_id, player_id, currency, zone, kind, counts, most, numbers, used, since)
      VALUES (of_operator, of_player, words[1], words[2], words[3]::smallint, words[4]::smallint,
        words[5:7]::bigint[], words[8:10]::bigint[],
        first_used, words[11]::bigint)
      ON CONFLICT (operator_id, player_id, kind, currency) DO UPDATE SET most = excluded.most,
        numbers = ARRAY(SELECT CASE WHEN read_used[w] = '-' THEN l.numbers[w] ELSE excluded.numbers[w] END
          FROM generate_series(1, 3) AS w ORDER BY w),
        used = ARRAY(SELECT CASE WHEN read_used[w] = '-' THEN l.used[w] ELSE excluded.used[w] END
          FROM generate_series(1, 3) AS w ORDER BY w),
        since = CASE WHEN read_used = '{-,-,-}' THEN l.since ELSE excluded.since END;
  END LOOP;
  UPDATE {schema}.accounts SET limited = groups <> '' OR blocked_until IS NOT NULL
    WHERE operator_id = of_operator AND player_id = of_player;
  SELECT * INTO last FROM {schema}.limit_changes c
    WHERE c.operator_id = of_operator AND c.player_id = of_player ORDER BY c.number DESC LIMIT 1;
  IF NOT FOUND OR (last.terms, last.actor_id, last.actor_name, last.reason)
    IS DISTINCT FROM (of_terms, of_actor, of_actor_name, of_reason) THEN
    INSERT INTO {schema}.limit_changes (operator_id, player_id, number, terms, actor_id, actor_name, reason)
      VALUES (of_operator, of_player, coalesce(last.number, 0) + 1, of_terms, of_actor, of_actor_name, of_reason);
    IF event IS NOT NULL THEN
      PERFORM {schema}.tell_act(of_operator, of_player, coalesce(last.number, 0) + 1, event);
    END IF;
  END IF;
  IF newest_round IS NULL AND latest_cash IS NULL THEN
    RETURN NEXT ARRAY['done'];
    RETURN;
  END IF;
  RETURN NEXT ARRAY['past', bound::text];
  RETURN QUERY SELECT line.* FROM unnest(changed) AS c (game_round), LATERAL (
      SELECT ARRAY['round', c.game_round] UNION ALL SELECT * FROM {schema}.read_round(of_operator, of_player, c.game_round)
    ) AS line;
  RETURN QUERY SELECT ARRAY['cash', c.reference, c.kind, c.units::text, c.currency, c.balance,
      (extract(epoch FROM c.moved_at) * 1000000)::bigint::text]
    FROM {schema}.cash c WHERE c.operator_id = of_operator AND c.player_id = of_player AND c.kind = 'deposit'
      AND latest_cash IS NOT NULL AND (c.moved_at, c.reference) > (coalesce(read_cash_at, '-infinity'), latest_cash);
END $$;

-- Ends a reading of what moved before a limit: the windows that it read, and that still run, count what they are to count. Does
-- nothing where the row counts since another time: a later reading has begun, or the limit was lifted. Holds no accounts: it takes
-- this row alone.
-- reading: since when the row counts until then; at_numbers: of the three windows, 0 for one that was not read; more: units to add
CREATE FUNCTION {schema}.end_reading(
  accept_loss boolean, lock_timeout_ms integer, of_operator text, of_player text, of_kind smallint, of_currency text, reading bigint,
  at_numbers bigint[], more bigint[]
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  UPDATE {schema}.limits l SET since = 0, used = ARRAY(
      SELECT l.used[w] + CASE WHEN l.numbers[w] = at_numbers[w] THEN more[w] ELSE 0 END FROM generate_series(1, 3) AS w ORDER BY w)
    WHERE l.operator_id = of_operator AND l.player_id = of_player AND l.kind = of_kind AND l.currency = of_currency AND l.since = reading;
  RETURN NEXT ARRAY['done'];
END $$;

-- The terms of a player's limits, a line each: currency, zone, kind, what counts, and the limits; empty without any.
CREATE FUNCTION {schema}.limit_terms(of_operator text, of_player text) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $$
  SELECT coalesce(string_agg(
    concat_ws(' ', l.currency, l.zone, l.kind, l.counts, l.most[1], l.most[2], l.most[3]), E'\n' ORDER BY l.kind, l.currency), '')
  FROM {schema}.limits l WHERE l.operator_id = of_operator AND l.player_id = of_player
$$;

-- The limits of a player, as of one moment; the latest changes, the newest first.
-- Lines: 'account', currency; 'group', currency, zone, kind, what counts, since when, and of three windows number, used and limit, with
--   spaces between; 'change', terms, microseconds since 1970, actor, name, reason. None where the player is not known.
CREATE FUNCTION {schema}.read_limits(of_operator text, of_player text, at_most integer)
RETURNS SETOF text[] LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
  SELECT ARRAY['account', a.currency, NULL, NULL, NULL, NULL]
    FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player
  UNION ALL
  (SELECT ARRAY['group', concat_ws(' ', l.currency, l.zone, l.kind, l.counts, l.since, l.numbers[1], l.used[1], l.most[1],
      l.numbers[2], l.used[2], l.most[2], l.numbers[3], l.used[3], l.most[3]), NULL, NULL, NULL, NULL]
    FROM {schema}.limits l WHERE l.operator_id = of_operator AND l.player_id = of_player ORDER BY l.kind, l.currency)
  UNION ALL
  (SELECT ARRAY['change', c.terms, (extract(epoch FROM c.changed_at) * 1000000)::bigint::text,
      c.actor_id, c.actor_name, c.reason]
    FROM {schema}.limit_changes c WHERE c.operator_id = of_operator AND c.player_id = of_player
    ORDER BY c.number DESC LIMIT at_most)
$$;
