-- Lists of rounds: those that a person looks at, those with work left, and the history of a player.

-- The credits of a round that were not accepted: a list of [hash, record], null without any. Those of first_records are not
-- among them.
CREATE FUNCTION {schema}.refused_credits(of_operator text, of_player text, of_number bigint) RETURNS json LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT json_agg(json_build_array(t.hash, t.record::json) ORDER BY t.hash) FROM {schema}.records t
  WHERE t.operator_id = of_operator AND t.player_id = of_player AND t.round = of_number AND t.kind = 't'
    AND t.record LIKE '["c",%' AND t.record NOT LIKE '["c","accepted"%'
$$;

-- What lists have of a round: [player, round, version, state, changed_at, currency, game_code, declined, debits and credits as
-- texts, repairs, first_records if they hold a credit, refused_credits].
CREATE VIEW {schema}.listed_rounds AS
  SELECT r.operator_id, r.player_id, r.game_round, r.number, r.state, r.changed_at, r.attention, json_build_array(
    r.player_id, r.game_round, r.version, r.state, r.changed_at, r.currency, r.game_code, r.declined,
    r.debits_real::text, r.debits_bonus::text, r.credits_real::text, r.credits_bonus::text, r.repairs,
    CASE WHEN strpos(r.first_records, ',"c","') > 0 THEN r.first_records::json END,
    {schema}.refused_credits(r.operator_id, r.player_id, r.number)
  ) AS listed
  FROM {schema}.rounds r;

-- The operator's rounds that need attention, in order after a player and a round of theirs.
-- Line: of each what listed_rounds has, as JSON with newlines between; null without any.
CREATE FUNCTION {schema}.list_attention(of_operator text, after_player text, after_round text, at_most integer)
RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[string_agg(page.listed::text, E'\n')] FROM (
    SELECT r.listed FROM {schema}.listed_rounds r
    WHERE r.attention AND r.operator_id = of_operator AND (r.player_id, r.game_round) > (after_player, after_round)
    ORDER BY r.player_id, r.game_round LIMIT at_most
  ) AS page
$$;

-- The operator's rounds that are open since a moment or longer, the longest first, after one of them.
-- Line: as that of list_attention.
CREATE FUNCTION {schema}.list_open(
  of_operator text, until bigint, after_changed_at bigint, after_player text, after_round text, at_most integer
) RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[string_agg(page.listed::text, E'\n')] FROM (
    SELECT r.listed FROM {schema}.listed_rounds r
    WHERE r.state = 'open' AND r.number > 0 AND r.operator_id = of_operator AND r.changed_at <= until
      AND (r.changed_at, r.player_id, r.game_round) > (after_changed_at, after_player, after_round)
    ORDER BY r.changed_at, r.player_id, r.game_round LIMIT at_most
  ) AS page
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

-- The rounds of lists, each with its line: 'round', number, round, times of its oldest and latest records in milliseconds since
-- 1970 or null, repairs or null, the line of the head. The times are those of the table records alone.
CREATE VIEW {schema}.history_lines AS
  SELECT h.operator_id, h.player_id, h.number, h.expires_at, ARRAY['round', h.number::text, h.game_round] || (
    SELECT ARRAY[min(o.at)::text, max(o.at)::text] FROM (
      SELECT (t.record::json ->> CASE WHEN t.kind = 'v' THEN 1 ELSE 2 END)::bigint AS at FROM {schema}.records t
      WHERE t.operator_id = h.operator_id AND t.player_id = h.player_id AND t.round = h.number
    ) AS o
  ) || h.repairs || h.line AS line
  FROM {schema}.heads h;

-- A page of a player's rounds, the newest first, before one of them by its number; before_id is null for the newest page.
-- Lines: of history_store, then of history_lines.
CREATE FUNCTION {schema}.list_rounds(of_operator text, of_player text, before_id bigint, at_most integer)
RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT * FROM {schema}.history_store();
  RETURN QUERY SELECT h.line FROM {schema}.history_lines h
    WHERE h.operator_id = of_operator AND h.player_id = of_player
      AND h.number > 0 AND h.number < coalesce(before_id, 9223372036854775807)
      AND (h.expires_at IS NULL OR h.expires_at > statement_timestamp())
    ORDER BY h.operator_id DESC, h.player_id DESC, h.number DESC LIMIT at_most;
END $$;

-- Searches some of a player's rounds for a hash, the newest first, before one of them, and ends with the first in which
-- something was recorded under the hash, or is pending.
-- in_json: the hash as JSON
-- Lines: of history_store; 'searched', how many, number of the last; then of history_lines where one was found.
CREATE FUNCTION {schema}.find_round(
  of_operator text, of_player text, of_hash text, in_json text, before_id bigint, at_most integer
) RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  seen record;
  searched integer := 0;
  last bigint;
BEGIN
  RETURN QUERY SELECT * FROM {schema}.history_store();
  FOR seen IN SELECT r.number, r.first_records, r.pending FROM {schema}.rounds r
    WHERE r.operator_id = of_operator AND r.player_id = of_player
      AND r.number > 0 AND r.number < coalesce(before_id, 9223372036854775807)
      AND (r.expires_at IS NULL OR r.expires_at > statement_timestamp())
    ORDER BY r.operator_id DESC, r.player_id DESC, r.number DESC LIMIT at_most
  LOOP
    searched := searched + 1;
    last := seen.number;
    IF EXISTS (
        SELECT FROM {schema}.records t
        WHERE t.operator_id = of_operator AND t.player_id = of_player AND t.round = last AND t.hash = of_hash
      )
      OR strpos(seen.first_records, in_json) > 0
        AND EXISTS (SELECT FROM json_array_elements(seen.first_records::json) AS f WHERE f.value ->> 0 = of_hash)
      OR strpos(seen.pending, in_json) > 0
        AND EXISTS (SELECT FROM json_array_elements(seen.pending::json -> 1) AS p WHERE p.value ->> 1 = of_hash)
    THEN
      RETURN NEXT ARRAY['searched', searched::text, last::text];
      RETURN QUERY SELECT h.line FROM {schema}.history_lines h
        WHERE h.operator_id = of_operator AND h.player_id = of_player AND h.number > 0 AND h.number = last;
      RETURN;
    END IF;
  END LOOP;
  RETURN NEXT ARRAY['searched', searched::text, last::text];
END $$;
