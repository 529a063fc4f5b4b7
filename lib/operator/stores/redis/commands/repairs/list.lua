#!lua flags=no-writes
-- Lists repairs of one or several buckets, in each the latest proposal first.
--
-- KEYS repairs...: as in commit.lua, of each bucket
-- ARGV from: upper bound as ZRANGE BYLEX takes it
-- ARGV atMost: how many of each bucket at most
-- Reply: for each bucket {member, ...}
local replies = {}
for index, repairs in ipairs(KEYS.repairs) do
  replies[index] = redis.call('ZRANGE', repairs, ARGV.from, '-', 'BYLEX', 'REV', 'LIMIT', 0, ARGV.atMost)
end
return replies
