-- When players were blocked, and when it was lifted: by whom and why. Rows are added, never changed or deleted.
-- actor_id, actor_name, reason: null where a program did it
CREATE TABLE {schema}.blocks (
  operator_id text COLLATE "C" NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  blocked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  blocked boolean NOT NULL,
  actor_id text,
  actor_name text,
  reason text,
  PRIMARY KEY (operator_id, player_id, id)
);

-- Blocks a player as block_player does, and records it unless it repeats the latest record of the player.
-- Line: 'done' or 'noPlayer'.
CREATE FUNCTION {schema}.record_block(
  accept_loss boolean, lock_timeout_ms integer, of_operator text, of_player text, is_blocked boolean,
  of_actor text, of_actor_name text, of_reason text
) RETURNS SETOF text[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  answer text[];
  last {schema}.blocks;
BEGIN
  SELECT * INTO answer FROM {schema}.block_player(accept_loss, lock_timeout_ms, of_operator, of_player, is_blocked);
  IF answer[1] = 'done' THEN
    SELECT * INTO last FROM {schema}.blocks b
      WHERE b.operator_id = of_operator AND b.player_id = of_player ORDER BY b.id DESC LIMIT 1;
    IF NOT FOUND OR (last.blocked, last.actor_id, last.actor_name, last.reason)
      IS DISTINCT FROM (is_blocked, of_actor, of_actor_name, of_reason) THEN
      INSERT INTO {schema}.blocks (operator_id, player_id, blocked, actor_id, actor_name, reason)
        VALUES (of_operator, of_player, is_blocked, of_actor, of_actor_name, of_reason);
    END IF;
  END IF;
  RETURN NEXT answer;
END $$;

-- The latest records of a player, the newest first.
-- Lines: 'block', 'true' or 'false', microseconds since 1970, actor, name, reason; 'noPlayer'
CREATE FUNCTION {schema}.list_blocks(of_operator text, of_player text, at_most integer)
RETURNS SETOF text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT ARRAY['block', b.blocked::text, (extract(epoch FROM b.blocked_at) * 1000000)::bigint::text,
      b.actor_id, b.actor_name, b.reason]
    FROM {schema}.blocks b WHERE b.operator_id = of_operator AND b.player_id = of_player
    ORDER BY b.id DESC LIMIT at_most;
  IF NOT FOUND AND {schema}.missing_account(of_operator, of_player) = 'noPlayer' THEN
    RETURN NEXT ARRAY['noPlayer'];
  END IF;
END $$;
