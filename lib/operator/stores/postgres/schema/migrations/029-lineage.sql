-- Serves programs of schema 24 and later.
--
-- What processes know of the past of these data: data that lack a process's latest renewal of its token are older than those
-- that it has used, as after a restored backup or a failover that lost commits.

-- token: of a process that serves; renewed_at: milliseconds since 1970, by that process's clock
CREATE TABLE {schema}.lineage (
  token text COLLATE "C" PRIMARY KEY,
  renewed_at bigint NOT NULL
);

-- Line: when a token was renewed, 0 where it is not there; and the server's system identifier and timeline, null where the
-- server does not say.
CREATE FUNCTION {schema}.read_lineage(of_token text) RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  origin text;
BEGIN
  BEGIN
    origin := (SELECT c.system_identifier FROM pg_control_system() AS c) || ', timeline '
      || ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint;
  EXCEPTION WHEN OTHERS THEN
    origin := NULL; -- a managed service may forbid these functions
  END;
  RETURN NEXT ARRAY[
    coalesce((SELECT l.renewed_at FROM {schema}.lineage l WHERE l.token = of_token), 0)::text, origin];
END $$;

-- Renews a token, unless the data hold an older renewal of it than `at_least`; a later one is never replaced by an earlier one.
-- Keeps the tokens that were renewed last.
-- Line: 'renewed', or 'older' where nothing was written.
CREATE FUNCTION {schema}.renew_lineage(of_token text, at bigint, at_least bigint, at_most integer)
RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF coalesce((SELECT l.renewed_at FROM {schema}.lineage l WHERE l.token = of_token FOR UPDATE), 0) < at_least THEN
    RETURN NEXT ARRAY['older'];
    RETURN;
  END IF;
  INSERT INTO {schema}.lineage AS l (token, renewed_at) VALUES (of_token, at)
    ON CONFLICT (token) DO UPDATE SET renewed_at = greatest(l.renewed_at, excluded.renewed_at);
  DELETE FROM {schema}.lineage d WHERE d.token IN (
    SELECT l.token FROM {schema}.lineage l ORDER BY l.renewed_at DESC, l.token OFFSET at_most FOR UPDATE SKIP LOCKED);
  RETURN NEXT ARRAY['renewed'];
END $$;
