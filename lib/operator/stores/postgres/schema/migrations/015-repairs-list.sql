-- The repairs of an operator as a list, the latest proposal first.

-- A repair in the order of its proposal, by milliseconds since 1970; what became of it is in its round. Rounds with repairs
-- are kept for ever, so there is always one. It is filled without a lock: rounds are only read.
CREATE TABLE {schema}.repairs (
  operator_id text COLLATE "C" NOT NULL,
  proposed_at bigint NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  game_round text COLLATE "C" NOT NULL,
  repair text COLLATE "C" NOT NULL,
  PRIMARY KEY (operator_id, proposed_at, player_id, game_round, repair)
);

-- The repairs of the text of a round, each with its id and the time of its proposal.
CREATE FUNCTION {schema}.repairs_in(repairs text) RETURNS TABLE (repair text, proposed_at bigint) LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $$
  SELECT q.value ->> 0, (q.value ->> 12)::bigint FROM json_array_elements(repairs::json -> 1) AS q
$$;

INSERT INTO {schema}.repairs (operator_id, proposed_at, player_id, game_round, repair)
  SELECT r.operator_id, p.proposed_at, r.player_id, r.game_round, p.repair
  FROM {schema}.rounds r CROSS JOIN LATERAL {schema}.repairs_in(r.repairs) AS p
  WHERE r.repairs IS NOT NULL;

-- As before, and lists the repairs.
CREATE OR REPLACE FUNCTION {schema}.commit_repairs(
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
    INSERT INTO {schema}.repairs AS listed (operator_id, proposed_at, player_id, game_round, repair)
      SELECT of_operator, p.proposed_at, of_player, of_round, p.repair FROM {schema}.repairs_in(next_repairs) AS p
      ON CONFLICT DO NOTHING;
  END IF;
END $$;

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
