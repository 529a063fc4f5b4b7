-- A round is found by its key alone. A plan that was made while the table was small, or by statistics of a moment with few open
-- rounds, took one of two other indexes instead: rounds_by_player, and so walked all rounds of the player, or rounds_open, and so
-- walked all open rounds of the operator. An index with a condition is used only where a query states it too: `id > 0`, which
-- holds for every round, is stated by the queries that these two are for.

DROP INDEX {schema}.rounds_by_player;
CREATE INDEX rounds_by_player ON {schema}.rounds (operator_id, player_id, id) WHERE id > 0;

DROP INDEX {schema}.rounds_open;
CREATE INDEX rounds_open ON {schema}.rounds (operator_id, changed_at, player_id, game_round) WHERE state = 'open' AND id > 0;

-- As before.
CREATE OR REPLACE FUNCTION {schema}.list_open(
  of_operator text, until bigint, after_changed_at bigint, after_player text, after_round text, at_most integer
) RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[r.player_id, r.game_round] || {schema}.head_line(r) || {schema}.refused_credits(r.id)
  FROM {schema}.rounds r
  WHERE r.state = 'open' AND r.id > 0 AND r.operator_id = of_operator AND r.changed_at <= until
    AND (r.changed_at, r.player_id, r.game_round) > (after_changed_at, after_player, after_round)
  ORDER BY r.changed_at, r.player_id, r.game_round LIMIT at_most
$$;

-- As before.
CREATE OR REPLACE FUNCTION {schema}.list_rounds(of_operator text, of_player text, before_id bigint, at_most integer)
RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT * FROM {schema}.history_store();
  RETURN QUERY SELECT {schema}.history_line(r) FROM {schema}.rounds r
    WHERE r.operator_id = of_operator AND r.player_id = of_player
      AND r.id > 0 AND r.id < coalesce(before_id, 9223372036854775807)
      AND (r.expires_at IS NULL OR r.expires_at > statement_timestamp())
    ORDER BY r.operator_id DESC, r.player_id DESC, r.id DESC LIMIT at_most;
END $$;

-- As before.
CREATE OR REPLACE FUNCTION {schema}.find_round(
  of_operator text, of_player text, of_hash text, in_json text, before_id bigint, at_most integer
) RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  found {schema}.rounds;
  searched integer := 0;
BEGIN
  RETURN QUERY SELECT * FROM {schema}.history_store();
  FOR found IN SELECT * FROM {schema}.rounds r
    WHERE r.operator_id = of_operator AND r.player_id = of_player
      AND r.id > 0 AND r.id < coalesce(before_id, 9223372036854775807)
      AND (r.expires_at IS NULL OR r.expires_at > statement_timestamp())
    ORDER BY r.operator_id DESC, r.player_id DESC, r.id DESC LIMIT at_most
  LOOP
    searched := searched + 1;
    IF {schema}.holds_hash(found, of_hash, in_json) THEN
      RETURN NEXT ARRAY['searched', searched::text, found.id::text];
      RETURN NEXT {schema}.history_line(found);
      RETURN;
    END IF;
  END LOOP;
  RETURN NEXT ARRAY['searched', searched::text, found.id::text];
END $$;
