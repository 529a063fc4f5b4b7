#!lua
-- Notes for how long a process keeps closed rounds, unless another one keeps them for another time; deletes notes that
-- were not renewed. Does not create a missing store.
--
-- KEYS settings: hash, name -> value; `serving` and a token -> retention and time; `retained` and a retention -> when a
--      process last kept rounds so long
-- ARGV name: name of the note
-- ARGV retention: milliseconds; "" to forget the note
-- ARGV countsMs: how long a note counts, in milliseconds
-- ARGV isForced: 1 to note it in any case
-- Reply: {the shortest retention for which a round may have been kept that closed within ours, another retention, ...}
if redis.call('EXISTS', KEYS.settings) == 0 then return {ARGV.retention} end
if ARGV.retention == '' then
  redis.call('HDEL', KEYS.settings, ARGV.name)
  return {}
end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local fields = redis.call('HGETALL', KEYS.settings)
local own = tonumber(ARGV.retention)
local shortest = own
local answer, old, seen = {''}, {}, {}
for at = 1, #fields, 2 do
  if string.sub(fields[at], 1, 8) == 'serving ' and fields[at] ~= ARGV.name then
    local retention, noted = string.match(fields[at + 1], '^(%d+) (%d+)$')
    if now - tonumber(noted or '0') > tonumber(ARGV.countsMs) then
      old[#old + 1] = fields[at]
    elseif retention ~= ARGV.retention and not seen[retention] then
      seen[retention] = true
      answer[#answer + 1] = retention
    end
  elseif string.sub(fields[at], 1, 9) == 'retained ' and now - tonumber(fields[at + 1]) <= own then
    shortest = math.min(shortest, tonumber(string.sub(fields[at], 10)))
  end
end
for _, name in ipairs(old) do redis.call('HDEL', KEYS.settings, name) end
if #answer == 1 or ARGV.isForced == '1' then
  local time = string.format('%.0f', now)
  redis.call('HSET', KEYS.settings, ARGV.name, ARGV.retention .. ' ' .. time, 'retained ' .. ARGV.retention, time)
end
answer[1] = string.format('%.0f', shortest)
return answer
