-- Functions that read rounds, each as of one moment, and that forget those whose retention is over (D10). A round that
-- has expired is not seen, whether it was deleted already or not; the clock is the database's.

-- The head of a round as a line: 'head', version, state, resume, changed_at, currency, game_code, started, credited,
-- ended, declined, unanswered, debits_real, debits_bonus, credits_real, credits_bonus, pending, first_records, took.
CREATE FUNCTION {schema}.head_line(r {schema}.rounds) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY['head', r.version::text, r.state, r.resume, r.changed_at::text, r.currency, r.game_code,
    r.started::text, r.credited::text, r.ended::text, r.declined, r.unanswered::text,
    r.debits_real::text, r.debits_bonus::text, r.credits_real::text, r.credits_bonus::text, r.pending,
    r.first_records, r.took::text]
$$;

-- 'record', hash, kind, record, real, bonus.
CREATE FUNCTION {schema}.record_line(t {schema}.records) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY['record', t.hash, t.kind, t.record, t.real::text, t.bonus::text]
$$;

-- The head of a round, the records of these hashes alone, and the player's accounts.
-- Lines: of head, record and account; no head where nothing is known of the round.
CREATE FUNCTION {schema}.load_round(of_operator text, of_player text, of_round text, hashes text[])
RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  head {schema}.rounds;
BEGIN
  SELECT * INTO head FROM {schema}.rounds r
    WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round
      AND (r.expires_at IS NULL OR r.expires_at > statement_timestamp());
  IF FOUND THEN
    RETURN NEXT {schema}.head_line(head);
    -- OFFSET 0 makes it one look-up for each hash: a plan that walks the round would be the cheaper one while rounds are
    -- short, and stay.
    RETURN QUERY SELECT {schema}.record_line(t) FROM unnest(hashes) AS wanted (hash), LATERAL (
      SELECT * FROM {schema}.records r WHERE r.round = head.id AND r.hash = wanted.hash OFFSET 0
    ) AS t;
  END IF;
  RETURN QUERY SELECT * FROM {schema}.read_accounts(of_operator, of_player);
END $$;

-- A round whole. Lines: of head and record; none where nothing is known of it.
CREATE FUNCTION {schema}.read_round(of_operator text, of_player text, of_round text)
RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  head {schema}.rounds;
BEGIN
  SELECT * INTO head FROM {schema}.rounds r
    WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round
      AND (r.expires_at IS NULL OR r.expires_at > statement_timestamp());
  IF NOT FOUND THEN RETURN; END IF;
  RETURN NEXT {schema}.head_line(head);
  RETURN QUERY SELECT {schema}.record_line(t) FROM {schema}.records t WHERE t.round = head.id;
END $$;

-- The operator's rounds that need attention, in order after a player and a round of theirs.
-- Lines: player, round, state.
CREATE FUNCTION {schema}.list_attention(of_operator text, after_player text, after_round text, at_most integer)
RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[r.player_id, r.game_round, r.state] FROM {schema}.rounds r
  WHERE r.attention AND r.operator_id = of_operator AND (r.player_id, r.game_round) > (after_player, after_round)
  ORDER BY r.player_id, r.game_round LIMIT at_most
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

-- Deletes some of the rounds that have expired. A round that another has in hand is left for the next time.
-- Line: how many.
CREATE FUNCTION {schema}.forget_rounds(at_most integer)
RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  moment CONSTANT timestamptz := clock_timestamp();
  forgotten bigint[];
BEGIN
  WITH expired AS (
    SELECT r.ctid FROM {schema}.rounds r WHERE r.expires_at <= moment
    ORDER BY r.expires_at LIMIT at_most FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM {schema}.rounds r WHERE r.ctid = ANY (ARRAY(SELECT expired.ctid FROM expired)) RETURNING r.id
  )
  SELECT coalesce(array_agg(gone.id), '{}') INTO forgotten FROM gone;
  DELETE FROM {schema}.records t WHERE t.round = ANY (forgotten);
  RETURN NEXT ARRAY[cardinality(forgotten)::text];
END $$;
