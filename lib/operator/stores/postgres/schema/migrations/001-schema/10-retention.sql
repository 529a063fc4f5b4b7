-- Rounds are deleted once their retention is over (D10). The books stay whole: what an account holds is its cash, the rounds
-- that are stored, and what rounds that are deleted have moved.

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

-- Balances are deleted with their round, whatever deletes it.
CREATE FUNCTION {schema}.forget_balances() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM {schema}.balances b
    WHERE b.operator_id = OLD.operator_id AND b.player_id = OLD.player_id AND b.round = OLD.number;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_balances AFTER DELETE ON {schema}.rounds
  FOR EACH ROW EXECUTE FUNCTION {schema}.forget_balances();

-- Deletes some of the rounds that have expired, from a moment on: each batch starts where the last one ended, since deleted
-- rows stay in the index until no transaction could see them. A round that another session holds is left for the next time.
-- from_us: microseconds since 1970; null for the earliest
-- Line: how many; when the last of them expired, as from_us has it, null where there is none.
CREATE FUNCTION {schema}.forget_expired(at_most integer, from_us bigint)
RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
-- In the order of the index, so that no more is read than is deleted.
SET enable_bitmapscan = off
-- One look-up of the records for each round: any other plan reads all records.
SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
DECLARE
  moment CONSTANT timestamptz := clock_timestamp();
  since CONSTANT timestamptz := coalesce(timestamptz 'epoch' + from_us * interval '1 microsecond', '-infinity');
  operators text[];
  players text[];
  numbers bigint[];
  reached timestamptz;
BEGIN
  WITH expired AS (
    SELECT r.ctid FROM {schema}.rounds r WHERE r.expires_at >= since AND r.expires_at <= moment
    ORDER BY r.expires_at LIMIT at_most FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM {schema}.rounds r WHERE r.ctid = ANY (ARRAY(SELECT expired.ctid FROM expired))
      RETURNING r.operator_id, r.player_id, r.number, r.expires_at
  )
  SELECT array_agg(g.operator_id), array_agg(g.player_id), array_agg(g.number), max(g.expires_at)
    INTO operators, players, numbers, reached FROM gone g;
  DELETE FROM {schema}.records t USING unnest(operators, players, numbers) AS g (operator_id, player_id, number)
    WHERE t.operator_id = g.operator_id AND t.player_id = g.player_id AND t.round = g.number;
  RETURN NEXT ARRAY[coalesce(cardinality(numbers), 0)::text, (extract(epoch FROM reached) * 1000000)::bigint::text];
END $$;

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
