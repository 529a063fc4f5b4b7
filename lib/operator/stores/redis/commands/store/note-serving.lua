#!lua
-- Notes for how long a process keeps closed rounds, unless another one keeps them for another time; deletes notes that
-- were not renewed. Does not create a missing store.
--
-- KEYS settings: hash, name -> value; `serving` and a token -> retention and time
-- ARGV name: name of the note
-- ARGV retention: milliseconds; "" to forget the note
-- ARGV countsMs: how long a note counts, in milliseconds
-- ARGV isForced: 1 to note it in any case
-- Reply: {another retention, ...}
if redis.call('EXISTS', KEYS.settings) == 0 then return {} end
if ARGV.retention == '' then
  redis.call('HDEL', KEYS.settings, ARGV.name)
  return {}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fields = redis.call('HGETALL', KEYS.settings)
local others, old, seen = {}, {}, {}
for at = 1, #fields, 2 do
  if string.sub(fields[at], 1, 8) == 'serving ' and fields[at] ~= ARGV.name then
    local retention, noted = string.match(fields[at + 1], '^(%d+) (%d+)$')
    if now - tonumber(noted or '0') > tonumber(ARGV.countsMs) then
      old[#old + 1] = fields[at]
    elseif retention ~= ARGV.retention and not seen[retention] then
      seen[retention] = true
      others[#others + 1] = retention
    end
  end
end
for _, name in ipairs(old) do redis.call('HDEL', KEYS.settings, name) end
if #others == 0 or ARGV.isForced == '1' then
  redis.call('HSET', KEYS.settings, ARGV.name, ARGV.retention .. ' ' .. string.format('%.0f', now))
end
return others
