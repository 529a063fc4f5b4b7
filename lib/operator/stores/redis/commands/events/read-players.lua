#!lua flags=no-writes
-- Reads the players of a round's id (add-totals.lua).
--
-- KEYS players: set
-- ARGV none
-- Reply: the players
return redis.call('SMEMBERS', KEYS.players)
