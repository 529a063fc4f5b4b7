#!lua flags=no-writes
-- Reads a round whole.
--
-- KEYS round: as in commit.lua
-- ARGV none
-- Reply: {field, value, ...}, empty if nothing is known of it
return redis.call('HGETALL', KEYS.round)
