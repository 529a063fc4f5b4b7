-- The books: what an account holds is its cash and the rounds that are stored, and what rounds that are deleted have moved.

-- What deleted rounds gave, less what they took, for each account.
CREATE TABLE {schema}.carried (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  real numeric NOT NULL,
  bonus numeric NOT NULL,
  PRIMARY KEY (operator_id, player_id, currency)
);

-- A statement that deletes rounds carries what they moved, in the same transaction. A round without an account, as in a journal,
-- moved nothing here. Rows are written in the order of their keys, so that two such statements do not deadlock.
CREATE FUNCTION {schema}.carry_rounds() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO {schema}.carried AS c (operator_id, player_id, currency, real, bonus)
  SELECT g.operator_id, g.player_id, g.currency,
    sum(g.credits_real::numeric - g.debits_real), sum(g.credits_bonus::numeric - g.debits_bonus)
  FROM gone g
  JOIN {schema}.accounts a USING (operator_id, player_id, currency)
  GROUP BY g.operator_id, g.player_id, g.currency
  HAVING sum(g.credits_real::numeric - g.debits_real) <> 0 OR sum(g.credits_bonus::numeric - g.debits_bonus) <> 0
  ORDER BY g.operator_id, g.player_id, g.currency
  ON CONFLICT (operator_id, player_id, currency) DO UPDATE
    SET real = c.real + excluded.real, bonus = c.bonus + excluded.bonus;
  RETURN NULL;
END $$;
CREATE TRIGGER carry_rounds AFTER DELETE ON {schema}.rounds REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.carry_rounds();

-- The books of accounts, all as of one moment, in order after an account.
-- of_operator, of_player: null for all.
-- Lines: operator, player, currency, then real and bonus each of the balance, the cash, the rounds and what is carried;
--   'true' where the account has an opening; JSON, a list of the repairs of the player's rounds, null without any.
CREATE FUNCTION {schema}.list_books(
  of_operator text, of_player text, after_operator text, after_player text, after_currency text, at_most integer
) RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[a.operator_id, a.player_id, a.currency, a.real::text, coalesce(a.bonus, 0)::text,
    coalesce(c.real, 0)::text, coalesce(c.bonus, 0)::text, coalesce(r.real, 0)::text, coalesce(r.bonus, 0)::text,
    coalesce(d.real, 0)::text, coalesce(d.bonus, 0)::text, coalesce(c.opened, false)::text, p.repairs]
  FROM (
    SELECT * FROM {schema}.accounts o
    WHERE (o.operator_id, o.player_id, o.currency) > (after_operator, after_player, after_currency)
      AND (of_operator IS NULL OR o.operator_id = of_operator) AND (of_player IS NULL OR o.player_id = of_player)
    ORDER BY o.operator_id, o.player_id, o.currency LIMIT at_most
  ) AS a
  LEFT JOIN LATERAL (
    SELECT sum(m.units) FILTER (WHERE m.balance = 'real') AS real, sum(m.units) FILTER (WHERE m.balance = 'bonus') AS bonus,
      bool_or(m.kind = 'opening') AS opened
    FROM {schema}.cash m
    WHERE m.operator_id = a.operator_id AND m.player_id = a.player_id AND m.currency = a.currency
  ) AS c ON true
  LEFT JOIN LATERAL (
    SELECT sum(o.credits_real::numeric - o.debits_real) AS real, sum(o.credits_bonus::numeric - o.debits_bonus) AS bonus
    FROM {schema}.rounds o
    WHERE o.operator_id = a.operator_id AND o.player_id = a.player_id AND o.currency = a.currency
  ) AS r ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(o.repairs)::text AS repairs FROM {schema}.rounds o
    WHERE o.operator_id = a.operator_id AND o.player_id = a.player_id AND o.repairs IS NOT NULL
  ) AS p ON true
  LEFT JOIN {schema}.carried d
    ON d.operator_id = a.operator_id AND d.player_id = a.player_id AND d.currency = a.currency
  ORDER BY a.operator_id, a.player_id, a.currency
$$;

-- Accounts that are older than the books get the opening that makes them whole now; when it was is not known.
LOCK TABLE {schema}.accounts, {schema}.cash, {schema}.rounds IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO {schema}.cash (operator_id, player_id, reference, kind, units, currency, balance, moved_at, reason)
SELECT b.line[1], b.line[2], '#opening ' || b.line[3] || ' ' || o.balance, 'opening', o.units, b.line[3], o.balance,
  '-infinity', 'worked out when the books began'
FROM {schema}.list_books(NULL, NULL, '', '', '', NULL) AS b (line),
  LATERAL (VALUES
    ('real', b.line[4]::bigint - b.line[6]::bigint - b.line[8]::bigint),
    ('bonus', b.line[5]::bigint - b.line[7]::bigint - b.line[9]::bigint)
  ) AS o (balance, units)
WHERE b.line[12] = 'false' AND (o.balance = 'real' OR o.units <> 0);
