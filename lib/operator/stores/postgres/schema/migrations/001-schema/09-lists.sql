-- Lists of rounds: those that a person looks at, those with work left, and the history of a player.

-- The records of credits of a round that were not accepted, as a JSON list of their texts; those of first_records are not
-- among them.
CREATE FUNCTION {schema}.refused_credits(of_id bigint) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT json_agg(t.record ORDER BY t.hash)::text FROM {schema}.records t
  WHERE t.round = of_id AND t.kind = 't' AND t.record LIKE '["c",%' AND t.record NOT LIKE '["c","accepted"%'
$$;

-- The hashes of refused_credits, in its order.
CREATE FUNCTION {schema}.refused_hashes(of_id bigint) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT json_agg(t.hash ORDER BY t.hash)::text FROM {schema}.records t
  WHERE t.round = of_id AND t.kind = 't' AND t.record LIKE '["c",%' AND t.record NOT LIKE '["c","accepted"%'
$$;

-- The operator's rounds that need attention, in order after a player and a round of theirs.
-- Lines: player, round, the line of the head, refused credits or null, repairs or null, the hashes of refused credits or null.
CREATE FUNCTION {schema}.list_attention(of_operator text, after_player text, after_round text, at_most integer)
RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[r.player_id, r.game_round] || {schema}.head_line(r) || {schema}.refused_credits(r.id) || r.repairs
    || {schema}.refused_hashes(r.id)
  FROM {schema}.rounds r
  WHERE r.attention AND r.operator_id = of_operator AND (r.player_id, r.game_round) > (after_player, after_round)
  ORDER BY r.player_id, r.game_round LIMIT at_most
$$;

-- The operator's rounds that are open since a moment or longer, the longest first, after one of them.
-- Lines: player, round, the line of the head, refused credits or null.
CREATE FUNCTION {schema}.list_open(
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

-- The operator's rounds with something pending, in order after a player and a round of theirs.
-- Lines: player, round.
CREATE FUNCTION {schema}.list_unfinished(of_operator text, after_player text, after_round text, at_most integer)
RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[r.player_id, r.game_round] FROM {schema}.rounds r
  WHERE r.pending IS NOT NULL AND r.operator_id = of_operator
    AND (r.player_id, r.game_round) > (after_player, after_round)
  ORDER BY r.player_id, r.game_round LIMIT at_most
$$;

-- Line: 'store', the text that tells this store from others.
CREATE FUNCTION {schema}.history_store() RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $$
  SELECT ARRAY['store', s.value] FROM {schema}.settings s WHERE s.name = 'history'
$$;

-- A page of the operator's repairs, the latest proposal first, before one of them; before_at is null for the first page.
-- Lines: of history_store; then 'repair', proposed_at, player, round, id, version of the round, game_code, its repairs.
CREATE FUNCTION {schema}.list_repairs(
  of_operator text, before_at bigint, before_player text, before_round text, before_repair text, at_most integer
) RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT * FROM {schema}.history_store();
  RETURN QUERY SELECT ARRAY['repair', p.proposed_at::text, p.player_id, p.game_round, p.repair, r.version::text,
      r.game_code, r.repairs]
    FROM {schema}.repairs p
    JOIN {schema}.rounds r
      ON r.operator_id = p.operator_id AND r.player_id = p.player_id AND r.game_round = p.game_round
    WHERE p.operator_id = of_operator AND (p.proposed_at, p.player_id, p.game_round, p.repair)
      < (coalesce(before_at, 9223372036854775807), before_player, before_round, before_repair)
    ORDER BY p.operator_id DESC, p.proposed_at DESC, p.player_id DESC, p.game_round DESC, p.repair DESC LIMIT at_most;
END $$;

-- A round of a list as a line: 'round', id, round, times of its oldest and latest records in milliseconds since 1970 or null,
-- repairs or null, the line of the head. The times are those of the table records alone.
CREATE FUNCTION {schema}.history_line(r {schema}.rounds) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY['round', r.id::text, r.game_round, min(o.at)::text, max(o.at)::text, r.repairs] || {schema}.head_line(r)
  FROM (
    SELECT (t.record::json ->> CASE WHEN t.kind = 'v' THEN 1 ELSE 2 END)::bigint AS at
    FROM {schema}.records t WHERE t.round = r.id
  ) AS o
$$;

-- A page of a player's rounds, the newest first, before one of them; before_id is null for the newest page.
-- Lines: of history_store, then of history_line.
CREATE FUNCTION {schema}.list_rounds(of_operator text, of_player text, before_id bigint, at_most integer)
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

-- Whether something was recorded under a hash in a round, or is pending there. in_json: the hash as JSON.
CREATE FUNCTION {schema}.holds_hash(r {schema}.rounds, of_hash text, in_json text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM {schema}.records t WHERE t.round = r.id AND t.hash = of_hash)
    OR strpos(r.first_records, in_json) > 0
      AND EXISTS (SELECT FROM json_array_elements(r.first_records::json) AS f WHERE f.value ->> 0 = of_hash)
    OR strpos(r.pending, in_json) > 0
      AND EXISTS (SELECT FROM json_array_elements(r.pending::json -> 1) AS p WHERE p.value ->> 1 = of_hash)
$$;

-- Searches some of a player's rounds for a hash, the newest first, before one of them, and ends with the first that has it.
-- Lines: of history_store; 'searched', how many, id of the last; then of history_line where one was found.
CREATE FUNCTION {schema}.find_round(
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
