#!lua flags=allow-oom
-- Moves the cursor of a consumer in some buckets, and deletes the events of each that every consumer has acknowledged.
--
-- KEYS events...: as in commit.lua, of each bucket
-- KEYS cursors...: of each bucket a hash, consumer -> id of the last event that it has acknowledged
-- ARGV consumer: its name
-- ARGV declared: the names of all declared consumers, with a space between
-- ARGV before...: of each bucket its cursor as it was read, "" if it had none
-- ARGV next...: of each bucket its new cursor
-- Reply: how many cursors were moved: not those that have moved meanwhile
local function forget_acknowledged(events, cursors)
  local least_ms, least_seq
  for name in string.gmatch(ARGV.declared, '%S+') do
    local id = redis.call('HGET', cursors, name)
    if not id then return end
    local ms, seq = string.match(id, '^(%d+)-(%d+)$')
    ms, seq = tonumber(ms), tonumber(seq)
    if not least_ms or ms < least_ms or (ms == least_ms and seq < least_seq) then
      least_ms, least_seq = ms, seq
    end
  end
  if least_ms then
    redis.call('XTRIM', events, 'MINID', string.format('%.0f-%.0f', least_ms, least_seq + 1))
  end
end

local moved = 0
for at, cursors in ipairs(KEYS.cursors) do
  if (redis.call('HGET', cursors, ARGV.consumer) or '') == ARGV.before[at] then
    redis.call('HSET', cursors, ARGV.consumer, ARGV.next[at])
    forget_acknowledged(KEYS.events[at], cursors)
    moved = moved + 1
  end
end
return moved
