-- What a process asks and writes when it starts, and then from time to time. As all functions of the store, these answer
-- lines, each an array of texts, and know no rule of the protocol.

-- Notes what the store's data are written with, if nothing is noted yet.
-- Line: the value that is noted.
CREATE FUNCTION {schema}.note_setting(setting_name text, setting_value text)
RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT ARRAY[s.value] FROM {schema}.settings s WHERE s.name = setting_name;
  IF FOUND THEN RETURN; END IF;
  INSERT INTO {schema}.settings (name, value) VALUES (setting_name, setting_value) ON CONFLICT DO NOTHING;
  RETURN QUERY SELECT ARRAY[s.value] FROM {schema}.settings s WHERE s.name = setting_name;
END $$;

-- Answers where the money of the data is: 'accounts', 'own' or 'ledger'. A schema with accounts is not taken for the journal
-- of a ledger, nor a journal for a store with accounts: a void there would pay nobody. Data without an account may still
-- become the journal of a ledger.
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

-- The names and types of what a function answers, in the order of their names.
CREATE FUNCTION {schema}.answers_of(of_function oid) RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT string_agg(a.name || ' ' || format_type(a.type, NULL), ', ' ORDER BY a.name COLLATE "C")
  FROM pg_proc p, unnest(p.proargnames, p.proallargtypes, p.proargmodes) AS a (name, type, mode)
  WHERE p.oid = of_function AND a.mode IN ('o', 't')
$$;

-- What is wrong with the two functions of a platform with its own tables (07-own-money.sql), for a person; what the probe
-- writes is undone.
-- of_players: ids that no player has
-- Line: a sentence; no line if nothing is wrong.
CREATE FUNCTION {schema}.probe_own(of_players text[]) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  mover CONSTANT oid := to_regprocedure('{schema}.move_money({schema}.movement)');
  reader CONSTANT oid := to_regprocedure('{schema}.accounts_of(text, text)');
  moved record;
  of_player text;
  kind text;
  known boolean := false;
  wrong text;
BEGIN
  IF mover IS NULL THEN
    wrong := 'The function {schema}.move_money({schema}.movement) is missing.';
  ELSIF {schema}.answers_of(mover) IS DISTINCT FROM 'bonus_units bigint, real_units bigint, refusal text'
    OR (SELECT p.proretset OR p.provolatile <> 'v' FROM pg_proc p WHERE p.oid = mover)
  THEN
    wrong := 'move_money must be VOLATILE and answer OUT refusal text, OUT real_units bigint, OUT bonus_units bigint.';
  ELSIF NOT has_function_privilege(mover, 'EXECUTE') THEN
    wrong := 'The user ' || current_user || ' may not EXECUTE move_money.';
  ELSIF reader IS NULL THEN
    wrong := 'The function {schema}.accounts_of(text, text) is missing.';
  ELSIF {schema}.answers_of(reader) IS DISTINCT FROM 'bonus_units bigint, currency text, real_units bigint'
    OR (SELECT NOT p.proretset OR p.provolatile <> 's' FROM pg_proc p WHERE p.oid = reader)
  THEN
    wrong := 'accounts_of must be STABLE and RETURNS TABLE (currency text, real_units bigint, bonus_units bigint).';
  ELSIF NOT has_function_privilege(reader, 'EXECUTE') THEN
    wrong := 'The user ' || current_user || ' may not EXECUTE accounts_of.';
  END IF;
  IF wrong IS NOT NULL THEN
    RETURN NEXT ARRAY[wrong];
    RETURN;
  END IF;
  FOREACH of_player IN ARRAY of_players LOOP
    BEGIN
      FOREACH kind IN ARRAY ARRAY['take', 'give', 'reverse'] LOOP
        moved := {schema}.move_money(ROW('probe', of_player, 'EUR', kind, 1, 0, false, 'probe', 'probe', NULL)::{schema}.movement);
        IF coalesce(moved.refusal, '') NOT IN ('noPlayer', 'noCurrency') THEN
          wrong := 'move_money must refuse a ' || kind || ' of the unknown player ' || of_player || ' as noPlayer, not as '
            || coalesce(moved.refusal, 'done') || '.';
        END IF;
      END LOOP;
      known := EXISTS (SELECT FROM {schema}.accounts_of('probe', of_player));
      RAISE EXCEPTION USING ERRCODE = 'RW002';
    EXCEPTION
      WHEN SQLSTATE 'RW002' THEN NULL;
      WHEN OTHERS THEN
        wrong := 'The functions fail for the unknown player ' || of_player || ': ' || SQLERRM;
    END;
    IF known THEN wrong := 'accounts_of must have no line of the unknown player ' || of_player || '.'; END IF;
    IF wrong IS NOT NULL THEN
      RETURN NEXT ARRAY[wrong];
      RETURN;
    END IF;
  END LOOP;
END $$;
