-- Functions that read a player or a round, each as of one moment. A round that has expired is not seen, whether it was
-- deleted already or not; the clock is the database's.

-- Lines: 'account', currency, real, bonus or null; none where the player is not known.
CREATE FUNCTION {schema}.read_accounts(of_operator text, of_player text)
RETURNS SETOF text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY['account', a.currency, a.real::text, a.bonus::text]
  FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player
$$;

-- A player with the block, as of one moment.
-- Lines: 'true' where the player is blocked, else 'false', when the block ends or null, currency, real, bonus or null; none where the player is not known.
CREATE FUNCTION {schema}.read_player(of_operator text, of_player text)
RETURNS SETOF text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY[a.blocked::text, a.blocked_until::text, a.currency, a.real::text, a.bonus::text]
  FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player
$$;

-- The heads of rounds, each with its line: 'head', version, state, resume, changed_at, currency, game_code, started, credited,
-- ended, declined, unanswered, debits_real, debits_bonus, credits_real, credits_bonus, pending, first_records, took.
CREATE VIEW {schema}.heads AS
  SELECT r.operator_id, r.player_id, r.game_round, r.number, r.state, r.changed_at, r.pending, r.attention, r.expires_at, r.repairs,
    ARRAY['head', r.version::text, r.state, r.resume, r.changed_at::text, r.currency, r.game_code,
      r.started::text, r.credited::text, r.ended::text, r.declined, r.unanswered::text,
      r.debits_real::text, r.debits_bonus::text, r.credits_real::text, r.credits_bonus::text, r.pending,
      r.first_records, r.took::text] AS line
  FROM {schema}.rounds r;

-- The head of a round, the records of these hashes alone, and the player's accounts.
-- Lines: of head, 'repairs' with their text where the round has any; 'record', hash, kind, record, real, bonus; of account. No
--   head where nothing is known of the round.
CREATE FUNCTION {schema}.load_round(of_operator text, of_player text, of_round text, hashes text[])
RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  head record;
BEGIN
  SELECT h.number, h.line, h.repairs INTO head FROM {schema}.heads h
    WHERE h.operator_id = of_operator AND h.player_id = of_player AND h.game_round = of_round
      AND (h.expires_at IS NULL OR h.expires_at > statement_timestamp());
  IF FOUND THEN
    RETURN NEXT head.line;
    IF head.repairs IS NOT NULL THEN RETURN NEXT ARRAY['repairs', head.repairs]; END IF;
    -- OFFSET 0 makes it one look-up for each hash: a plan that walks the round would be the cheaper one while rounds are
    -- short, and stay.
    RETURN QUERY SELECT ARRAY['record', t.hash, t.kind, t.record, t.real::text, t.bonus::text]
      FROM unnest(hashes) AS wanted (hash), LATERAL (
        SELECT * FROM {schema}.records r
        WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.round = head.number AND r.hash = wanted.hash OFFSET 0
      ) AS t;
  END IF;
  RETURN QUERY SELECT * FROM {schema}.read_accounts(of_operator, of_player);
END $$;

-- What a call that is taken to open its round finds where the round is known: read in the statement of the commit that was
-- stale. Volatile, so that it sees what the commit waited for.
-- opening, record_hash: as commit_round has them; the hashes are those of the records
-- is_own: whether the money is in tables of the platform's own (07-own-money.sql)
-- Answer: the lines of load_round or load_own as JSON, each a list; null where there are none
CREATE FUNCTION {schema}.load_opened(
  of_operator text, of_player text, of_round text, opening text, record_hash text[], is_own boolean
) RETURNS text LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  hashes CONSTANT text[] := coalesce(record_hash, ARRAY(SELECT f.value ->> 0 FROM json_array_elements(opening::json) AS f));
BEGIN
  IF is_own THEN
    RETURN (SELECT json_agg(line) FROM {schema}.load_own(of_operator, of_player, of_round, hashes) AS line);
  END IF;
  RETURN (SELECT json_agg(line) FROM {schema}.load_round(of_operator, of_player, of_round, hashes) AS line);
END $$;

-- A round whole. Lines: of head, repairs and record, as load_round has them; 'balance', version, at, lines, net or null,
-- currency, real, bonus or null of an account; none where nothing is known of it.
CREATE FUNCTION {schema}.read_round(of_operator text, of_player text, of_round text)
RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  head record;
BEGIN
  SELECT h.number, h.line, h.repairs INTO head FROM {schema}.heads h
    WHERE h.operator_id = of_operator AND h.player_id = of_player AND h.game_round = of_round
      AND (h.expires_at IS NULL OR h.expires_at > statement_timestamp());
  IF NOT FOUND THEN RETURN; END IF;
  RETURN NEXT head.line;
  IF head.repairs IS NOT NULL THEN RETURN NEXT ARRAY['repairs', head.repairs]; END IF;
  RETURN QUERY SELECT ARRAY['record', t.hash, t.kind, t.record, t.real::text, t.bonus::text] FROM {schema}.records t
    WHERE t.operator_id = of_operator AND t.player_id = of_player AND t.round = head.number;
  RETURN QUERY SELECT ARRAY['balance', b.version::text, b.at::text, b.lines, b.net::text,
      b.accounts[n][1], b.accounts[n][2], b.accounts[n][3]]
    FROM {schema}.balances b CROSS JOIN LATERAL generate_subscripts(b.accounts, 1) AS n
    WHERE b.operator_id = of_operator AND b.player_id = of_player AND b.round = head.number ORDER BY b.version, n;
END $$;
