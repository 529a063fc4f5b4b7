-- Functions of the totals: sums by quarter of an hour, kept by a consumer of the events.

-- Notable rounds by their kind (the names of the port), and when each began: milliseconds since 1970.
CREATE TABLE {schema}.totals_notable (
  operator_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  began_at bigint NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  game_round text COLLATE "C" NOT NULL,
  PRIMARY KEY (operator_id, kind, began_at, player_id, game_round)
);

-- Acknowledges a page as advance_events does, and adds to the totals what its events change: both or nothing.
-- since: kept unless there is one
-- sums: of each row quarter, time, game, currency, and the sums in the order of the table
-- rounds: of each player, round, what is kept, and when it expires or null
-- gaps: of each quarter, kind, player, round
-- notable: of each kind, when it began, player, round; those that began before keep_from are deleted
-- is_lookup: whether the id of a round alone finds it
-- Line: as advance_events.
CREATE FUNCTION {schema}.add_totals(
  accept_loss boolean, lock_timeout_ms integer, of_operator text, of_consumer text,
  at_step bigint, to_place text, is_last boolean, since bigint, sums jsonb, rounds jsonb, gaps jsonb, now_ms bigint,
  notable jsonb, keep_from bigint, is_lookup boolean
) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  answer text[];
BEGIN
  SELECT a INTO answer FROM {schema}.advance_events(
    accept_loss, lock_timeout_ms, of_operator, of_consumer, at_step, to_place, is_last) AS a;
  RETURN NEXT answer;
  IF answer[1] <> 'done' THEN RETURN; END IF;
  INSERT INTO {schema}.totals_since (operator_id, since) VALUES (of_operator, add_totals.since) ON CONFLICT DO NOTHING;
  INSERT INTO {schema}.totals AS t (
      operator_id, quarter, counted_by, game, currency,
      games, free_plays, bet, win, voided_games, voided_free_plays, voided_bet, voided_win, back_games,
      back_free_plays, back_bet, back_win, repaired, cash_in, cash_out, corrected)
    SELECT of_operator, (s.row ->> 0)::bigint, s.row ->> 1, s.row ->> 2, s.row ->> 3,
      (s.row ->> 4)::numeric, (s.row ->> 5)::numeric, (s.row ->> 6)::numeric, (s.row ->> 7)::numeric,
      (s.row ->> 8)::numeric, (s.row ->> 9)::numeric, (s.row ->> 10)::numeric, (s.row ->> 11)::numeric,
      (s.row ->> 12)::numeric, (s.row ->> 13)::numeric, (s.row ->> 14)::numeric, (s.row ->> 15)::numeric,
      (s.row ->> 16)::numeric, (s.row ->> 17)::numeric, (s.row ->> 18)::numeric, (s.row ->> 19)::numeric
    FROM jsonb_array_elements(sums) AS s (row)
    ON CONFLICT (operator_id, quarter, counted_by, game, currency) DO UPDATE SET
      games = t.games + excluded.games, free_plays = t.free_plays + excluded.free_plays,
      bet = t.bet + excluded.bet, win = t.win + excluded.win,
      voided_games = t.voided_games + excluded.voided_games,
      voided_free_plays = t.voided_free_plays + excluded.voided_free_plays,
      voided_bet = t.voided_bet + excluded.voided_bet, voided_win = t.voided_win + excluded.voided_win,
      back_games = t.back_games + excluded.back_games,
      back_free_plays = t.back_free_plays + excluded.back_free_plays, back_bet = t.back_bet + excluded.back_bet,
      back_win = t.back_win + excluded.back_win, repaired = t.repaired + excluded.repaired,
      cash_in = t.cash_in + excluded.cash_in, cash_out = t.cash_out + excluded.cash_out,
      corrected = t.corrected + excluded.corrected;
  INSERT INTO {schema}.totals_rounds AS t (operator_id, player_id, game_round, kept, expires_at, is_found)
    SELECT of_operator, r.row ->> 0, r.row ->> 1, r.row ->> 2, (r.row ->> 3)::bigint, is_lookup
    FROM jsonb_array_elements(rounds) AS r (row)
    ON CONFLICT (operator_id, player_id, game_round) DO UPDATE SET
      kept = excluded.kept, expires_at = excluded.expires_at, is_found = t.is_found OR excluded.is_found;
  INSERT INTO {schema}.totals_gaps (operator_id, quarter, kind, player_id, game_round)
    SELECT of_operator, (g.row ->> 0)::bigint, g.row ->> 1, g.row ->> 2, g.row ->> 3 FROM jsonb_array_elements(gaps) AS g (row)
    ON CONFLICT DO NOTHING;
  INSERT INTO {schema}.totals_notable (operator_id, kind, began_at, player_id, game_round)
    SELECT of_operator, n.row ->> 0, (n.row ->> 1)::bigint, n.row ->> 2, n.row ->> 3 FROM jsonb_array_elements(notable) AS n (row)
    ON CONFLICT DO NOTHING;
  DELETE FROM {schema}.totals_notable d WHERE d.ctid = ANY (ARRAY(
    SELECT t.ctid FROM jsonb_array_elements(notable) AS n (row)
    CROSS JOIN LATERAL (SELECT o.ctid FROM {schema}.totals_notable o
      WHERE o.operator_id = of_operator AND o.kind = n.row ->> 0 AND o.began_at < keep_from LIMIT 1000) t));
  -- More than a page brings: so what is expired does not grow.
  DELETE FROM {schema}.totals_rounds d WHERE d.ctid = ANY (ARRAY(
    SELECT t.ctid FROM {schema}.totals_rounds t WHERE t.operator_id = of_operator AND t.expires_at < now_ms LIMIT 2000));
