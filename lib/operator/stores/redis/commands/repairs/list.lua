#!lua flags=no-writes
-- Lists repairs of one or several buckets, in each the latest proposal first.
--
-- KEYS repairs: as in commit.lua, one of each bucket
-- ARGV[1] upper bound as ZRANGE BYLEX takes it, ARGV[2] how many of each bucket at most
-- Reply: for each bucket {member, ...}
local replies = {}
for index, key in ipairs(KEYS) do
  replies[index] = redis.call('ZRANGE', key, ARGV[1], '-', 'BYLEX', 'REV', 'LIMIT', 0, ARGV[2])
end
return replies
