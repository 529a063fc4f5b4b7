-- Functions that read a player or a round, each as of one moment. A round that has expired is not seen, whether it was
-- deleted already or not; the clock is the database's.

-- Lines: 'account', currency, real, bonus or null; none where the player is not known.
CREATE FUNCTION {schema}.read_accounts(of_operator text, of_player text)
RETURNS SETOF text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY['account', a.currency, a.real::text, a.bonus::text]
  FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player
$$;

-- A player with the block, as of one moment.
-- Lines: 'true' where the player is blocked, else 'false', currency, real, bonus or null; none where the player is not known.
CREATE FUNCTION {schema}.read_player(of_operator text, of_player text)
RETURNS SETOF text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY[a.blocked::text, a.currency, a.real::text, a.bonus::text]
  FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player
$$;

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
-- Lines: of head, 'repairs' with their text where the round has any, record and account; no head where nothing is known of
--   the round.
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
    IF head.repairs IS NOT NULL THEN RETURN NEXT ARRAY['repairs', head.repairs]; END IF;
    -- OFFSET 0 makes it one look-up for each hash: a plan that walks the round would be the cheaper one while rounds are
    -- short, and stay.
    RETURN QUERY SELECT {schema}.record_line(t) FROM unnest(hashes) AS wanted (hash), LATERAL (
      SELECT * FROM {schema}.records r WHERE r.round = head.id AND r.hash = wanted.hash OFFSET 0
    ) AS t;
  END IF;
  RETURN QUERY SELECT * FROM {schema}.read_accounts(of_operator, of_player);
END $$;

-- What a call that is taken to open its round finds where the round is known: read in the statement of the commit that was
-- stale. Volatile, so that it sees what the commit waited for.
-- opening, record_hash: as commit_round has them; the hashes are those of the records
-- Answer: the lines of load_round as JSON, each a list; null where there are none
CREATE FUNCTION {schema}.load_opened(of_operator text, of_player text, of_round text, opening text, record_hash text[])
RETURNS text LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  hashes CONSTANT text[] := coalesce(record_hash, ARRAY(SELECT f.value ->> 0 FROM json_array_elements(opening::json) AS f));
BEGIN
  RETURN (SELECT json_agg(line) FROM {schema}.load_round(of_operator, of_player, of_round, hashes) AS line);
END $$;

-- A round whole. Lines: of head, repairs and record, as load_round has them; 'balance', version, at, lines, net or null,
-- currency, real, bonus or null of an account; none where nothing is known of it.
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
  IF head.repairs IS NOT NULL THEN RETURN NEXT ARRAY['repairs', head.repairs]; END IF;
  RETURN QUERY SELECT {schema}.record_line(t) FROM {schema}.records t WHERE t.round = head.id;
  RETURN QUERY SELECT ARRAY['balance', b.version::text, b.at::text, b.lines, b.net::text,
      b.accounts[n][1], b.accounts[n][2], b.accounts[n][3]]
    FROM {schema}.balances b CROSS JOIN LATERAL generate_subscripts(b.accounts, 1) AS n
    WHERE b.round = head.id ORDER BY b.version, n;
END $$;
