-- What people proposed and did to a round: JSON that the store's code describes; null for almost every round.
ALTER TABLE {schema}.rounds ADD COLUMN repairs text;

-- As before, and a line for the repairs of a round that has any: 'repairs', text.
CREATE OR REPLACE FUNCTION {schema}.load_round(of_operator text, of_player text, of_round text, hashes text[])
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
    IF head.repairs IS NOT NULL THEN RETURN NEXT ARRAY['repairs', head.repairs]; END IF;
    -- OFFSET 0 makes it one look-up for each hash: a plan that walks the round would be the cheaper one while rounds are
    -- short, and stay.
    RETURN QUERY SELECT {schema}.record_line(t) FROM unnest(hashes) AS wanted (hash), LATERAL (
      SELECT * FROM {schema}.records r WHERE r.round = head.id AND r.hash = wanted.hash OFFSET 0
    ) AS t;
  END IF;
  RETURN QUERY SELECT * FROM {schema}.read_accounts(of_operator, of_player);
END $$;

CREATE OR REPLACE FUNCTION {schema}.read_round(of_operator text, of_player text, of_round text)
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
  IF head.repairs IS NOT NULL THEN RETURN NEXT ARRAY['repairs', head.repairs]; END IF;
  RETURN QUERY SELECT {schema}.record_line(t) FROM {schema}.records t WHERE t.round = head.id;
END $$;

-- Lines: player, round, the line of the head, refused credits or null, repairs or null.
CREATE OR REPLACE FUNCTION {schema}.list_attention(of_operator text, after_player text, after_round text, at_most integer)
RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[r.player_id, r.game_round] || {schema}.head_line(r) || {schema}.refused_credits(r.id) || r.repairs
  FROM {schema}.rounds r
  WHERE r.attention AND r.operator_id = of_operator AND (r.player_id, r.game_round) > (after_player, after_round)
  ORDER BY r.player_id, r.game_round LIMIT at_most
$$;

-- A commit that writes the repairs of a round too; any other leaves them as they are. All else as commit_round has it.
-- next_repairs: the text of the repairs
CREATE FUNCTION {schema}.commit_repairs(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_round text,
  expected_version bigint, next_version bigint,
  next_state text, next_resume text, next_changed_at bigint, next_currency text, next_game_code text,
  is_started boolean, next_credited bigint, next_ended bigint, next_declined text, next_unanswered bigint,
  debits_real bigint, debits_bonus bigint, credits_real bigint, credits_bonus bigint,
  keeps_pending boolean, next_pending text, needs_attention boolean, keep_ms bigint,
  movements text, in_currency text, net bigint, lowest bigint, highest bigint, takes boolean, bonus_first boolean,
  took bigint[], opening text, record_hash text[], record_kind text[], record_text text[], record_take integer[],
  event text, next_repairs text
) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  line text[];
BEGIN
  FOR line IN SELECT * FROM {schema}.commit_round(
    accept_loss => accept_loss, lock_timeout_ms => lock_timeout_ms,
    of_operator => of_operator, of_player => of_player, of_round => of_round,
    expected_version => expected_version, next_version => next_version,
    next_state => next_state, next_resume => next_resume, next_changed_at => next_changed_at,
    next_currency => next_currency, next_game_code => next_game_code, is_started => is_started,
    next_credited => next_credited, next_ended => next_ended, next_declined => next_declined,
    next_unanswered => next_unanswered, debits_real => debits_real, debits_bonus => debits_bonus,
    credits_real => credits_real, credits_bonus => credits_bonus,
    keeps_pending => keeps_pending, next_pending => next_pending, needs_attention => needs_attention,
    keep_ms => keep_ms, movements => movements, in_currency => in_currency, net => net,
    lowest => lowest, highest => highest, takes => takes, bonus_first => bonus_first, took => took,
    opening => opening, record_hash => record_hash, record_kind => record_kind,
    record_text => record_text, record_take => record_take, event => event
  ) LOOP
    RETURN NEXT line;
  END LOOP;
  IF line[1] = 'committed' THEN
    UPDATE {schema}.rounds r SET repairs = next_repairs
      WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round;
  END IF;
END $$;
