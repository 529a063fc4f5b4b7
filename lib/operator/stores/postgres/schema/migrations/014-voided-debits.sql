-- The view of transactions, where the void of a hash concerns a debit alone: a credit or an end of that hash stands (D5.5).

CREATE OR REPLACE VIEW {schema}.transactions AS
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
        c.letter <> 'v' AND (r.state = 'voided' OR c.letter = 'd' AND EXISTS (
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
