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
