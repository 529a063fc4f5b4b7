-- A player with the block, as of one moment.
-- Lines: 'true' where the player is blocked, else 'false', currency, real, bonus or null; none where the player is not known.
CREATE FUNCTION {schema}.read_player(of_operator text, of_player text)
RETURNS SETOF text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY[a.blocked::text, a.currency, a.real::text, a.bonus::text]
  FROM {schema}.accounts a WHERE a.operator_id = of_operator AND a.player_id = of_player
$$;
