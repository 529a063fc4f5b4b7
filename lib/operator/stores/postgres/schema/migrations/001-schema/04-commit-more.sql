-- Commits that write more than commit_round: the repairs of a round, the balances after it.

-- The repairs of the text of a round, each with its id and the time of its proposal.
CREATE FUNCTION {schema}.repairs_in(repairs text) RETURNS TABLE (repair text, proposed_at bigint) LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $$
  SELECT q.value ->> 0, (q.value ->> 12)::bigint FROM json_array_elements(repairs::json -> 1) AS q
$$;

-- A commit that writes the repairs of a round too, and lists them; any other leaves them as they are. All else as
-- commit_round has it.
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
    INSERT INTO {schema}.repairs AS listed (operator_id, proposed_at, player_id, game_round, repair)
      SELECT of_operator, p.proposed_at, of_player, of_round, p.repair FROM {schema}.repairs_in(next_repairs) AS p
      ON CONFLICT DO NOTHING;
  END IF;
END $$;

-- A commit that keeps the balances after it. All else as commit_round has it, or as commit_repairs where next_repairs is not
-- null.
-- line_at, line_order, line_net: at, lines and net of balances
-- held: the accounts, where a ledger has them; null where they are those of this store. A player without any keeps nothing
CREATE FUNCTION {schema}.commit_balances(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_round text,
  expected_version bigint, next_version bigint,
  next_state text, next_resume text, next_changed_at bigint, next_currency text, next_game_code text,
  is_started boolean, next_credited bigint, next_ended bigint, next_declined text, next_unanswered bigint,
  debits_real bigint, debits_bonus bigint, credits_real bigint, credits_bonus bigint,
  keeps_pending boolean, next_pending text, needs_attention boolean, keep_ms bigint,
  movements text, in_currency text, net bigint, lowest bigint, highest bigint, takes boolean, bonus_first boolean,
  took bigint[], opening text, record_hash text[], record_kind text[], record_text text[], record_take integer[],
  event text, next_repairs text, line_at bigint, line_order text, line_net bigint, held text
) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  line text[];
  told text[] := held::text[];
BEGIN
  IF next_repairs IS NULL THEN
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
    )
    LOOP
      IF held IS NULL AND line[2] IS NOT NULL THEN
        told := told || ARRAY[[line[2], line[3], line[4]]];
      END IF;
      RETURN NEXT line;
    END LOOP;
  ELSE
    FOR line IN SELECT * FROM {schema}.commit_repairs(
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
      record_text => record_text, record_take => record_take, event => event,
      next_repairs => next_repairs
    )
    LOOP
      IF held IS NULL AND line[2] IS NOT NULL THEN
        told := told || ARRAY[[line[2], line[3], line[4]]];
      END IF;
      RETURN NEXT line;
    END LOOP;
  END IF;
  IF line[1] = 'committed' AND told IS NOT NULL THEN
    INSERT INTO {schema}.balances (operator_id, player_id, round, version, at, lines, net, accounts)
      SELECT of_operator, of_player, r.number, next_version, line_at, line_order, line_net, told FROM {schema}.rounds r
      WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round;
  END IF;
END $$;