END $$;

-- What the totals keep of rounds.
-- Lines: player, round, what is kept; none for a round of which nothing is.
CREATE FUNCTION {schema}.read_totals_rounds(of_operator text, players text[], rounds text[])
RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[t.player_id, t.game_round, t.kept]
  FROM unnest(players, rounds) AS a (player, round)
  JOIN {schema}.totals_rounds t ON t.operator_id = of_operator AND t.player_id = a.player AND t.game_round = a.round
$$;

-- The notable rounds of a kind that began from one time to before another and are before a place, the last first.
-- Lines: when it began, player, round
CREATE FUNCTION {schema}.list_notable(
  of_operator text, of_kind text, from_ms bigint, to_ms bigint, before_at bigint, before_player text, before_round text,
  at_most integer
) RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[t.began_at::text, t.player_id, t.game_round] FROM {schema}.totals_notable t
  WHERE t.operator_id = of_operator AND t.kind = of_kind AND t.began_at >= from_ms AND t.began_at < to_ms
    AND (before_at IS NULL OR (t.began_at, t.player_id, t.game_round) < (before_at, before_player, before_round))
  ORDER BY t.began_at DESC, t.player_id DESC, t.game_round DESC LIMIT at_most
$$;

-- The players of a round's id.
CREATE FUNCTION {schema}.find_players(of_operator text, of_round text, at_most integer)
RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[t.player_id] FROM {schema}.totals_rounds t
  WHERE t.operator_id = of_operator AND t.game_round = of_round AND t.is_found ORDER BY t.player_id LIMIT at_most
$$;

-- The totals of the quarters from one to before another.
-- Lines: 'since', milliseconds since 1970, where there are totals; 'gap', quarter, kind, player, round;
--        'row', quarter, time, game, currency, and the sums in the order of the table
CREATE FUNCTION {schema}.read_totals(of_operator text, from_quarter bigint, to_quarter bigint)
RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY['since', t.since::text] FROM {schema}.totals_since t WHERE t.operator_id = of_operator
  UNION ALL
  SELECT ARRAY['gap', t.quarter::text, t.kind, t.player_id, t.game_round] FROM {schema}.totals_gaps t
    WHERE t.operator_id = of_operator AND t.quarter >= from_quarter AND t.quarter < to_quarter
  UNION ALL
  SELECT ARRAY['row', t.quarter::text, t.counted_by, t.game, t.currency,
      t.games::text, t.free_plays::text, t.bet::text, t.win::text, t.voided_games::text,
      t.voided_free_plays::text, t.voided_bet::text, t.voided_win::text, t.back_games::text,
      t.back_free_plays::text, t.back_bet::text, t.back_win::text, t.repaired::text, t.cash_in::text,
      t.cash_out::text, t.corrected::text]
    FROM {schema}.totals t WHERE t.operator_id = of_operator AND t.quarter >= from_quarter AND t.quarter < to_quarter
$$;

-- The totals between bounds, added up without what counts by its end.
-- Lines: as those of read_totals. Instead of rows, 'part' is of a bound to before the next one and all games, with the bound as
--        its quarter; and 'game' is of a game and all bounds
CREATE FUNCTION {schema}.sum_totals(of_operator text, bounds bigint[]) RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY['since', t.since::text] FROM {schema}.totals_since t WHERE t.operator_id = of_operator
  UNION ALL
  SELECT ARRAY['gap', t.quarter::text, t.kind, t.player_id, t.game_round] FROM {schema}.totals_gaps t
    WHERE t.operator_id = of_operator AND t.quarter >= bounds[1] AND t.quarter < bounds[cardinality(bounds)]
  UNION ALL
  SELECT ARRAY[CASE grouping(t.game) WHEN 1 THEN 'part' ELSE 'game' END,
      coalesce(bounds[width_bucket(t.quarter, bounds)], bounds[1])::text, t.counted_by, coalesce(t.game, ''), t.currency,
      sum(t.games)::text, sum(t.free_plays)::text, sum(t.bet)::text, sum(t.win)::text, sum(t.voided_games)::text,
      sum(t.voided_free_plays)::text, sum(t.voided_bet)::text, sum(t.voided_win)::text, sum(t.back_games)::text,
      sum(t.back_free_plays)::text, sum(t.back_bet)::text, sum(t.back_win)::text, sum(t.repaired)::text,
      sum(t.cash_in)::text, sum(t.cash_out)::text, sum(t.corrected)::text]
    FROM {schema}.totals t
    WHERE t.operator_id = of_operator AND t.quarter >= bounds[1] AND t.quarter < bounds[cardinality(bounds)]
      AND t.counted_by <> 'end'
    GROUP BY GROUPING SETS (
      (width_bucket(t.quarter, bounds), t.counted_by, t.currency), (t.game, t.counted_by, t.currency))
$$;
