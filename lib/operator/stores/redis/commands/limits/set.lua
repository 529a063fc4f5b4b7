#!lua
-- Sets the limits of a player to what was made of those that were read, and records it unless it repeats the latest record.
--
-- KEYS account: as in commit.lua
-- KEYS changes: list of what was ordered, the oldest first: content, a space, the time
-- KEYS acts: as in move-cash.lua
-- ARGV read: the terms that were read (terms_of in limits/count.lua)
-- ARGV groups: of each group a line: currency, zone, kind, what counts, the three limits, the numbers of three windows,
--      since when it counts, and what is used in each window that was read, "-" for any other. A group that is known keeps the
--      counters of those
-- ARGV content: kind, currency, window, zone, what counts, units or "-", id and name of the person, reason
-- ARGV time: when it was ordered
-- ARGV place: in acts, to which the number of the record is added; "" where a program orders it
-- part event, if a consumer of events is declared
--   KEYS stream: as in commit.lua
--   ARGV event: as in move-cash.lua; it has one more line: the number of the record
--   ARGV at: as in commit.lua
-- part seen, if what moved before was read
--   KEYS history: as in commit.lua
--   KEYS order: as in move-cash.lua
--   KEYS rounds...: rounds that were read
--   ARGV newest: the number of the newest round that was read, "" where cash matters and rounds do not
--   ARGV latest: the reference of the latest cash that was read, "" if there was none
--   ARGV versions...: of the rounds that were read
-- Reply: 1; 0 if the player has other limits by now, or is gone;
--        {{place of a round with another version, ...}, {entry of a newer round, ...}} if something has changed since it was read.
--        Nothing was written but for 1
if redis.call('EXISTS', KEYS.account) == 0 then return 0 end
local value = redis.call('HGET', KEYS.account, '#limits')
local known = value and unpack_limits(value) or {}
if terms_of(known) ~= ARGV.read then return 0 end

local seen = parts.seen
if seen then
  local others, newer = {}, {}
  for place, round in ipairs(seen.rounds) do
    local head = redis.call('HGET', round, 'h')
    if (head and string.match(head, '^%d+') or '0') ~= seen.versions[place] then others[#others + 1] = place end
  end
  while seen.newest ~= '' do
    local place = -1 - #newer
    local entry = redis.call('LRANGE', seen.history, place, place)[1]
    if not entry or tonumber(string.match(entry, '^%d+')) <= tonumber(seen.newest) then break end
    newer[#newer + 1] = entry
  end
  local has_moved = seen.newest == '' and (redis.call('LRANGE', seen.order, -1, -1)[1] or '') ~= seen.latest
  if has_moved or #others > 0 or #newer > 0 then return { others, newer } end
end

local groups = {}
for line in string.gmatch(ARGV.groups, '[^\n]+') do
  local words = {}
  for word in string.gmatch(line, '%S+') do words[#words + 1] = word end
  local group = { words[1], words[2], tonumber(words[3]), tonumber(words[4]) }
  local is_read = false
  for window = 1, 3 do
    local at, used = 2 + 3 * window, tonumber(words[11 + window])
    group[at], group[at + 1], group[at + 2] = tonumber(words[7 + window]), used or 0, tonumber(words[4 + window])
    is_read = is_read or used ~= nil
  end
  group[14] = tonumber(words[11])
  for _, one in ipairs(known) do
    if one[1] == group[1] and one[2] == group[2] and one[3] == group[3] and one[4] == group[4] then
      for window = 1, 3 do
        local at = 2 + 3 * window
        if words[11 + window] == '-' then group[at], group[at + 1] = one[at], one[at + 1] end
      end
      if not is_read then group[14] = one[14] end
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
  local event = parts.event
  if event then tell(event.stream, KEYS.account, event.event .. '\n' .. number, event.at) end
end
return 1
