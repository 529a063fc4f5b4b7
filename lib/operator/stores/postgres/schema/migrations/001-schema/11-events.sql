-- Functions of the consumers of events.

-- Transaction ids and snapshots mean nothing in another cluster, as after a restore from a dump or a logical copy: then
-- everything that is kept counts as new, and every consumer begins again. All that is kept gets one transaction that is over,
-- from before those that write now: so what they write comes after it. Numbers keep the order of each player: their
-- transactions are of one cluster, whatever its clock said.
CREATE FUNCTION {schema}.renew_events() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own CONSTANT text := (SELECT system_identifier::text FROM pg_control_system());
BEGIN
  IF own = (SELECT s.value FROM {schema}.settings s WHERE s.name = 'events_cluster') THEN RETURN; END IF;
  LOCK TABLE {schema}.event_cursors IN SHARE ROW EXCLUSIVE MODE;
  IF own = (SELECT s.value FROM {schema}.settings s WHERE s.name = 'events_cluster') THEN RETURN; END IF;
  IF EXISTS (SELECT FROM {schema}.settings s WHERE s.name = 'events_cluster') THEN
    UPDATE {schema}.events e SET number = o.number, tx = (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text::xid8
      FROM (
        SELECT k.ctid AS place, row_number() OVER (PARTITION BY k.operator_id, k.player_id ORDER BY k.tx, k.number, k.at) AS number
        FROM {schema}.events k
      ) AS o WHERE e.ctid = o.place;
    UPDATE {schema}.event_cursors SET previous = '1:1:', target = NULL, step = step + 1;
  END IF;
  INSERT INTO {schema}.settings (name, value) VALUES ('events_cluster', own)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value;
END $$;

-- Declares consumers, and notes in which cluster: an event may be written, and restored elsewhere, before any is read.
-- Line: how many are new.
CREATE FUNCTION {schema}.declare_consumers(accept_loss boolean, lock_timeout_ms integer, names text[])
RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  declared integer;
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  INSERT INTO {schema}.event_consumers (consumer) SELECT n.name FROM unnest(names) AS n (name) ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS declared = ROW_COUNT;
  PERFORM {schema}.renew_events();
  RETURN NEXT ARRAY[declared::text];
END $$;

-- The next page of a consumer, in order. It is the same one until it is acknowledged.
-- Lines: 'unknown' where the consumer is not declared
--        'page', step; 'event', place, player, round, version, milliseconds since 1970, event, took, accounts
--        none where there is nothing to read
CREATE FUNCTION {schema}.read_events(lock_timeout_ms integer, of_operator text, of_consumer text, at_most integer)
RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  cursor_now {schema}.event_cursors;
  -- New since the pages before: what began after their snapshot, and what was in progress in it. So what was read since an
  -- old transaction began is not walked again.
  old_txs xid8[];
  new_from xid8;
BEGIN
  PERFORM set_config('lock_timeout', lock_timeout_ms::text, true);
  IF NOT EXISTS (SELECT FROM {schema}.event_consumers c WHERE c.consumer = of_consumer) THEN
    RETURN NEXT ARRAY['unknown'];
    RETURN;
  END IF;
  PERFORM {schema}.renew_events();
  SELECT * INTO cursor_now FROM {schema}.event_cursors c
    WHERE c.operator_id = of_operator AND c.consumer = of_consumer;
  new_from := pg_snapshot_xmax(coalesce(cursor_now.previous, '1:1:'));
  old_txs := ARRAY(SELECT pg_snapshot_xip(coalesce(cursor_now.previous, '1:1:')));
  -- An idle consumer writes nothing.
  IF cursor_now.target IS NULL
    AND NOT EXISTS (SELECT FROM {schema}.events e WHERE e.operator_id = of_operator AND e.tx >= new_from)
    AND NOT EXISTS (SELECT FROM {schema}.events e WHERE e.operator_id = of_operator AND e.tx = ANY (old_txs))
  THEN RETURN; END IF;
  INSERT INTO {schema}.event_cursors (operator_id, consumer) VALUES (of_operator, of_consumer) ON CONFLICT DO NOTHING;
  SELECT * INTO STRICT cursor_now FROM {schema}.event_cursors c
    WHERE c.operator_id = of_operator AND c.consumer = of_consumer FOR UPDATE;
  new_from := pg_snapshot_xmax(cursor_now.previous);
  old_txs := ARRAY(SELECT pg_snapshot_xip(cursor_now.previous));
  IF cursor_now.target IS NULL THEN
    SELECT pg_current_snapshot() INTO cursor_now.target;
    IF NOT EXISTS (
      SELECT FROM {schema}.events e WHERE e.operator_id = of_operator AND e.tx >= new_from
        AND pg_visible_in_snapshot(e.tx, cursor_now.target)
    ) AND NOT EXISTS (
      SELECT FROM {schema}.events e WHERE e.operator_id = of_operator AND e.tx = ANY (old_txs)
        AND pg_visible_in_snapshot(e.tx, cursor_now.target)
    ) THEN RETURN; END IF;
    UPDATE {schema}.event_cursors c
      -- Where the events begin that may be new: what was deleted before is not looked at again.
      SET target = cursor_now.target, last_tx = pg_snapshot_xmin(cursor_now.previous), last_player = '', last_number = 0
      WHERE c.operator_id = of_operator AND c.consumer = of_consumer RETURNING c.* INTO STRICT cursor_now;
  END IF;
  RETURN NEXT ARRAY['page', cursor_now.step::text];
  RETURN QUERY SELECT ARRAY['event', e.tx || ' ' || e.number || ' ' || e.player_id, e.player_id, e.game_round, e.version::text,
      floor(extract(epoch FROM e.at) * 1000)::text, e.event, array_to_string(e.took, ' '), array_to_string(e.accounts, ' ', '-')]
    FROM (
      (SELECT o.* FROM {schema}.events o WHERE o.operator_id = of_operator AND o.tx = ANY (old_txs)
        AND (o.tx, o.player_id, o.number) > (cursor_now.last_tx, cursor_now.last_player, cursor_now.last_number)
        AND pg_visible_in_snapshot(o.tx, cursor_now.target)
        ORDER BY o.tx, o.player_id, o.number LIMIT at_most)
      UNION ALL
      (SELECT n.* FROM {schema}.events n WHERE n.operator_id = of_operator AND n.tx >= new_from
        AND (n.tx, n.player_id, n.number) > (cursor_now.last_tx, cursor_now.last_player, cursor_now.last_number)
        AND pg_visible_in_snapshot(n.tx, cursor_now.target)
        ORDER BY n.tx, n.player_id, n.number LIMIT at_most)
    ) AS e
    ORDER BY e.tx, e.player_id, e.number LIMIT at_most;
END $$;

-- Deletes events from a place to another, both in the order of pages, that every declared consumer has acknowledged.
-- after_: from behind this place; until_tx: null for no end
CREATE FUNCTION {schema}.forget_events(
  of_operator text, after_tx xid8, after_player text, after_number bigint,
  until_tx xid8, until_player text, until_number bigint, at_most integer
) RETURNS void LANGUAGE sql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  DELETE FROM {schema}.events e WHERE e.ctid = ANY (ARRAY(
    SELECT o.ctid FROM (
      SELECT k.ctid, k.tx, k.player_id, k.number FROM {schema}.events k WHERE k.operator_id = of_operator
        AND (k.tx, k.player_id, k.number) > (after_tx, after_player, after_number)
        AND (k.tx, k.player_id, k.number) <= (coalesce(until_tx, '18446744073709551615'), until_player, until_number)
      ORDER BY k.tx, k.player_id, k.number LIMIT at_most FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE NOT EXISTS (
      SELECT FROM {schema}.event_consumers c LEFT JOIN {schema}.event_cursors p
        ON p.operator_id = of_operator AND p.consumer = c.consumer
      WHERE p.previous IS NULL OR NOT (pg_visible_in_snapshot(o.tx, p.previous)
        OR (p.target IS NOT NULL AND (o.tx, o.player_id, o.number) <= (p.last_tx, p.last_player, p.last_number)
          AND pg_visible_in_snapshot(o.tx, p.target)))
    )
  ))
$$;

-- Acknowledges a page up to an event, if it is still the consumer's; is_last where the page was not full.
-- to_place: of the event, as read_events has it; empty without one
-- Line: 'done', or 'moved' where another reader has acknowledged it.
CREATE FUNCTION {schema}.advance_events(
  accept_loss boolean, lock_timeout_ms integer, of_operator text, of_consumer text,
  at_step bigint, to_place text, is_last boolean
) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  before {schema}.event_cursors;
  place_tx CONSTANT xid8 := nullif(split_part(to_place, ' ', 1), '');
  place_number CONSTANT bigint := nullif(split_part(to_place, ' ', 2), '');
  place_player CONSTANT text := regexp_replace(to_place, '^\d+ \d+ ', '');
  old_tx xid8;
  new_from xid8;
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  -- One acknowledgement of an operator after the other: the last consumer of a page sees that all others have it.
  PERFORM FROM {schema}.event_cursors c WHERE c.operator_id = of_operator ORDER BY c.consumer FOR UPDATE;
  SELECT * INTO before FROM {schema}.event_cursors c
    WHERE c.operator_id = of_operator AND c.consumer = of_consumer AND c.step = at_step AND c.target IS NOT NULL;
  IF NOT FOUND THEN
    RETURN NEXT ARRAY['moved'];
    RETURN;
  END IF;
  UPDATE {schema}.event_cursors c SET
      step = c.step + 1,
      previous = CASE WHEN is_last THEN c.target ELSE c.previous END,
      target = CASE WHEN is_last THEN NULL ELSE c.target END,
      last_tx = coalesce(place_tx, '0'), last_number = coalesce(place_number, 0), last_player = coalesce(place_player, '')
    WHERE c.operator_id = of_operator AND c.consumer = of_consumer;
  -- What the page held, and no more: each consumer deletes what it is the last to acknowledge.
  IF place_tx IS NOT NULL THEN
    FOR old_tx IN SELECT t FROM pg_snapshot_xip(before.previous) AS t WHERE t BETWEEN before.last_tx AND place_tx LOOP
      PERFORM {schema}.forget_events(of_operator, old_tx, '', -1, (old_tx::text::numeric + 1)::text::xid8, '', -1, 1000000);
    END LOOP;
    new_from := pg_snapshot_xmax(before.previous);
    IF before.last_tx < new_from THEN
      PERFORM {schema}.forget_events(of_operator, new_from, '', -1, place_tx, place_player, place_number, 1000000);
    ELSE
      PERFORM {schema}.forget_events(of_operator, before.last_tx, before.last_player, before.last_number,
        place_tx, place_player, place_number, 1000000);
    END IF;
  END IF;
  RETURN NEXT ARRAY['done'];
END $$;

-- Lines: consumer, number of events that it has not acknowledged, when the oldest was written in milliseconds since 1970.
--        Where no consumer is declared one with null in its place, of all events: a process may still write them.
CREATE FUNCTION {schema}.lag_events(of_operator text)
RETURNS SETOF text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
  SELECT ARRAY[c.consumer, w.waiting::text, floor(extract(epoch FROM w.oldest) * 1000)::text]
  FROM {schema}.event_consumers c
  LEFT JOIN {schema}.event_cursors p ON p.operator_id = of_operator AND p.consumer = c.consumer
  CROSS JOIN LATERAL (
    SELECT count(*) AS waiting, min(e.at) AS oldest FROM {schema}.events e
    WHERE e.operator_id = of_operator AND e.tx >= pg_snapshot_xmin(coalesce(p.previous, '1:1:'))
      AND NOT pg_visible_in_snapshot(e.tx, coalesce(p.previous, '1:1:'))
      AND NOT (p.target IS NOT NULL AND (e.tx, e.player_id, e.number) <= (p.last_tx, p.last_player, p.last_number)
        AND pg_visible_in_snapshot(e.tx, p.target))
  ) AS w
  UNION ALL
  SELECT ARRAY[NULL, count(*)::text, floor(extract(epoch FROM min(e.at)) * 1000)::text]
  FROM {schema}.events e WHERE e.operator_id = of_operator AND NOT EXISTS (SELECT FROM {schema}.event_consumers)
  HAVING NOT EXISTS (SELECT FROM {schema}.event_consumers)
$$;

-- Takes back the declaration of a consumer, with its positions, and deletes what no other one waits for.
-- Line: 'true' where it was declared, else 'false'.
CREATE FUNCTION {schema}.forget_consumer(
  accept_loss boolean, lock_timeout_ms integer, of_consumer text, of_operators text[]
) RETURNS SETOF text[] LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  was_declared boolean;
BEGIN
  PERFORM {schema}.begin_write(accept_loss, lock_timeout_ms);
  DELETE FROM {schema}.event_consumers c WHERE c.consumer = of_consumer;
  was_declared := FOUND;
  DELETE FROM {schema}.event_cursors c WHERE c.consumer = of_consumer;
  -- The totals may miss events from now on.
  IF of_consumer = 'totals' THEN
    DELETE FROM {schema}.totals_since t WHERE t.operator_id = ANY (of_operators);
  END IF;
  IF was_declared THEN
    PERFORM {schema}.forget_events(o.name, '0', '', 0, NULL, NULL, NULL, 1000000) FROM unnest(of_operators) AS o (name);
  END IF;
  RETURN NEXT ARRAY[was_declared::text];
END $$;
