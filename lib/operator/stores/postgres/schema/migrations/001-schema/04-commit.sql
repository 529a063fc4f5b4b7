-- The commit. It writes a change of one round with its movements, all or nothing, if the round has the version that the
-- change was decided on. It knows no rule of the protocol but the split of a debit (weigh_movements).
--
-- A function that locks several rows takes accounts first, in the order of their currencies, and a round after them; so
-- nothing deadlocks. What a debit takes from each balance is part of the round's head: so each row is written once.

-- Writes the repairs of a round, and lists each by the times of its proposal and of its first decision.
-- next_repairs: the text of the repairs
CREATE FUNCTION {schema}.write_repairs(of_operator text, of_player text, of_round text, next_repairs text)
RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
BEGIN
  UPDATE {schema}.rounds r SET repairs = next_repairs
    WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round;
  INSERT INTO {schema}.repairs AS p (operator_id, proposed_at, player_id, game_round, repair, decided_at)
    SELECT of_operator, (n.value ->> 12)::bigint, of_player, of_round, n.value ->> 0, (n.value ->> 15)::bigint
    FROM json_array_elements(next_repairs::json -> 1) AS n
    ON CONFLICT (operator_id, proposed_at, player_id, game_round, repair) DO UPDATE SET decided_at = excluded.decided_at
    WHERE p.decided_at IS NULL AND excluded.decided_at IS NOT NULL;
END $$;

-- Where all movements are in one currency the commit is first tried with the money as a guard: if the account has
-- from `lowest` to `highest`, the real balance pays everything, and nothing has to be weighed. If it has not, or the round
-- is another, the long way finds out which.
--
-- debits_, credits_, took: as weigh_movements has them
-- movements: null where no money moves; in_currency: null where it is not tried
-- net: what all movements add to the real balance; takes: whether one is a take, bonus_first: whether the bonus pays
--   first for one
-- keep_ms: milliseconds to keep the round, null for ever
-- opening: what becomes first_records, or null; record_: records of the table, record_take the number of the take whose
--   split is the record's, or null
-- event: what the commit tells its consumers, or null where none is declared: then nothing is written for them. A commit with
--   one holds the player by one lock in place of all accounts, which would be rows to write
-- next_repairs: the text of the repairs of the round, which are listed too; null leaves them as they are
-- line_at, line_order, line_net: at, lines and net of the balances after the commit; null where they are not kept
-- of_ledger: the accounts of those balances, where a ledger has them; null where they are those of this store. A player
--   without any keeps nothing
-- moment: as begin_limits has it, for a player who may have limits, whose commit goes the long way at once; null else
-- Lines: 'committed' with currency, real, bonus or null for each account after it; 'committed' alone where there is none
--        'stale'
--        'refused', number of the movement, reason
--        'limits', zones: nothing was written, since the moment is missing or lacks these zones
CREATE FUNCTION {schema}.commit_round(
  accept_loss boolean, lock_timeout_ms integer,
  of_operator text, of_player text, of_round text,
  expected_version bigint, next_version bigint,
  next_state text, next_resume text, next_changed_at bigint, next_currency text, next_game_code text,
  is_started boolean, next_credited bigint, next_ended bigint, next_declined text, next_unanswered bigint,
  debits_real bigint, debits_bonus bigint, credits_real bigint, credits_bonus bigint,
  keeps_pending boolean, next_pending text, needs_attention boolean, keep_ms bigint,
  movements text, in_currency text, net bigint, lowest bigint, highest bigint, takes boolean, bonus_first boolean,
  took bigint[], opening text, record_hash text[], record_kind text[], record_text text[], record_take integer[],
  event text DEFAULT NULL, next_repairs text DEFAULT NULL,
  line_at bigint DEFAULT NULL, line_order text DEFAULT NULL, line_net bigint DEFAULT NULL, of_ledger text DEFAULT NULL,
  moment json DEFAULT NULL
) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
-- A plan made while a table was small would walk it when it is large.
SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  is_quick boolean := movements IS NULL OR in_currency IS NOT NULL AND (moment IS NULL
    OR json_array_length(moment -> 'back') = 0 AND strpos(movements, '"reverse"') = 0 AND coalesce(array_length(took, 1), 0) <= 2);
  held_round bigint;
  weighed record;
  is_weighed boolean := movements IS NULL;
  counted {schema}.limits[];
  sums record;
  player_lock text;
  -- What begin_write does, as an assignment: a statement would cost more.
  lock_timeout CONSTANT text := set_config('lock_timeout', lock_timeout_ms::text, true);
