#!lua flags=no-writes
-- Reads rounds of one bucket, each whole.
--
-- KEYS rounds...: as in commit.lua
-- ARGV none
-- Reply: for each round {field, value, ...}, empty if nothing is known of it
local replies = {}
for index, round in ipairs(KEYS.rounds) do replies[index] = redis.call('HGETALL', round) end
return replies
