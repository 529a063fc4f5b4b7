#!lua
-- Blocks a player, or lifts it, and records it unless it repeats the latest record.
--
-- KEYS account: as in commit.lua
-- KEYS blocks: list of what was ordered, the oldest first: content, a space, the time
-- KEYS acts: as in move-cash.lua
-- ARGV blocked: "1" to block, with a space and the milliseconds since 1970 if the block ends then; "0" to lift it
-- ARGV content: as blocked has it, but for the space a comma; id and name of the person, reason
-- ARGV time: when it was ordered
-- ARGV place: in acts, to which the number of the record is added; "" where a program orders it
-- part extra, as in move-cash.lua; the event has one more line: the number of the record
--   KEYS stream: as in commit.lua
--   ARGV event: as in move-cash.lua
--   ARGV at: as in commit.lua
-- Reply: 1, or 0 if the player is unknown
if redis.call('EXISTS', KEYS.account) == 0 then return 0 end
if ARGV.blocked == '0' then
  redis.call('HDEL', KEYS.account, 'blocked')
else
  redis.call('HSET', KEYS.account, 'blocked', ARGV.blocked)
end
local last = redis.call('LRANGE', KEYS.blocks, -1, -1)[1]
if not last or string.match(last, '^(.*) %S+$') ~= ARGV.content then
  local number = redis.call('RPUSH', KEYS.blocks, ARGV.content .. ' ' .. ARGV.time)
  if ARGV.place ~= '' then
    local place = ARGV.place .. string.format('%016d', number)
    redis.call('ZADD', KEYS.acts, 0, place .. ' ' .. ARGV.content .. ' ' .. ARGV.time)
  end
  if KEYS.stream then tell(KEYS.stream, KEYS.account, ARGV.event .. '\n' .. number, ARGV.at) end
end
return 1
