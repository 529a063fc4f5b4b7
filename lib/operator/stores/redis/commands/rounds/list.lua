#!lua flags=no-writes
-- Lists rounds of one index of a bucket, in the order of their names.
--
-- KEYS index: attention or unfinished, as in commit.lua
-- ARGV from: lower bound as ZRANGE BYLEX takes it
-- ARGV atMost: how many at most
-- Reply: {member, ...}
return redis.call('ZRANGE', KEYS.index, ARGV.from, '+', 'BYLEX', 'LIMIT', 0, ARGV.atMost)