BEGIN
  IF NOT accept_loss AND {schema}.loses_writes() THEN
    PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  END IF;
  -- One event of a player after the other, in the order of their ids, also where no money moves. The lock is that of hold_player.
  IF event IS NOT NULL THEN
    player_lock := pg_advisory_xact_lock(hashtextextended(of_player, hashtextextended(of_operator, 0)))::text;
  END IF;
  -- What voids take back counts where no money moves, too. Who holds limits holds accounts before, as set_limit does.
  IF moment IS NOT NULL AND movements IS NULL THEN
    PERFORM FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player
      ORDER BY a.currency FOR NO KEY UPDATE;
  ELSIF moment IS NOT NULL AND is_quick THEN
    PERFORM FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = in_currency
      FOR NO KEY UPDATE;
  END IF;
  IF moment IS NOT NULL AND is_quick THEN
    sums := {schema}.begin_limits(of_operator, of_player, moment);
    IF sums.missing IS NOT NULL THEN
      RETURN NEXT ARRAY['limits', sums.missing];
      RETURN;
    END IF;
    counted := sums.counted;
    IF movements IS NOT NULL THEN
      sums := {schema}.count_call(counted, in_currency, takes, coalesce(took[1], 0), -net, greatest(lowest, 0));
      counted := sums.counted;
      is_quick := NOT sums.exceeded;
    END IF;
  END IF;
  LOOP
    IF NOT is_quick AND NOT is_weighed THEN
      weighed := {schema}.weigh_movements(of_operator, of_player, movements::json,
        commit_round.credits_real, commit_round.credits_bonus,
        commit_round.debits_real, commit_round.debits_bonus, commit_round.took, moment);
      IF weighed.refusal = 'limits' THEN
        RETURN NEXT ARRAY['limits', weighed.missing];
        RETURN;
      ELSIF weighed.refusal IS NOT NULL THEN
        -- Another commit of this round may have taken the funds: then the change is stale, not refused.
        IF {schema}.version_of(of_operator, of_player, of_round) = expected_version THEN
          RETURN NEXT ARRAY['refused', weighed.refused_at::text, weighed.refusal];
        ELSE
          RETURN NEXT ARRAY['stale'];
        END IF;
        RETURN;
      END IF;
      debits_real := weighed.debits_real;
      debits_bonus := weighed.debits_bonus;
      took := weighed.took;
      counted := weighed.counted;
      is_weighed := true;
    END IF;
    IF expected_version = 0 THEN
      WITH held AS (
        SELECT FROM {schema}.accounts a
          WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = in_currency
            AND a.real BETWEEN lowest AND highest AND NOT (a.limited AND moment IS NULL OR takes AND a.blocked) AND NOT (bonus_first AND coalesce(a.bonus, 0) > 0)
          FOR NO KEY UPDATE
      )
      INSERT INTO {schema}.rounds (
        operator_id, player_id, game_round, number, version, state, resume, changed_at, currency, game_code,
        started, credited, ended, declined, unanswered, debits_real, debits_bonus, credits_real, credits_bonus,
        first_records, took, pending, attention, expires_at
      ) SELECT
        of_operator, of_player, of_round,
        -- Read once the account is held: a round that waited for it comes after those written meanwhile.
        greatest((extract(epoch FROM clock_timestamp()) * 1000000)::bigint, 1 + (
          SELECT l.number FROM {schema}.rounds l WHERE l.operator_id = of_operator AND l.player_id = of_player AND l.number > 0
          ORDER BY l.operator_id DESC, l.player_id DESC, l.number DESC LIMIT 1
        )), next_version, next_state, next_resume, next_changed_at, next_currency,
        next_game_code, is_started, next_credited, next_ended, next_declined, next_unanswered, commit_round.debits_real,
        commit_round.debits_bonus, commit_round.credits_real, commit_round.credits_bonus,
        opening, CASE WHEN opening IS NULL THEN NULL ELSE commit_round.took END, next_pending, needs_attention,
        statement_timestamp() + keep_ms * interval '1 millisecond'
      WHERE NOT is_quick OR movements IS NULL OR EXISTS (SELECT FROM held)
      ON CONFLICT DO NOTHING RETURNING number INTO held_round;
    ELSE
      WITH held AS (
        SELECT FROM {schema}.accounts a
          WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = in_currency
            AND a.real BETWEEN lowest AND highest AND NOT (a.limited AND moment IS NULL OR takes AND a.blocked) AND NOT (bonus_first AND coalesce(a.bonus, 0) > 0)
          FOR NO KEY UPDATE
      )
      UPDATE {schema}.rounds r SET
        version = next_version, state = next_state, resume = next_resume, changed_at = next_changed_at,
        currency = next_currency, game_code = next_game_code,
        started = is_started, credited = next_credited, ended = next_ended, declined = next_declined,
        unanswered = next_unanswered,
        debits_real = commit_round.debits_real, debits_bonus = commit_round.debits_bonus,
        credits_real = commit_round.credits_real, credits_bonus = commit_round.credits_bonus,
        pending = CASE WHEN keeps_pending THEN r.pending ELSE next_pending END,
        attention = needs_attention, expires_at = statement_timestamp() + keep_ms * interval '1 millisecond'
      WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round
        AND r.version = expected_version AND (r.expires_at IS NULL OR r.expires_at > statement_timestamp())
        AND (NOT is_quick OR movements IS NULL OR EXISTS (SELECT FROM held))
      RETURNING r.number INTO held_round;
    END IF;
    EXIT WHEN held_round IS NOT NULL;
    IF NOT is_quick AND expected_version = 0 THEN
      WITH gone AS (
        DELETE FROM {schema}.rounds r
          WHERE r.operator_id = of_operator AND r.player_id = of_player AND r.game_round = of_round
            AND r.expires_at <= statement_timestamp()
          RETURNING r.number
      )
      DELETE FROM {schema}.records USING gone
        WHERE operator_id = of_operator AND player_id = of_player AND round = gone.number;
      -- Another new round of the player may have taken the number: then the next one is tried.
      CONTINUE WHEN {schema}.version_of(of_operator, of_player, of_round) = 0;
    END IF;
    IF NOT is_quick THEN
      RETURN NEXT ARRAY['stale'];
      RETURN;
    END IF;
    is_quick := false;
  END LOOP;

  IF record_hash IS NOT NULL THEN
    INSERT INTO {schema}.records (operator_id, player_id, round, hash, kind, record, real, bonus)
    SELECT of_operator, of_player, held_round, n.hash, n.kind, n.record,
      commit_round.took[2 * n.take - 1], commit_round.took[2 * n.take]
    FROM unnest(record_hash, record_kind, record_text, record_take) AS n (hash, kind, record, take)
    ON CONFLICT (operator_id, player_id, round, hash, kind) DO UPDATE SET
      record = excluded.record, real = excluded.real, bonus = excluded.bonus;
  END IF;
  IF counted IS NOT NULL THEN PERFORM {schema}.write_limits(of_operator, of_player, counted); END IF;
  -- What most commits end with, in one statement.
  IF is_quick AND movements IS NOT NULL AND next_repairs IS NULL AND line_at IS NULL THEN
    IF event IS NULL THEN
      RETURN QUERY WITH paid AS (
        UPDATE {schema}.accounts a SET real = a.real + net
          WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = in_currency
          RETURNING a.currency, a.real, a.bonus
      )
      SELECT ARRAY['committed', p.currency, p.real::text, p.bonus::text] FROM paid p
      UNION ALL
      SELECT ARRAY['committed', o.currency, o.real::text, o.bonus::text] FROM {schema}.accounts o
        WHERE o.operator_id = of_operator AND o.player_id = of_player AND o.currency <> in_currency;
      RETURN;
    END IF;
    RETURN QUERY WITH paid AS (
      UPDATE {schema}.accounts a SET real = a.real + net
        WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = in_currency
        RETURNING a.currency, a.real::text, a.bonus::text
    ), known AS (
      SELECT p.currency, p.real, p.bonus FROM paid p
      UNION ALL
      SELECT o.currency, o.real::text, o.bonus::text FROM {schema}.accounts o
        WHERE o.operator_id = of_operator AND o.player_id = of_player AND o.currency <> in_currency
    ), told AS (
      INSERT INTO {schema}.events (operator_id, player_id, game_round, version, event, took, accounts)
        SELECT of_operator, of_player, of_round, next_version, commit_round.event, commit_round.took,
          array_agg(ARRAY[k.currency, k.real, k.bonus])
        FROM known k
    )
    SELECT ARRAY['committed', k.currency, k.real, k.bonus] FROM known k;
    RETURN;
  END IF;
  IF is_quick AND movements IS NOT NULL THEN
    UPDATE {schema}.accounts a SET real = a.real + net
      WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = in_currency;
  ELSIF movements IS NOT NULL THEN
    UPDATE {schema}.accounts a SET real = n.real, bonus = n.bonus
      FROM unnest(weighed.currencies, weighed.reals, weighed.bonuses) AS n (currency, real, bonus)
      WHERE a.operator_id = of_operator AND a.player_id = of_player AND a.currency = n.currency;
  END IF;
  RETURN QUERY SELECT ARRAY['committed', a.currency, a.real::text, a.bonus::text] FROM {schema}.accounts a
    WHERE a.operator_id = of_operator AND a.player_id = of_player;
  IF NOT FOUND THEN RETURN NEXT ARRAY['committed']; END IF;
  IF event IS NOT NULL THEN
    INSERT INTO {schema}.events (operator_id, player_id, game_round, version, event, took, accounts)
      SELECT of_operator, of_player, of_round, next_version, commit_round.event, commit_round.took,
        array_agg(ARRAY[a.currency, a.real::text, a.bonus::text])
      FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player;
  END IF;
  IF next_repairs IS NOT NULL THEN
    PERFORM {schema}.write_repairs(of_operator, of_player, of_round, next_repairs);
  END IF;
  IF line_at IS NOT NULL THEN
    INSERT INTO {schema}.balances (operator_id, player_id, round, version, at, lines, net, accounts)
      SELECT of_operator, of_player, held_round, next_version, line_at, line_order, line_net, k.accounts
      FROM (
        SELECT coalesce(of_ledger::text[], array_agg(ARRAY[a.currency, a.real::text, a.bonus::text])) AS accounts
        FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player
      ) AS k WHERE k.accounts IS NOT NULL;
  END IF;
END $$;
