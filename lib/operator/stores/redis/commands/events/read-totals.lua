#!lua flags=no-writes
-- Reads the totals of quarters, what they lack, or what they keep of rounds: hashes.
--
-- KEYS targets...: as in add-totals.lua, or marks
-- ARGV none
-- Reply: for each {name, value, ...}
local replies = {}
for index, key in ipairs(KEYS.targets) do replies[index] = redis.call('HGETALL', key) end
return replies
