#!lua flags=no-writes
-- Reads the heads of rounds, which hold their repairs.
--
-- KEYS rounds...: as in commit.lua
-- ARGV none
-- Reply: for each round {head or nil, game code or nil}
local replies = {}
for index, round in ipairs(KEYS.rounds) do replies[index] = redis.call('HMGET', round, 'h', 'g') end
return replies
