#!lua
-- Sets the limits of a player to what was made of those that were read, and records it unless it repeats the latest record.
--
-- KEYS account: as in commit.lua
-- KEYS changes: list of what was ordered, the oldest first: content, a space, the time
-- KEYS acts: as in move-cash.lua
-- ARGV read: the terms that were read (terms_of in limits/count.lua)
-- ARGV groups: of each group a line: currency, zone, kind, what counts, the three limits, the numbers of three windows,
--      since when it counts, and what is used in each window that was read, "-" for any other, in which a group that is known
--      keeps its counter
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
--   KEYS references: as in move-cash.lua
--   KEYS rounds...: rounds that were read
--   ARGV newest: the number of the newest round that was read, "" where cash matters and rounds do not
--   ARGV latest: the reference of the latest cash that was read, "" if there was none
--   ARGV versions...: of the rounds that were read
-- Reply: 1; 0, and nothing was written, if the player has other limits by now, or is gone; with the part seen, in place of 1,
--        what has changed since it was read: {units added to what is used in the windows that were read, as much as it can count,
--        {place of a round with another version, its fields and values, ...},
--        {entry of a newer round, its fields and values, ...}, {reference of newer cash, movement, ...}}
if redis.call('EXISTS', KEYS.account) == 0 then return 0 end
local value = redis.call('HGET', KEYS.account, '#limits')
local known = value and unpack_limits(value) or {}
if terms_of(known) ~= ARGV.read then return 0 end

local seen = parts.seen
local others, newer, cash, real_units, bonus_units = {}, {}, {}, 0, 0

-- Adds a round whole to a list, under a name, and what its debits took.
local function add_round(list, name, round)
  local fields = redis.call('HGETALL', round)
  for at = 1, #fields, 2 do
    if fields[at] == 'h' then
      -- The sums follow eight words, of which some may be empty.
      local real, bonus = string.match(fields[at + 1], '^' .. string.rep('%S* ', 8) .. '(%d+) (%d+)')
      real_units, bonus_units = real_units + real, bonus_units + bonus
    end
  end
  list[#list + 1], list[#list + 2] = name, fields
end

if seen and seen.newest ~= '' then
  for place, round in ipairs(seen.rounds) do
    local head = redis.call('HGET', round, 'h')
    if (head and string.match(head, '^%d+') or '0') ~= seen.versions[place] then add_round(others, place, round) end
  end
  -- The key of a round is that of the history with another kind, and the name of the round.
  local before, after = string.match(seen.history, '^(.*:)h(:[^:]*)$')
  while true do
    local place = -1 - #newer / 2
    local entry = redis.call('LRANGE', seen.history, place, place)[1]
    local number, kind, name = string.match(entry or '0', '^(%d+)(.?)(.*)$')
    if tonumber(number) <= tonumber(seen.newest) then break end
    add_round(newer, entry, before .. (kind == 'T' and 'u' or 'r') .. after .. ':' .. name)
  end
elseif seen then
  while true do
    local place = -1 - #cash / 2
    local reference = redis.call('LRANGE', seen.order, place, place)[1]
    if not reference or reference == seen.latest then break end
    local movement = redis.call('HGET', seen.references, reference)
    local units, balance = string.match(movement, '^(%d+) %S+ (%S+)')
    if balance == 'bonus' then bonus_units = bonus_units + units elseif units then real_units = real_units + units end
    cash[#cash + 1], cash[#cash + 2] = reference, movement
  end
end

local groups, bound = {}, 0
for line in string.gmatch(ARGV.groups, '[^\n]+') do
  local words = {}
  for word in string.gmatch(line, '%S+') do words[#words + 1] = word end
  local group = { words[1], words[2], tonumber(words[3]), tonumber(words[4]) }
  local is_read = false
  for window = 1, 3 do
    local at, used = 2 + 3 * window, tonumber(words[11 + window])
    group[at], group[at + 1], group[at + 2] = tonumber(words[7 + window]), used or 0, tonumber(words[4 + window])
    if used then
      is_read, bound = true, group[4] == 1 and real_units + bonus_units or real_units
      use(group, at + 1, bound)
    end
  end
  group[14] = tonumber(words[11])
  for _, one in ipairs(known) do
    if one[1] == group[1] and one[2] == group[2] and one[3] == group[3] and one[4] == group[4] then
      for window = 1, 3 do
        local at = 2 + 3 * window
        if words[11 + window] == '-' then
          -- A counter that is kept beside one that is read must be exact itself.
          if is_read and one[at + 2] >= 0 and one[14] ~= 0 then return 0 end
          group[at], group[at + 1] = one[at], one[at + 1]
        elseif group[at] < one[at] then
          return 0
        end
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
if not seen then return 1 end
return { string.format('%.0f', bound), others, newer, cash }
