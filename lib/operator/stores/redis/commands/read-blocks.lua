#!lua flags=no-writes
-- Reads the latest records of a player's blocks.
--
-- KEYS[1] account: as in commit.lua
-- KEYS[2] blocks: as in block-player.lua
-- ARGV[1] how many at most
-- Reply: {record, ...}, the oldest first, or "noPlayer"
if redis.call('EXISTS', KEYS[1]) == 0 then return 'noPlayer' end
return redis.call('LRANGE', KEYS[2], -ARGV[1], -1)
