-- The history of a player: rounds by when they were first written, and views of rounds and transactions for reports.

-- id rises with each round, so this is the order of their first commits.
CREATE INDEX rounds_by_player ON {schema}.rounds (operator_id, player_id, id);

-- Tells this store from any other: a cursor of a list belongs to one.
INSERT INTO {schema}.settings (name, value) VALUES ('history', gen_random_uuid()::text) ON CONFLICT DO NOTHING;

-- Lines: 'store', what tells it from others.
CREATE FUNCTION {schema}.history_store() RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $$
  SELECT ARRAY['store', s.value] FROM {schema}.settings s WHERE s.name = 'history'
$$;

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
    WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.id < coalesce(before_id, 9223372036854775807)
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
    WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.id < coalesce(before_id, 9223372036854775807)
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

-- What is recorded in a round, wherever it is: hash, type, the record, the number of members before it in its JSON, and what a
-- debit took.
CREATE FUNCTION {schema}.records_of(r {schema}.rounds)
RETURNS TABLE (hash text, letter text, record json, skip integer, took_real bigint, took_bonus bigint) LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $$
  SELECT f.value ->> 0, f.value ->> 1, f.value, 1,
    CASE WHEN json_typeof(f.value -> 12) = 'number' THEN r.took[2 * (f.value ->> 12)::integer + 1] END,
    CASE WHEN json_typeof(f.value -> 12) = 'number' THEN r.took[2 * (f.value ->> 12)::integer + 2] END
  FROM json_array_elements(r.first_records::json) AS f
  WHERE NOT EXISTS (
    SELECT FROM {schema}.records t
    WHERE t.round = r.id AND t.hash = f.value ->> 0 AND t.kind = CASE WHEN f.value ->> 1 = 'v' THEN 'v' ELSE 't' END
  )
  UNION ALL
  SELECT t.hash, t.record::json ->> 0, t.record::json, 0, t.real, t.bonus FROM {schema}.records t WHERE t.round = r.id
$$;

-- The id on the wire of each code, unless an option of the wallet sets another (D8).
CREATE FUNCTION {schema}.error_ids() RETURNS TABLE (code text, id integer) LANGUAGE sql IMMUTABLE AS $$
  VALUES ('PLAYERNOTFOUND', 1), ('GAMEROUNDALREADYSTARTED', 12), ('GAMEROUNDNOTACTIVE', 13), ('GAMEROUNDNOTSTARTED', 15),
    ('TRANSACTIONCOUNTWRONG', 16), ('INVALIDPARAMETER', 19), ('DISCOUNTNOTELIGIBLE', 33), ('TRANSACTIONALREADYEXISTS', 37),
    ('SIGNATUREWRONG', 1001), ('INTERNALERROR', 9000), ('BALANCETOOLOW', 9001), ('CURRENCYNOTSUPPORTED', 9002),
    ('GAMEROUNDVOIDED', 9003), ('DEBITFAILEDBEFORE', 9004), ('CREDITREFUSED', 9005), ('DEBITREFUSED', 9006),
    ('TEMPORARILYUNAVAILABLE', 9007)
$$;

