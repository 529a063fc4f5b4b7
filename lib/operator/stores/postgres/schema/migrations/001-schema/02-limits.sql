-- Limits of players, and how commits and deposits count for them. Whoever holds accounts and limits takes the accounts first, in
-- the order of their currencies.

-- The limits of players (D13): a row for what is counted of one kind in one currency.
-- kind: 1 stake, 2 loss, 3 deposit; counts: 0 for the real balance, 1 for real and bonus
-- since: when the row was made, in milliseconds since 1970: it has not counted what moved until then
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
  at_window bigint;
  sums numeric[];
BEGIN
  FOR held IN SELECT l.* FROM {schema}.limits l
    WHERE l.operator_id = of_operator AND l.player_id = of_player ORDER BY l.kind, l.currency FOR NO KEY UPDATE
  LOOP
    IF moment -> 'zones' -> held.zone IS NULL THEN
      missing := concat_ws(' ', missing, held.zone);
      CONTINUE;
    END IF;
    FOR at IN 1..3 LOOP
      at_window := (moment -> 'zones' -> held.zone ->> (at - 1))::bigint;
      IF held.numbers[at] < at_window THEN
        held.numbers[at] := at_window;
        held.used[at] := 0;
      END IF;
    END LOOP;
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

-- Counts real and bonus units for the limits of these kinds: of a take, below zero of a give, of a deposit.
-- exceeded: whether one of them is exceeded
CREATE FUNCTION {schema}.count_limits(
  INOUT counted {schema}.limits[], kinds smallint[], of_currency text, real_units bigint, bonus_units bigint,
  OUT exceeded boolean
) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  held {schema}.limits;
BEGIN
  exceeded := false;
  FOR place IN 1..coalesce(array_length(counted, 1), 0) LOOP
    held := counted[place];
    CONTINUE WHEN held.currency <> of_currency OR NOT held.kind = ANY (kinds);
    FOR at IN 1..3 LOOP
      held.used[at] := least(greatest(held.used[at] + real_units + held.counts * bonus_units, -9007199254740991), 9007199254740991);
      exceeded := exceeded OR (held.most[at] >= 0 AND held.used[at] > held.most[at]);
    END LOOP;
    counted[place] := held;
  END LOOP;
END $$;

-- Writes what was counted. A function in plain SQL would be planned for each call.
CREATE FUNCTION {schema}.write_limits(of_operator text, of_player text, counted {schema}.limits[])
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
BEGIN
  UPDATE {schema}.limits l SET numbers = n.numbers, used = n.used FROM unnest(counted) AS n
    WHERE l.operator_id = of_operator AND l.player_id = of_player AND l.kind = n.kind AND l.currency = n.currency;
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
