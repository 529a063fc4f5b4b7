#!lua
-- Sets the limits of a player to what was made of those that were read, and records it unless it repeats the latest record.
--
-- KEYS account: as in commit.lua
-- KEYS changes: list of what was ordered, the oldest first: content, a space, the time
-- KEYS acts: as in move-cash.lua
-- ARGV read: the terms that were read (terms_of in limits/count.lua)
-- ARGV groups: of each group a line: currency, zone, kind, what counts, the three limits, the numbers of three windows,
--      since when it counts. A group that is known keeps its counters
-- ARGV content: kind, currency, window, zone, what counts, units or "-", id and name of the person, reason
-- ARGV time: when it was ordered
-- ARGV place: in acts, to which the number of the record is added; "" where a program orders it
-- part extra, as in block-player.lua
--   KEYS stream: as in commit.lua
--   ARGV event: as in move-cash.lua
--   ARGV at: as in commit.lua
-- Reply: 1, or 0 if the player has other limits by now, or is gone: then nothing was written
if redis.call('EXISTS', KEYS.account) == 0 then return 0 end
local value = redis.call('HGET', KEYS.account, '#limits')
local known = value and unpack_limits(value) or {}
if terms_of(known) ~= ARGV.read then return 0 end
local groups = {}
for line in string.gmatch(ARGV.groups, '[^\n]+') do
  local words = {}
  for word in string.gmatch(line, '%S+') do words[#words + 1] = word end
  local group = { words[1], words[2], tonumber(words[3]), tonumber(words[4]) }
  for window = 1, 3 do
    local at = 2 + 3 * window
    group[at], group[at + 1], group[at + 2] = tonumber(words[7 + window]), 0, tonumber(words[4 + window])
  end
  group[14] = tonumber(words[11])
  for _, one in ipairs(known) do
    if one[1] == group[1] and one[2] == group[2] and one[3] == group[3] and one[4] == group[4] then
      for at = 5, 11, 3 do group[at], group[at + 1] = one[at], one[at + 1] end
      group[14] = one[14]
    end
  end
  groups[#groups + 1] = group
end
if #groups > 0 then
  redis.call('HSET', KEYS.account, '#limits', pack_limits(groups))
else
  redis.call('HDEL', KEYS.account, '#limits')
end
local last = redis.call('LRANGE', KEYS.changes, -1, -1)[1]
if not last or string.match(last, '^(.*) %S+$') ~= ARGV.content then
  local number = redis.call('RPUSH', KEYS.changes, ARGV.content .. ' ' .. ARGV.time)
  if ARGV.place ~= '' then
    local place = ARGV.place .. string.format('%016d', number)
    redis.call('ZADD', KEYS.acts, 0, place .. ' ' .. ARGV.content .. ' ' .. ARGV.time)
  end
  if KEYS.stream then tell(KEYS.stream, KEYS.account, ARGV.event .. '\n' .. number, ARGV.at) end
end
return 1
