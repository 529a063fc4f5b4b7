#!lua flags=no-writes
-- Reads players of a round's id (add-totals.lua), first those that are kept longest.
--
-- KEYS players: sorted set
-- ARGV most: how many at most
-- Reply: the players
return redis.call('ZRANGE', KEYS.players, 0, ARGV.most - 1, 'REV')
