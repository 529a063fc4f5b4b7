-- What a person looks at: rounds that need attention, and rounds that were opened long ago, each with its head and the
-- credits that were not accepted.

-- Rounds that are open, by when they became so. A commit that leaves a round open changes neither column.
CREATE INDEX rounds_open ON {schema}.rounds (operator_id, changed_at, player_id, game_round) WHERE state = 'open';

-- The records of credits of a round that were not accepted, as a JSON list of their texts; those of first_records are not
-- among them.
CREATE FUNCTION {schema}.refused_credits(of_id bigint) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT json_agg(t.record ORDER BY t.hash)::text FROM {schema}.records t
  WHERE t.round = of_id AND t.kind = 't' AND t.record LIKE '["c",%' AND t.record NOT LIKE '["c","accepted"%'
$$;

-- The operator's rounds that need attention, in order after a player and a round of theirs.
-- Lines: player, round, the line of the head, refused credits or null.
CREATE OR REPLACE FUNCTION {schema}.list_attention(of_operator text, after_player text, after_round text, at_most integer)
RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[r.player_id, r.game_round] || {schema}.head_line(r) || {schema}.refused_credits(r.id)
  FROM {schema}.rounds r
  WHERE r.attention AND r.operator_id = of_operator AND (r.player_id, r.game_round) > (after_player, after_round)
  ORDER BY r.player_id, r.game_round LIMIT at_most
$$;

-- The operator's rounds that are open since a moment or longer, the longest first, after one of them.
-- Lines: as those of list_attention.
CREATE FUNCTION {schema}.list_open(
  of_operator text, until bigint, after_changed_at bigint, after_player text, after_round text, at_most integer
) RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[r.player_id, r.game_round] || {schema}.head_line(r) || {schema}.refused_credits(r.id)
  FROM {schema}.rounds r
  WHERE r.state = 'open' AND r.operator_id = of_operator AND r.changed_at <= until
    AND (r.changed_at, r.player_id, r.game_round) > (after_changed_at, after_player, after_round)
  ORDER BY r.changed_at, r.player_id, r.game_round LIMIT at_most
$$;
