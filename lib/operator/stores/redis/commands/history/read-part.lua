#!lua flags=no-writes
-- Reads some of a player's rounds, to look whether they are still there. The newest is left out: the numbers go on from it.
--
-- KEYS[1] history: as in commit.lua
-- ARGV[1] where to begin, from 0 for the oldest to 1000, ARGV[2] how many at most
-- Reply: {entry, ...}
local length = redis.call('LLEN', KEYS[1]) - 1
if length < 1 then return {} end
local first = math.floor(length * ARGV[1] / 1000)
return redis.call('LRANGE', KEYS[1], first, math.min(first + ARGV[2], length) - 1)
