-- A call on a running round in one statement: what it adds to the round is written if the round is as the call takes it to
-- be; if it is not, nothing is written, and the statement answers what load_round does.

-- The head of a round that a follow-up call may be added to: open, started, nothing declined, unanswered, pending or repaired,
-- in the call's currency and game, and without a record of its hashes. All null if the round is another. Nothing is held here:
-- the commit must be guarded by the version.
-- in_json: the hashes as JSON
CREATE FUNCTION {schema}.head_to_follow(
  of_operator text, of_player text, of_round text, of_currency text, of_game_code text,
  hashes text[], in_json text[]
) RETURNS {schema}.rounds LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  head {schema}.rounds;
BEGIN
  SELECT * INTO head FROM {schema}.rounds r
    WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round
      AND (r.expires_at IS NULL OR r.expires_at > statement_timestamp())
      AND r.state = 'open' AND r.started AND r.declined IS NULL AND r.unanswered = 0 AND r.pending IS NULL
      AND r.repairs IS NULL AND r.currency = of_currency AND r.game_code = of_game_code;
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- One look-up for each hash, as in load_round.
  PERFORM FROM unnest(hashes) AS wanted (hash), LATERAL (
    SELECT FROM {schema}.records t
    WHERE t.operator_id = of_operator AND t.player_id = of_player AND t.round = head.number AND t.hash = wanted.hash OFFSET 0
  ) AS known;
  IF FOUND THEN RETURN NULL; END IF;
  IF head.first_records IS NOT NULL
    AND EXISTS (SELECT FROM unnest(in_json) AS wanted (hash) WHERE strpos(head.first_records, wanted.hash) > 0)
    AND EXISTS (SELECT FROM json_array_elements(head.first_records::json) AS f WHERE f.value ->> 0 = ANY (hashes))
  THEN
    RETURN NULL;
  END IF;
  RETURN head;
END $$;

-- Adds a follow-up call to a round. Where the account is as commit_round first takes it to be, it is written by its own
-- statements here, which cost less than a commit inside; else, or with the balances after it, by the commit.
--
-- hashes, in_json, of_currency, of_game_code: as head_to_follow has them
-- next_state: 'open', or 'closed'; next_changed_at: when it was closed, null where it stays open
-- more_: what is added to the head; more_debits as if the real balance paid everything
-- all else as commit_round has it
-- Lines: those of commit_round where it is committed, or asks for the moment; else nothing was written, and they are those of load_round.
CREATE FUNCTION {schema}.follow_round(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_round text, hashes text[], in_json text[], of_currency text, of_game_code text,
  next_state text, next_changed_at bigint, more_credited bigint, more_ended bigint,
  more_debits bigint, more_credits_real bigint, more_credits_bonus bigint, keep_ms bigint,
  movements text, in_currency text, net bigint, lowest bigint, highest bigint, takes boolean, bonus_first boolean,
  took bigint[], record_hash text[], record_kind text[], record_text text[], record_take integer[],
  event text, line_at bigint, line_order text, line_net bigint, moment json DEFAULT NULL
) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  head {schema}.rounds;
  line text[];
  held_round bigint;
  held_version bigint;
  player_lock text;
  -- What begin_write does, as an assignment: a statement would cost more.
  lock_timeout CONSTANT text := set_config('lock_timeout', lock_timeout_ms::text, true);
