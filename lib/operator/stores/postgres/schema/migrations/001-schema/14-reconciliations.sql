-- Functions of the results of comparisons with the RGS.

-- Keeps the result of a day in place of what was kept of it, and deletes those of earlier days than since.
-- Line: 'done'
CREATE FUNCTION {schema}.save_reconciliation(
  accept_loss boolean, lock_timeout_ms integer, of_operator text, of_day text, of_source text, at bigint, result text,
  since text
) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  INSERT INTO {schema}.reconciliations (operator_id, day, source, saved_at, result)
    VALUES (of_operator, of_day, of_source, at, save_reconciliation.result)
    ON CONFLICT (operator_id, day, source) DO UPDATE SET saved_at = excluded.saved_at, result = excluded.result;
  DELETE FROM {schema}.reconciliations r WHERE r.operator_id = of_operator AND r.day < since;
  RETURN NEXT ARRAY['done'];
END $$;

-- The results of the newest days that have any, the newest day first, in it by source.
-- Lines: day, source, milliseconds since 1970, result
CREATE FUNCTION {schema}.list_reconciliations(of_operator text, at_most integer)
RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[r.day, r.source, r.saved_at::text, r.result] FROM {schema}.reconciliations r
  WHERE r.operator_id = of_operator AND r.day IN (
    SELECT DISTINCT d.day FROM {schema}.reconciliations d WHERE d.operator_id = of_operator ORDER BY d.day DESC LIMIT at_most)
  ORDER BY r.day DESC, r.source
$$;
