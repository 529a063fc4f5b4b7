#!lua flags=no-writes
-- Reads the latest records of a player's blocks.
--
-- KEYS account: as in commit.lua
-- KEYS blocks: as in block-player.lua
-- ARGV atMost: how many at most
-- Reply: {record, ...}, the oldest first, or "noPlayer"
if redis.call('EXISTS', KEYS.account) == 0 then return 'noPlayer' end
return redis.call('LRANGE', KEYS.blocks, -ARGV.atMost, -1)
