#!lua
-- Notes for how long a process keeps closed rounds, unless another one keeps them for another time; and forgets notes that
-- were not renewed. A missing store stays missing.
--
-- KEYS[1] settings: hash, name -> value; `serving` and a token -> retention and time
-- ARGV[1] name of the note, ARGV[2] retention; empty to forget the note
-- ARGV[3] how long a note counts, in milliseconds, ARGV[4] 1 to note it in any case
-- Reply: {another retention, ...}
if redis.call('EXISTS', KEYS[1]) == 0 then return {} end
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
  return {}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fields = redis.call('HGETALL', KEYS[1])
local others, old, seen = {}, {}, {}
for at = 1, #fields, 2 do
  if string.sub(fields[at], 1, 8) == 'serving ' and fields[at] ~= ARGV[1] then
    local retention, noted = string.match(fields[at + 1], '^(%d+) (%d+)$')
    if now - tonumber(noted or '0') > tonumber(ARGV[3]) then
      old[#old + 1] = fields[at]
    elseif retention ~= ARGV[2] and not seen[retention] then
      seen[retention] = true
      others[#others + 1] = retention
    end
  end
end
for _, name in ipairs(old) do redis.call('HDEL', KEYS[1], name) end
if #others == 0 or ARGV[4] == '1' then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. string.format('%.0f', now))
end
return others
