-- What people did, from the tables that keep it.

-- What people did and no other table has: files that they took out of the store, changes of rights. Rows are added, never
-- changed or deleted.
-- at: milliseconds since 1970; player_id: empty where it was not of one player; key: x of a file, g of rights, and its name;
-- content: JSON that the store's code describes
CREATE TABLE {schema}.noted_acts (
  operator_id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  actor_id text COLLATE "C" NOT NULL,
  content text COLLATE "C" NOT NULL,
  PRIMARY KEY (operator_id, at, player_id, key)
);

-- Writes down an act, once. Line: 'done'
CREATE FUNCTION {schema}.note_act(
  accept_loss boolean, lock_timeout_ms integer, of_operator text, of_player text, at bigint, of_key text, of_actor text, content text
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  INSERT INTO {schema}.noted_acts (operator_id, at, player_id, key, actor_id, content)
    VALUES (of_operator, note_act.at, of_player, of_key, of_actor, note_act.content)
    ON CONFLICT DO NOTHING;
  RETURN NEXT ARRAY['done'];
END $$;

-- A moment of microseconds since 1970.
CREATE FUNCTION {schema}.moment_of(us bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT timestamptz 'epoch' + us * interval '1 microsecond'
$$;

-- Microseconds since 1970.
CREATE FUNCTION {schema}.micros_of(moment timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (extract(epoch FROM moment) * 1000000)::bigint
$$;

-- A page of the acts of people, the newest first, before one of them. Each kind is read from its own index, and so are no more
-- rows of each than the page has, unless they are of another player or person than is asked for.
-- of_player, of_actor, of_kind: null for all; from_us: microseconds since 1970
-- before_us, before_player, before_key: of the last one of the page before; null and empty texts for the newest page
-- Lines: of history_store; then kind, microseconds since 1970, player, key, actor, name, reason, and
--        'cash': reference, kind, units, currency, balance
--        'block': 'true' or 'false', when it ends or null
--        'limit': terms
--        'repair': step, round, the repair as JSON; actor, name and reason are null, since they are there
--        'noted': what was done as JSON, with the actor and the name
CREATE FUNCTION {schema}.list_acts(
  of_operator text, of_player text, of_actor text, of_kind text, from_us bigint,
  before_us bigint, before_player text, before_key text, at_most integer
) RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  earliest CONSTANT timestamptz := {schema}.moment_of(coalesce(from_us, 0));
  latest CONSTANT timestamptz := CASE WHEN before_us IS NULL THEN 'infinity' ELSE {schema}.moment_of(before_us) END;
  earliest_ms CONSTANT bigint := (coalesce(from_us, 0) + 999) / 1000;
  latest_us CONSTANT bigint := coalesce(before_us, 9223372036854775807);
BEGIN
  RETURN QUERY SELECT * FROM {schema}.history_store();
  RETURN QUERY SELECT a.line FROM (
    (SELECT c.moved_at AS at, c.player_id, 'c' || c.reference AS key,
        ARRAY['cash', {schema}.micros_of(c.moved_at)::text, c.player_id, 'c' || c.reference, c.actor_id, c.actor_name, c.reason,
          c.reference, c.kind, c.units::text, c.currency, c.balance] AS line
      FROM {schema}.cash c
      WHERE coalesce(of_kind, 'cash') IN ('cash', 'correction')
        AND c.operator_id = of_operator AND c.actor_id IS NOT NULL AND c.moved_at BETWEEN earliest AND latest
        AND (c.moved_at, c.player_id, 'c' || c.reference) < (latest, before_player, before_key)
        AND (of_player IS NULL OR c.player_id = of_player) AND (of_actor IS NULL OR c.actor_id = of_actor)
        AND (of_kind IS NULL OR of_kind = CASE c.kind WHEN 'correction' THEN 'correction' ELSE 'cash' END)
      ORDER BY c.operator_id DESC, c.moved_at DESC, c.player_id DESC, c.reference DESC LIMIT at_most)
    UNION ALL
    (SELECT b.blocked_at, b.player_id, 'b' || lpad(b.number::text, 16, '0'),
        ARRAY['block', {schema}.micros_of(b.blocked_at)::text, b.player_id, 'b' || lpad(b.number::text, 16, '0'),
          b.actor_id, b.actor_name, b.reason, b.blocked::text, b.ends_at::text]
      FROM {schema}.blocks b
      WHERE coalesce(of_kind, 'block') = 'block'
        AND b.operator_id = of_operator AND b.actor_id IS NOT NULL AND b.blocked_at BETWEEN earliest AND latest
        AND (b.blocked_at, b.player_id, 'b' || lpad(b.number::text, 16, '0') COLLATE "C") < (latest, before_player, before_key)
        AND (of_player IS NULL OR b.player_id = of_player) AND (of_actor IS NULL OR b.actor_id = of_actor)
      ORDER BY b.operator_id DESC, b.blocked_at DESC, b.player_id DESC, b.number DESC LIMIT at_most)
    UNION ALL
    (SELECT l.changed_at, l.player_id, 'l' || lpad(l.number::text, 16, '0'),
        ARRAY['limit', {schema}.micros_of(l.changed_at)::text, l.player_id, 'l' || lpad(l.number::text, 16, '0'),
          l.actor_id, l.actor_name, l.reason, l.terms]
      FROM {schema}.limit_changes l
      WHERE coalesce(of_kind, 'limit') = 'limit'
        AND l.operator_id = of_operator AND l.actor_id IS NOT NULL AND l.changed_at BETWEEN earliest AND latest
        AND (l.changed_at, l.player_id, 'l' || lpad(l.number::text, 16, '0') COLLATE "C") < (latest, before_player, before_key)
        AND (of_player IS NULL OR l.player_id = of_player) AND (of_actor IS NULL OR l.actor_id = of_actor)
      ORDER BY l.operator_id DESC, l.changed_at DESC, l.player_id DESC, l.number DESC LIMIT at_most)
    UNION ALL
    (SELECT {schema}.moment_of(p.proposed_at * 1000), p.player_id, 'r' || p.game_round || '#' || p.repair || '#proposed',
        ARRAY['repair', (p.proposed_at * 1000)::text, p.player_id, 'r' || p.game_round || '#' || p.repair || '#proposed',
          NULL, NULL, NULL, 'proposed', p.game_round, n.value::text]
      FROM {schema}.repairs p
      JOIN {schema}.rounds r ON r.operator_id = p.operator_id AND r.player_id = p.player_id AND r.game_round = p.game_round
      CROSS JOIN LATERAL json_array_elements(r.repairs::json -> 1) AS n
      WHERE coalesce(of_kind, 'repair') = 'repair' AND n.value ->> 0 = p.repair
        AND p.operator_id = of_operator AND p.proposed_at BETWEEN earliest_ms AND latest_us / 1000
        AND (p.proposed_at * 1000, p.player_id, 'r' || p.game_round || '#' || p.repair || '#proposed')
          < (latest_us, before_player, before_key)
        AND (of_player IS NULL OR p.player_id = of_player) AND (of_actor IS NULL OR n.value -> 11 ->> 0 = of_actor)
      ORDER BY p.operator_id DESC, p.proposed_at DESC, p.player_id DESC, p.game_round DESC, p.repair DESC LIMIT at_most)
    UNION ALL
    (SELECT {schema}.moment_of(p.decided_at * 1000), p.player_id, 'r' || p.game_round || '#' || p.repair || '#decided',
        ARRAY['repair', (p.decided_at * 1000)::text, p.player_id, 'r' || p.game_round || '#' || p.repair || '#decided',
          NULL, NULL, NULL, CASE n.value ->> 2 WHEN 'rejected' THEN 'rejected' ELSE 'approved' END, p.game_round, n.value::text]
      FROM {schema}.repairs p
      JOIN {schema}.rounds r ON r.operator_id = p.operator_id AND r.player_id = p.player_id AND r.game_round = p.game_round
      CROSS JOIN LATERAL json_array_elements(r.repairs::json -> 1) AS n
      WHERE coalesce(of_kind, 'repair') = 'repair' AND n.value ->> 0 = p.repair
        AND p.operator_id = of_operator AND p.decided_at BETWEEN earliest_ms AND latest_us / 1000
        AND (p.decided_at * 1000, p.player_id, 'r' || p.game_round || '#' || p.repair || '#decided')
          < (latest_us, before_player, before_key)
        AND (of_player IS NULL OR p.player_id = of_player) AND (of_actor IS NULL OR n.value -> 14 ->> 0 = of_actor)
      ORDER BY p.operator_id DESC, p.decided_at DESC, p.player_id DESC, p.game_round DESC, p.repair DESC LIMIT at_most)
    UNION ALL
    (SELECT {schema}.moment_of(x.at * 1000), x.player_id, x.key,
        ARRAY['noted', (x.at * 1000)::text, x.player_id, x.key, NULL, NULL, NULL, x.content]
      FROM {schema}.noted_acts x
      WHERE coalesce(of_kind, 'export') IN ('export', 'rights')
        AND (of_kind IS NULL OR of_kind = CASE left(x.key, 1) WHEN 'x' THEN 'export' ELSE 'rights' END)
        AND x.operator_id = of_operator AND x.at BETWEEN earliest_ms AND latest_us / 1000
        AND (x.at * 1000, x.player_id, x.key) < (latest_us, before_player, before_key)
        AND (of_player IS NULL OR x.player_id = of_player) AND (of_actor IS NULL OR x.actor_id = of_actor)
      ORDER BY x.operator_id DESC, x.at DESC, x.player_id DESC, x.key DESC LIMIT at_most)
  ) AS a
  ORDER BY a.at DESC, a.player_id COLLATE "C" DESC, a.key COLLATE "C" DESC LIMIT at_most;
END $$;
