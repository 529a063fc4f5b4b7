#!lua flags=no-writes
-- Reads the heads of rounds, which hold their repairs.
--
-- KEYS rounds: as in commit.lua
-- ARGV none
-- Reply: for each round {head or nil, game code or nil}
local replies = {}
for index, key in ipairs(KEYS) do replies[index] = redis.call('HMGET', key, 'h', 'g') end
return replies
