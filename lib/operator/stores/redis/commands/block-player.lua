#!lua
-- Blocks a player, or lifts it.
--
-- KEYS[1] account: as in commit.lua
-- ARGV[1] "1" to block, "0" to lift it
-- Reply: 1, or 0 if the player is unknown
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if ARGV[1] == '1' then
  redis.call('HSET', KEYS[1], 'blocked', '1')
else
  redis.call('HDEL', KEYS[1], 'blocked')
end
return 1
