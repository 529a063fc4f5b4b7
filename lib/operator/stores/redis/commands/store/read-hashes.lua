#!lua flags=no-writes
-- Reads hashes that have one hash tag: those of totals (add-totals.lua), or of minutes (save-minute.lua).
--
-- KEYS targets...: hashes
-- ARGV none
-- Reply: for each {name, value, ...}
local replies = {}
for index, key in ipairs(KEYS.targets) do replies[index] = redis.call('HGETALL', key) end
return replies