BEGIN
  IF line_at IS NULL AND in_currency IS NOT NULL AND moment IS NULL THEN
    IF NOT accept_loss AND {schema}.loses_writes() THEN
      PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
    END IF;
    IF event IS NOT NULL THEN -- as commit_round has it
      player_lock := pg_advisory_xact_lock(hashtextextended(of_player, hashtextextended(of_operator, 0)))::text;
    END IF;
    -- The round and its records are read before any wait: the version tells whether they are still the same.
    WITH seen AS (
      SELECT s.version FROM {schema}.rounds s
      WHERE s.operator_id = of_operator AND s.player_id = of_player AND s.game_round = of_round
        AND (s.expires_at IS NULL OR s.expires_at > statement_timestamp())
        AND s.state = 'open' AND s.started AND s.declined IS NULL AND s.unanswered = 0 AND s.pending IS NULL
        AND s.repairs IS NULL AND s.currency = of_currency AND s.game_code = of_game_code
        AND greatest(
          abs(s.debits_real + more_debits), abs(s.debits_bonus),
          abs(s.credits_real + more_credits_real), abs(s.credits_bonus + more_credits_bonus)
        ) <= 9007199254740991
        -- One look-up for each hash, as in load_round.
        AND NOT EXISTS (SELECT FROM unnest(hashes) AS wanted (hash), LATERAL (
          SELECT FROM {schema}.records t
          WHERE t.operator_id = of_operator AND t.player_id = of_player AND t.round = s.number AND t.hash = wanted.hash OFFSET 0
        ) AS known)
        AND NOT (s.first_records IS NOT NULL
          AND EXISTS (SELECT FROM unnest(in_json) AS wanted (hash) WHERE strpos(s.first_records, wanted.hash) > 0)
          AND EXISTS (SELECT FROM json_array_elements(s.first_records::json) AS f WHERE f.value ->> 0 = ANY (hashes)))
    ), held AS (
      -- A resent call holds nothing.
      SELECT FROM {schema}.accounts a
        WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = in_currency
          AND a.real BETWEEN lowest AND highest AND NOT (a.limited OR takes AND a.blocked) AND NOT (bonus_first AND coalesce(a.bonus, 0) > 0)
          AND EXISTS (SELECT FROM seen)
        FOR NO KEY UPDATE
    ), written AS (
      UPDATE {schema}.rounds r SET
        version = r.version + 1, state = next_state, changed_at = coalesce(next_changed_at, r.changed_at),
        credited = r.credited + more_credited, ended = r.ended + more_ended,
        debits_real = r.debits_real + more_debits,
        credits_real = r.credits_real + more_credits_real, credits_bonus = r.credits_bonus + more_credits_bonus,
        expires_at = statement_timestamp() + keep_ms * interval '1 millisecond'
      FROM seen
      WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round AND r.version = seen.version
        AND EXISTS (SELECT FROM held)
      RETURNING r.number, r.version
    ), recorded AS (
      INSERT INTO {schema}.records (operator_id, player_id, round, hash, kind, record, real, bonus)
        SELECT of_operator, of_player, w.number, n.hash, n.kind, n.record, took[2 * n.take - 1], took[2 * n.take]
        FROM written w, unnest(record_hash, record_kind, record_text, record_take) AS n (hash, kind, record, take)
    )
    SELECT w.number, w.version INTO held_round, held_version FROM written w;
    IF held_round IS NOT NULL AND event IS NULL THEN
      RETURN QUERY WITH paid AS (
        UPDATE {schema}.accounts a SET real = a.real + net
          WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = in_currency
          RETURNING a.currency, a.real, a.bonus
      )
      SELECT ARRAY['committed', p.currency, p.real::text, p.bonus::text] FROM paid p
      UNION ALL
      SELECT ARRAY['committed', o.currency, o.real::text, o.bonus::text] FROM {schema}.accounts o
        WHERE o.operator_id = of_operator AND o.player_id = of_player AND o.currency <> in_currency;
      RETURN;
    ELSIF held_round IS NOT NULL THEN
      RETURN QUERY WITH paid AS (
        UPDATE {schema}.accounts a SET real = a.real + net
          WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = in_currency
          RETURNING a.currency, a.real::text, a.bonus::text
      ), known AS (
        SELECT p.currency, p.real, p.bonus FROM paid p
        UNION ALL
        SELECT o.currency, o.real::text, o.bonus::text FROM {schema}.accounts o
          WHERE o.operator_id = of_operator AND o.player_id = of_player AND o.currency <> in_currency
      ), told AS (
        INSERT INTO {schema}.events (operator_id, player_id, game_round, version, event, took, accounts)
          SELECT of_operator, of_player, of_round, held_version, follow_round.event, follow_round.took,
            array_agg(ARRAY[k.currency, k.real, k.bonus])
          FROM known k
      )
      SELECT ARRAY['committed', k.currency, k.real, k.bonus] FROM known k;
      RETURN;
    END IF;
  END IF;
  head := {schema}.head_to_follow(of_operator, of_player, of_round, of_currency, of_game_code, hashes, in_json);
  -- A sum beyond the range is refused by the call that loads the round.
  IF head.number IS NOT NULL AND greatest(
    abs(head.debits_real + more_debits), abs(head.debits_bonus),
    abs(head.credits_real + more_credits_real), abs(head.credits_bonus + more_credits_bonus)
  ) <= 9007199254740991 THEN
    FOR line IN SELECT * FROM {schema}.commit_round(
      accept_loss => accept_loss, lock_timeout_ms => lock_timeout_ms,
      of_operator => of_operator, of_player => of_player, of_round => of_round,
      expected_version => head.version, next_version => head.version + 1,
      next_state => next_state, next_resume => head.resume,
      next_changed_at => coalesce(next_changed_at, head.changed_at),
      next_currency => head.currency, next_game_code => head.game_code, is_started => true,
      next_credited => head.credited + more_credited, next_ended => head.ended + more_ended,
      next_declined => NULL, next_unanswered => 0,
      debits_real => head.debits_real + more_debits, debits_bonus => head.debits_bonus,
      credits_real => head.credits_real + more_credits_real, credits_bonus => head.credits_bonus + more_credits_bonus,
      keeps_pending => true, next_pending => NULL, needs_attention => false,
      keep_ms => keep_ms, movements => movements, in_currency => in_currency, net => net,
      lowest => lowest, highest => highest, takes => takes, bonus_first => bonus_first, took => took,
      opening => NULL, record_hash => record_hash, record_kind => record_kind,
      record_text => record_text, record_take => record_take,
      event => event, line_at => line_at, line_order => line_order, line_net => line_net, moment => moment
    ) LOOP
      EXIT WHEN line[1] NOT IN ('committed', 'limits');
      RETURN NEXT line;
    END LOOP;
    IF line[1] IN ('committed', 'limits') THEN RETURN; END IF;
  END IF;
  -- Another statement sees what was committed since.
  RETURN QUERY SELECT * FROM {schema}.load_round(of_operator, of_player, of_round, hashes);
END $$;
