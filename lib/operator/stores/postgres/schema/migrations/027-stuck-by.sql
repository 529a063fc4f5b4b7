-- The credit that stranded or crashed a round is found by its hash: it stands in `declined` of the round, behind a `#`, which no
-- hash has. A program that does not know that would decline credits because of it, so none of an earlier schema may serve.

-- The hashes of refused_credits, in its order.
CREATE FUNCTION {schema}.refused_hashes(of_id bigint) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT json_agg(t.hash ORDER BY t.hash)::text FROM {schema}.records t
  WHERE t.round = of_id AND t.kind = 't' AND t.record LIKE '["c",%' AND t.record NOT LIKE '["c","accepted"%'
$$;

-- Lines: player, round, the line of the head, refused credits or null, repairs or null, the hashes of refused credits or null.
CREATE OR REPLACE FUNCTION {schema}.list_attention(of_operator text, after_player text, after_round text, at_most integer)
RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[r.player_id, r.game_round] || {schema}.head_line(r) || {schema}.refused_credits(r.id) || r.repairs
    || {schema}.refused_hashes(r.id)
  FROM {schema}.rounds r
  WHERE r.attention AND r.operator_id = of_operator AND (r.player_id, r.game_round) > (after_player, after_round)
  ORDER BY r.player_id, r.game_round LIMIT at_most
$$;
