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

-- What the processes count each minute.

-- In a form that only the code reads; for pages, two days. minute: minutes since 1970.
CREATE TABLE {schema}.minutes (
  minute bigint NOT NULL,
  process text COLLATE "C" NOT NULL,
  saved_at timestamptz NOT NULL,
  counts text NOT NULL,
  PRIMARY KEY (minute, process)
);
CREATE INDEX minutes_by_age ON {schema}.minutes (saved_at);

-- Keeps the row of a process in place of what was kept of its minute, unless the minute has rows of so many others; deletes
-- rows that were saved longer ago than keep_ms. Line: 'done' or 'full'
CREATE FUNCTION {schema}.save_minute(
  accept_loss boolean, lock_timeout_ms integer, of_minute bigint, of_process text, counts text, most integer, keep_ms bigint
) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  IF (SELECT count(*) FROM {schema}.minutes m WHERE m.minute = of_minute AND m.process <> of_process) >= most THEN
    RETURN NEXT ARRAY['full'];
    RETURN;
  END IF;
  INSERT INTO {schema}.minutes (minute, process, saved_at, counts)
    VALUES (of_minute, of_process, clock_timestamp(), save_minute.counts)
    ON CONFLICT (minute, process) DO UPDATE SET saved_at = excluded.saved_at, counts = excluded.counts;
  -- A row that another process deletes is left to it.
  DELETE FROM {schema}.minutes d WHERE d.ctid = ANY (ARRAY(
    SELECT m.ctid FROM {schema}.minutes m WHERE m.saved_at < clock_timestamp() - keep_ms * interval '1 millisecond'
    LIMIT 1000 FOR UPDATE SKIP LOCKED));
  RETURN NEXT ARRAY['done'];
END $$;

-- The rows of the minutes from one to before another.
-- Lines: minute, process, what it counted
CREATE FUNCTION {schema}.list_minutes(from_minute bigint, to_minute bigint)
RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[m.minute::text, m.process, m.counts] FROM {schema}.minutes m
  WHERE m.minute >= from_minute AND m.minute < to_minute
$$;
