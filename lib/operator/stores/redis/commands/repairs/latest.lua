#!lua flags=no-writes
-- Lists members of sets of one or several buckets, in each the latest first.
--
-- KEYS sets...: repairs or acts, as in commit.lua, of each bucket
-- ARGV from: upper bound as ZRANGE BYLEX takes it
-- ARGV atMost: how many of each bucket at most
-- Reply: for each bucket {member, ...}
local replies = {}
for index, set in ipairs(KEYS.sets) do
  replies[index] = redis.call('ZRANGE', set, ARGV.from, '-', 'BYLEX', 'REV', 'LIMIT', 0, ARGV.atMost)
end
return replies
