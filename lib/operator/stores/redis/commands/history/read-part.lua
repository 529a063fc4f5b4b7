#!lua flags=no-writes
-- Reads some of a player's rounds, to look whether they still exist. Not the newest: the next round's number follows its number.
--
-- KEYS history: as in commit.lua
-- ARGV place: where to begin, from 0 for the oldest to 1000
-- ARGV atMost: how many at most
-- Reply: {entry, ...}
local length = redis.call('LLEN', KEYS.history) - 1
if length < 1 then return {} end
local first = math.floor(length * ARGV.place / 1000)
return redis.call('LRANGE', KEYS.history, first, math.min(first + ARGV.atMost, length) - 1)
