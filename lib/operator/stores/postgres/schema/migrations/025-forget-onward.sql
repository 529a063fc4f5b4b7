-- Serves programs of schema 24 and later.
--
-- Deleting goes on behind what was deleted: the rows before it stay in the index until no transaction could see them.

-- Deletes some of the rounds that have expired, from a moment on. A round that another has in hand is left for the next time.
-- from_us: microseconds since 1970; null for the earliest
-- Line: how many; when the last of them expired, as from_us has it, null where there is none.
CREATE FUNCTION {schema}.forget_expired(at_most integer, from_us bigint)
RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
-- In the order of the index, so that no more is read than is deleted.
SET enable_bitmapscan = off AS $$
DECLARE
  moment CONSTANT timestamptz := clock_timestamp();
  since CONSTANT timestamptz := coalesce(timestamptz 'epoch' + from_us * interval '1 microsecond', '-infinity');
  forgotten bigint[];
  reached timestamptz;
BEGIN
  WITH expired AS (
    SELECT r.ctid FROM {schema}.rounds r WHERE r.expires_at >= since AND r.expires_at <= moment
    ORDER BY r.expires_at LIMIT at_most FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM {schema}.rounds r WHERE r.ctid = ANY (ARRAY(SELECT expired.ctid FROM expired)) RETURNING r.id, r.expires_at
  )
  SELECT coalesce(array_agg(gone.id), '{}'), max(gone.expires_at) INTO forgotten, reached FROM gone;
  DELETE FROM {schema}.records t WHERE t.round = ANY (forgotten);
  RETURN NEXT ARRAY[cardinality(forgotten)::text, (extract(epoch FROM reached) * 1000000)::bigint::text];
END $$;