-- Milliseconds since 1970 as a time.
CREATE FUNCTION {schema}.time_of(at bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT timestamptz 'epoch' + at * interval '1 millisecond'
$$;

-- Units as a number of whole units of the currency.
CREATE FUNCTION {schema}.amount_of(units numeric, decimals integer) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT round(units / power(10::numeric, decimals), decimals)
$$;

-- For reports, as cash_movements; its columns are documented and stay.
CREATE VIEW {schema}.rounds_view AS
  SELECT r.operator_id, r.player_id, r.game_round, r.game_code, r.state, {schema}.time_of(r.changed_at) AS state_since,
    {schema}.time_of(coalesce(o.first_at, r.changed_at)) AS opened_at,
    {schema}.time_of(greatest(o.last_at, p.last_at, coalesce(o.first_at, r.changed_at))) AS last_at,
    r.currency,
    {schema}.amount_of(r.debits_real, d.decimals) AS debits_real,
    {schema}.amount_of(r.debits_bonus, d.decimals) AS debits_bonus,
    {schema}.amount_of(r.credits_real, d.decimals) AS credits_real,
    {schema}.amount_of(r.credits_bonus, d.decimals) AS credits_bonus,
    r.unanswered, r.pending IS NOT NULL AS is_pending, r.attention AS needs_attention, r.repairs IS NOT NULL AS has_repairs,
    r.expires_at AS kept_until
  FROM {schema}.rounds r
  CROSS JOIN (
    SELECT coalesce((SELECT s.value::integer FROM {schema}.settings s WHERE s.name = 'decimals'), 4) AS decimals
  ) AS d
  CROSS JOIN LATERAL (
    SELECT min(e.at) AS first_at, max(e.at) AS last_at FROM (
      SELECT (c.record ->> c.skip + CASE WHEN c.letter = 'v' THEN 1 ELSE 2 END)::bigint AS at FROM {schema}.records_of(r) AS c
    ) AS e
  ) AS o
  CROSS JOIN LATERAL (
    SELECT max(coalesce(q.value ->> 15, q.value ->> 12)::bigint) AS last_at
    FROM json_array_elements(r.repairs::json -> 1) AS q
  ) AS p;

-- One row for each debit, credit, end and void that is recorded, and for each repair that was paid. net_ is what the row has
-- done to the balances as of now: 0 where it was refused, voided or taken back.
CREATE VIEW {schema}.transactions AS
  SELECT r.operator_id, r.player_id, r.game_round, r.game_code, {schema}.time_of(t.at) AS recorded_at, t.type, t.hash,
    CASE WHEN t.outcome IN ('accepted', 'unanswered', 'pending') THEN t.outcome ELSE 'refused' END AS outcome,
    i.id AS error_id, i.code AS error_code,
    coalesce(t.currency, r.currency) AS currency,
    {schema}.amount_of(t.units, d.decimals) AS amount, t.units,
    {schema}.amount_of(t.net_real, d.decimals) AS net_real, {schema}.amount_of(t.net_bonus, d.decimals) AS net_bonus,
    t.net_real AS net_real_units, t.net_bonus AS net_bonus_units,
    t.is_voided, t.is_first, t.serial, t.repair, t.actor_id, t.actor_name
  FROM {schema}.rounds r
  CROSS JOIN (
    SELECT coalesce((SELECT s.value::integer FROM {schema}.settings s WHERE s.name = 'decimals'), 4) AS decimals
  ) AS d
  CROSS JOIN LATERAL (
    SELECT w.type, w.hash, w.at, w.outcome, w.currency, w.units, w.is_first, w.serial, w.is_voided,
      CASE w.type WHEN 'debit' THEN -w.real WHEN 'credit' THEN w.real ELSE 0 END
        * CASE WHEN w.is_voided THEN 0 ELSE 1 END AS net_real,
      CASE w.type WHEN 'debit' THEN -w.bonus WHEN 'credit' THEN w.bonus ELSE 0 END
        * CASE WHEN w.is_voided THEN 0 ELSE 1 END AS net_bonus,
      (
        SELECT q.value ->> 0 FROM json_array_elements(r.repairs::json -> 1) AS q
        WHERE q.value ->> 3 = w.hash AND q.value ->> 2 IN ('done', 'takenBack')
          AND (q.value ->> 1 = 'pay' AND w.type = 'credit' OR q.value ->> 1 = 'void' AND w.type = 'void')
        LIMIT 1
      ) AS repair, NULL::text AS actor_id, NULL::text AS actor_name
    FROM (
      SELECT c.hash,
        CASE c.letter WHEN 'd' THEN 'debit' WHEN 'c' THEN 'credit' WHEN 'e' THEN 'end' ELSE 'void' END AS type,
        (c.record ->> c.skip + CASE WHEN c.letter = 'v' THEN 1 ELSE 2 END)::bigint AS at,
        CASE WHEN c.letter = 'v' THEN 'accepted' ELSE c.record ->> c.skip + 1 END AS outcome,
        CASE WHEN c.letter IN ('d', 'c') THEN c.record ->> c.skip + 3 END AS currency,
        CASE WHEN c.letter IN ('d', 'c') THEN (c.record ->> c.skip + 4)::bigint END AS units,
        CASE WHEN c.letter IN ('d', 'c') THEN c.record ->> c.skip + 5 END AS serial,
        CASE WHEN c.letter = 'd' THEN (c.record ->> c.skip + 7)::boolean END AS is_first,
        CASE c.letter
          WHEN 'd' THEN coalesce(c.took_real, (c.record ->> c.skip + 11)::bigint)
          WHEN 'c' THEN (c.record ->> c.skip + 6)::bigint END AS real,
        CASE c.letter
          WHEN 'd' THEN coalesce(c.took_bonus, (c.record ->> c.skip + 12)::bigint)
          WHEN 'c' THEN (c.record ->> c.skip + 7)::bigint END AS bonus,
        c.letter <> 'v' AND (r.state = 'voided' OR EXISTS (
          SELECT FROM {schema}.records_of(r) AS o WHERE o.letter = 'v' AND o.hash = c.hash
        )) AS is_voided
      FROM {schema}.records_of(r) AS c
    ) AS w
    UNION ALL
    SELECT 'repair', q.value ->> 3, (q.value ->> 15)::bigint, 'accepted', q.value ->> 5, (q.value ->> 6)::bigint,
      NULL, NULL, q.value ->> 2 = 'takenBack',
      CASE WHEN q.value ->> 2 = 'takenBack' THEN 0 ELSE (q.value ->> 7)::bigint END,
      CASE WHEN q.value ->> 2 = 'takenBack' THEN 0 ELSE (q.value ->> 8)::bigint END,
      q.value ->> 0, q.value -> 14 ->> 0, q.value -> 14 ->> 1
    FROM json_array_elements(r.repairs::json -> 1) AS q
    WHERE q.value ->> 1 = 'pay' AND q.value ->> 2 IN ('done', 'takenBack')
  ) AS t
  LEFT JOIN {schema}.error_ids() AS i ON i.code = t.outcome;
