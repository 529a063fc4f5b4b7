-- What a call that is taken to open its round finds where the round is known: read in the statement of the commit that was
-- stale. Volatile, so that it sees what the commit waited for.

-- opening, record_hash: as commit_round has them; the hashes are those of the records
-- Answer: the lines of load_round as JSON, each a list; null where there are none
CREATE FUNCTION {schema}.load_opened(of_operator text, of_player text, of_round text, opening text, record_hash text[])
RETURNS text LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  hashes CONSTANT text[] := coalesce(record_hash, ARRAY(SELECT f.value ->> 0 FROM json_array_elements(opening::json) AS f));
BEGIN
  RETURN (SELECT json_agg(line) FROM {schema}.load_round(of_operator, of_player, of_round, hashes) AS line);
END $$;

-- The same with the lines of load_own.
CREATE FUNCTION {schema}.load_own_opened(of_operator text, of_player text, of_round text, opening text, record_hash text[])
RETURNS text LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  hashes CONSTANT text[] := coalesce(record_hash, ARRAY(SELECT f.value ->> 0 FROM json_array_elements(opening::json) AS f));
BEGIN
  RETURN (SELECT json_agg(line) FROM {schema}.load_own(of_operator, of_player, of_round, hashes) AS line);
END $$;
