#!lua
-- Blocks a player, or lifts it, and records it unless it repeats the latest record.
--
-- KEYS[1] account: as in commit.lua
-- KEYS[2] blocks: list of what was ordered, the oldest first: content, and behind a space the time
-- ARGV[1] "1" to block, "0" to lift it
-- ARGV[2] content: ARGV[1], id and name of the person, reason; ARGV[3] time
-- Reply: 1, or 0 if the player is unknown
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if ARGV[1] == '1' then
  redis.call('HSET', KEYS[1], 'blocked', '1')
else
  redis.call('HDEL', KEYS[1], 'blocked')
end
local last = redis.call('LRANGE', KEYS[2], -1, -1)[1]
if not last or string.match(last, '^(.*) %S+$') ~= ARGV[2] then
  redis.call('RPUSH', KEYS[2], ARGV[2] .. ' ' .. ARGV[3])
end
return 1
