-- The balances after the commits of a round, for its timeline: written where the store is made with `history: true`.

-- at, lines, net: what the store's code notes of the commit. accounts: currency, real, bonus or null of each account after it.
CREATE TABLE {schema}.balances (
  round bigint NOT NULL,
  version bigint NOT NULL,
  at bigint NOT NULL,
  lines text COLLATE "C" NOT NULL,
  net bigint,
  accounts text[] NOT NULL,
  PRIMARY KEY (round, version)
);

-- They go with their round, whatever deletes it.
CREATE FUNCTION {schema}.forget_balances() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM {schema}.balances b WHERE b.round = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_balances AFTER DELETE ON {schema}.rounds
  FOR EACH ROW EXECUTE FUNCTION {schema}.forget_balances();

-- A commit that keeps the balances after it. All else as commit_round has it, or as commit_repairs where next_repairs is not
-- null.
-- line_at, line_order, line_net: at, lines and net of balances
-- held: the accounts, where a ledger has them; null where they are those of this store. A player without any keeps nothing
CREATE FUNCTION {schema}.commit_balances(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_round text,
  expected_version bigint, next_version bigint,
  next_state text, next_resume text, next_changed_at bigint, next_currency text, next_game_code text,
  is_started boolean, next_credited bigint, next_ended bigint, next_declined text, next_unanswered bigint,
  debits_real bigint, debits_bonus bigint, credits_real bigint, credits_bonus bigint,
  keeps_pending boolean, next_pending text, needs_attention boolean, keep_ms bigint,
  movements text, in_currency text, net bigint, lowest bigint, highest bigint, takes boolean, bonus_first boolean,
  took bigint[], opening text, record_hash text[], record_kind text[], record_text text[], record_take integer[],
  event text, next_repairs text, line_at bigint, line_order text, line_net bigint, held text
) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  line text[];
  told text[] := held::text[];
BEGIN
  IF next_repairs IS NULL THEN
    FOR line IN SELECT * FROM {schema}.commit_round(
      accept_loss => accept_loss, lock_timeout_ms => lock_timeout_ms,
      of_operator => of_operator, of_player => of_player, of_round => of_round,
      expected_version => expected_version, next_version => next_version,
      next_state => next_state, next_resume => next_resume, next_changed_at => next_changed_at,
      next_currency => next_currency, next_game_code => next_game_code, is_started => is_started,
      next_credited => next_credited, next_ended => next_ended, next_declined => next_declined,
      next_unanswered => next_unanswered, debits_real => debits_real, debits_bonus => debits_bonus,
      credits_real => credits_real, credits_bonus => credits_bonus,
      keeps_pending => keeps_pending, next_pending => next_pending, needs_attention => needs_attention,
      keep_ms => keep_ms, movements => movements, in_currency => in_currency, net => net,
      lowest => lowest, highest => highest, takes => takes, bonus_first => bonus_first, took => took,
      opening => opening, record_hash => record_hash, record_kind => record_kind,
      record_text => record_text, record_take => record_take, event => event
    )
    LOOP
      IF held IS NULL AND line[2] IS NOT NULL THEN
        told := told || ARRAY[[line[2], line[3], line[4]]];
      END IF;
      RETURN NEXT line;
    END LOOP;
  ELSE
    FOR line IN SELECT * FROM {schema}.commit_repairs(
      accept_loss => accept_loss, lock_timeout_ms => lock_timeout_ms,
      of_operator => of_operator, of_player => of_player, of_round => of_round,
      expected_version => expected_version, next_version => next_version,
      next_state => next_state, next_resume => next_resume, next_changed_at => next_changed_at,
      next_currency => next_currency, next_game_code => next_game_code, is_started => is_started,
      next_credited => next_credited, next_ended => next_ended, next_declined => next_declined,
      next_unanswered => next_unanswered, debits_real => debits_real, debits_bonus => debits_bonus,
      credits_real => credits_real, credits_bonus => credits_bonus,
      keeps_pending => keeps_pending, next_pending => next_pending, needs_attention => needs_attention,
      keep_ms => keep_ms, movements => movements, in_currency => in_currency, net => net,
      lowest => lowest, highest => highest, takes => takes, bonus_first => bonus_first, took => took,
      opening => opening, record_hash => record_hash, record_kind => record_kind,
      record_text => record_text, record_take => record_take, event => event,
      next_repairs => next_repairs
    )
    LOOP
      IF held IS NULL AND line[2] IS NOT NULL THEN
        told := told || ARRAY[[line[2], line[3], line[4]]];
      END IF;
      RETURN NEXT line;
    END LOOP;
  END IF;
  IF line[1] = 'committed' AND told IS NOT NULL THEN
    INSERT INTO {schema}.balances (round, version, at, lines, net, accounts)
      SELECT r.id, next_version, line_at, line_order, line_net, told FROM {schema}.rounds r
      WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round;
  END IF;
END $$;

-- As before, and the balances: lines 'balance', version, at, lines, net or null, currency, real, bonus or null of an account.
CREATE OR REPLACE FUNCTION {schema}.read_round(of_operator text, of_player text, of_round text)
RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  head {schema}.rounds;
BEGIN
  SELECT * INTO head FROM {schema}.rounds r
    WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round
      AND (r.expires_at IS NULL OR r.expires_at > statement_timestamp());
  IF NOT FOUND THEN RETURN; END IF;
  RETURN NEXT {schema}.head_line(head);
  IF head.repairs IS NOT NULL THEN RETURN NEXT ARRAY['repairs', head.repairs]; END IF;
  RETURN QUERY SELECT {schema}.record_line(t) FROM {schema}.records t WHERE t.round = head.id;
  RETURN QUERY SELECT ARRAY['balance', b.version::text, b.at::text, b.lines, b.net::text,
      b.accounts[n][1], b.accounts[n][2], b.accounts[n][3]]
    FROM {schema}.balances b CROSS JOIN LATERAL generate_subscripts(b.accounts, 1) AS n
    WHERE b.round = head.id ORDER BY b.version, n;
END $$;

-- For reports, as rounds_view; its columns are documented and stay.
CREATE VIEW {schema}.balances_view AS
  SELECT r.operator_id, r.player_id, r.game_round, b.version, {schema}.time_of(b.at) AS recorded_at, b.accounts[n][1] AS currency,
    {schema}.amount_of(b.accounts[n][2]::numeric, d.decimals) AS real,
    {schema}.amount_of(b.accounts[n][3]::numeric, d.decimals) AS bonus,
    b.accounts[n][2]::bigint AS real_units, b.accounts[n][3]::bigint AS bonus_units
  FROM {schema}.balances b
  JOIN {schema}.rounds r ON r.id = b.round
  CROSS JOIN (
    SELECT coalesce((SELECT s.value::integer FROM {schema}.settings s WHERE s.name = 'decimals'), 4) AS decimals
  ) AS d
  CROSS JOIN LATERAL generate_subscripts(b.accounts, 1) AS n;
