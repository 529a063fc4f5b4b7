#!lua
-- Blocks a player, or lifts it, and records it unless it repeats the latest record.
--
-- KEYS account: as in commit.lua
-- KEYS blocks: list of what was ordered, the oldest first: content, a space, the time
-- ARGV blocked: "1" to block, "0" to lift it
-- ARGV content: "1" or "0", id and name of the person, reason
-- ARGV time: when it was ordered
-- Reply: 1, or 0 if the player is unknown
if redis.call('EXISTS', KEYS.account) == 0 then return 0 end
if ARGV.blocked == '1' then
  redis.call('HSET', KEYS.account, 'blocked', '1')
else
  redis.call('HDEL', KEYS.account, 'blocked')
end
local last = redis.call('LRANGE', KEYS.blocks, -1, -1)[1]
if not last or string.match(last, '^(.*) %S+$') ~= ARGV.content then
  redis.call('RPUSH', KEYS.blocks, ARGV.content .. ' ' .. ARGV.time)
end
return 1
