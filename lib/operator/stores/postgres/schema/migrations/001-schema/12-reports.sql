-- Views for reports. Their columns are documented and stay.

-- Milliseconds since 1970 as a time.
CREATE FUNCTION {schema}.time_of(at bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT timestamptz 'epoch' + at * interval '1 millisecond'
$$;

-- Units as a number of whole units of the currency.
CREATE FUNCTION {schema}.amount_of(units numeric, decimals integer) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT round(units / power(10::numeric, decimals), decimals)
$$;

-- What is recorded in a round, in either place: hash, type, the record, the number of members before it in its JSON, and what a
-- debit took.
CREATE FUNCTION {schema}.records_of(of_operator text, of_player text, of_number bigint, first_records text, took bigint[])
RETURNS TABLE (hash text, letter text, record json, skip integer, took_real bigint, took_bonus bigint) LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $$
  SELECT f.value ->> 0, f.value ->> 1, f.value, 1,
    CASE WHEN json_typeof(f.value -> 12) = 'number' THEN took[2 * (f.value ->> 12)::integer + 1] END,
    CASE WHEN json_typeof(f.value -> 12) = 'number' THEN took[2 * (f.value ->> 12)::integer + 2] END
  FROM json_array_elements(first_records::json) AS f
  WHERE NOT EXISTS (
    SELECT FROM {schema}.records t
    WHERE t.operator_id = of_operator AND t.player_id = of_player AND t.round = of_number
      AND t.hash = f.value ->> 0 AND t.kind = CASE WHEN f.value ->> 1 = 'v' THEN 'v' ELSE 't' END
  )
  UNION ALL
  SELECT t.hash, t.record::json ->> 0, t.record::json, 0, t.real, t.bonus FROM {schema}.records t
  WHERE t.operator_id = of_operator AND t.player_id = of_player AND t.round = of_number
$$;

-- The id on the wire of each code, unless an option of the wallet sets another (D8).
CREATE FUNCTION {schema}.error_ids() RETURNS TABLE (code text, id integer) LANGUAGE sql IMMUTABLE AS $$
  VALUES ('PLAYERNOTFOUND', 1), ('GAMEROUNDALREADYSTARTED', 12), ('GAMEROUNDNOTACTIVE', 13), ('GAMEROUNDNOTSTARTED', 15),
    ('TRANSACTIONCOUNTWRONG', 16), ('INVALIDPARAMETER', 19), ('DISCOUNTNOTELIGIBLE', 33), ('TRANSACTIONALREADYEXISTS', 37),
    ('SIGNATUREWRONG', 1001), ('INTERNALERROR', 9000), ('BALANCETOOLOW', 9001), ('CURRENCYNOTSUPPORTED', 9002),
    ('GAMEROUNDVOIDED', 9003), ('DEBITFAILEDBEFORE', 9004), ('CREDITREFUSED', 9005), ('DEBITREFUSED', 9006),
    ('TEMPORARILYUNAVAILABLE', 9007), ('DEBITCHECKFAILED', 9008), ('LIMITREACHED', 9009),
    ('DEBITEXPIRED', 9010)
$$;

-- amount is in whole units of the currency; moved_at is null where the time is not known.
CREATE VIEW {schema}.cash_movements AS
  SELECT c.operator_id, c.player_id, nullif(c.moved_at, '-infinity') AS moved_at, c.kind, c.currency, c.balance,
    round(c.units / power(10::numeric, d.decimals), d.decimals) AS amount,
    c.units, c.reference, c.actor_id, c.actor_name, c.reason
  FROM {schema}.cash c,
    (SELECT coalesce((SELECT split_part(s.value, ' ', 1)::integer FROM {schema}.settings s WHERE s.name = 'decimals'), 4) AS decimals) AS d;

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
    SELECT coalesce((SELECT split_part(s.value, ' ', 1)::integer FROM {schema}.settings s WHERE s.name = 'decimals'), 4) AS decimals
  ) AS d
  CROSS JOIN LATERAL (
    SELECT min(e.at) AS first_at, max(e.at) AS last_at FROM (
      SELECT (c.record ->> c.skip + CASE WHEN c.letter = 'v' THEN 1 ELSE 2 END)::bigint AS at
      FROM {schema}.records_of(r.operator_id, r.player_id, r.number, r.first_records, r.took) AS c
    ) AS e
  ) AS o
  CROSS JOIN LATERAL (
    SELECT max(coalesce(q.value ->> 15, q.value ->> 12)::bigint) AS last_at
    FROM json_array_elements(r.repairs::json -> 1) AS q
  ) AS p;

CREATE VIEW {schema}.balances_view AS
  SELECT r.operator_id, r.player_id, r.game_round, b.version, {schema}.time_of(b.at) AS recorded_at, b.accounts[n][1] AS currency,
    {schema}.amount_of(b.accounts[n][2]::numeric, d.decimals) AS real,
    {schema}.amount_of(b.accounts[n][3]::numeric, d.decimals) AS bonus,
    b.accounts[n][2]::bigint AS real_units, b.accounts[n][3]::bigint AS bonus_units
  FROM {schema}.balances b
  JOIN {schema}.rounds r ON r.operator_id = b.operator_id AND r.player_id = b.player_id AND r.number = b.round
  CROSS JOIN (
    SELECT coalesce((SELECT split_part(s.value, ' ', 1)::integer FROM {schema}.settings s WHERE s.name = 'decimals'), 4) AS decimals
  ) AS d
  CROSS JOIN LATERAL generate_subscripts(b.accounts, 1) AS n;

-- One row for each debit, credit, end and void that is recorded, and for each repair that was paid. net_ is what the row has
-- done to the balances as of now: 0 where it was refused, voided or taken back. The void of a hash concerns a debit alone: a
-- credit or an end of that hash stands (D5.5).
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
    SELECT coalesce((SELECT split_part(s.value, ' ', 1)::integer FROM {schema}.settings s WHERE s.name = 'decimals'), 4) AS decimals
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
        c.letter <> 'v' AND (r.state = 'voided' OR c.letter = 'd' AND EXISTS (
          SELECT FROM {schema}.records_of(r.operator_id, r.player_id, r.number, r.first_records, r.took) AS o
          WHERE o.letter = 'v' AND o.hash = c.hash
        )) AS is_voided
      FROM {schema}.records_of(r.operator_id, r.player_id, r.number, r.first_records, r.took) AS c
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
