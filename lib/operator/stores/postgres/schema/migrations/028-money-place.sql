-- Serves programs of schema 24 and later.
--
-- A schema with accounts is not taken for the journal of a ledger, nor a journal for a store with accounts: a void there would
-- pay nobody. The setting 'journal' stands beside 'money', which earlier programs read.

-- Answers where the money of the data is: 'accounts', 'own' or 'ledger'. Data without an account may still become the
-- journal of a ledger.
-- wanted: where the store that asks has it
CREATE FUNCTION {schema}.note_money(wanted text) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found text := (SELECT r[1] FROM {schema}.note_setting('money', CASE wanted WHEN 'ledger' THEN 'accounts' ELSE wanted END) AS r);
  is_journal boolean := EXISTS (SELECT FROM {schema}.settings s WHERE s.name = 'journal');
BEGIN
  IF wanted = 'ledger' AND found = 'accounts' AND NOT is_journal AND NOT EXISTS (SELECT FROM {schema}.accounts) THEN
    INSERT INTO {schema}.settings (name, value) VALUES ('journal', 'true') ON CONFLICT DO NOTHING;
    is_journal := true;
  END IF;
  RETURN NEXT ARRAY[CASE WHEN is_journal THEN 'ledger' ELSE found END];
END $$;
