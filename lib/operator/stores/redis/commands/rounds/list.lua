#!lua flags=no-writes
-- Lists rounds of one index of a bucket, in the order of their names.
--
-- KEYS[1] attention or unfinished: as in commit.lua
-- ARGV[1] lower bound as ZRANGE BYLEX takes it, ARGV[2] how many at most
-- Reply: {member, ...}
return redis.call('ZRANGE', KEYS[1], ARGV[1], '+', 'BYLEX', 'LIMIT', 0, ARGV[2])
