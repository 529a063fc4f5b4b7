#!lua
-- Blocks a player, or lifts it, and records it unless it repeats the latest record.
--
-- KEYS account: as in commit.lua
-- KEYS blocks: list of what was ordered, the oldest first: content, a space, the time
-- ARGV blocked: "1" to block, "0" to lift it
-- ARGV content: "1" or "0", id and name of the person, reason
-- ARGV time: when it was ordered
-- Reply: 1, or 0 if the player is unknown
if redis.call('EXISTS', keys.account) == 0 then return 0 end
if args.blocked == '1' then
  redis.call('HSET', keys.account, 'blocked', '1')
else
  redis.call('HDEL', keys.account, 'blocked')
end
local last = redis.call('LRANGE', keys.blocks, -1, -1)[1]
if not last or string.match(last, '^(.*) %S+$') ~= args.content then
  redis.call('RPUSH', keys.blocks, args.content .. ' ' .. args.time)
end
return 1
