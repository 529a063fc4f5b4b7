#!lua
-- Notes for how long a process keeps closed rounds, unless another one keeps them for another time; and forgets notes that
-- were not renewed. A missing store stays missing.
--
-- KEYS settings: hash, name -> value; `serving` and a token -> retention and time
-- ARGV name: name of the note
-- ARGV retention: milliseconds; "" to forget the note
-- ARGV countsMs: how long a note counts, in milliseconds
-- ARGV isForced: 1 to note it in any case
-- Reply: {another retention, ...}
if redis.call('EXISTS', keys.settings) == 0 then return {} end
if args.retention == '' then
  redis.call('HDEL', keys.settings, args.name)
  return {}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fields = redis.call('HGETALL', keys.settings)
local others, old, seen = {}, {}, {}
for at = 1, #fields, 2 do
  if string.sub(fields[at], 1, 8) == 'serving ' and fields[at] ~= args.name then
    local retention, noted = string.match(fields[at + 1], '^(%d+) (%d+)$')
    if now - tonumber(noted or '0') > tonumber(args.countsMs) then
      old[#old + 1] = fields[at]
    elseif retention ~= args.retention and not seen[retention] then
      seen[retention] = true
      others[#others + 1] = retention
    end
  end
end
for _, name in ipairs(old) do redis.call('HDEL', keys.settings, name) end
if #others == 0 or args.isForced == '1' then
  redis.call('HSET', keys.settings, args.name, args.retention .. ' ' .. string.format('%.0f', now))
end
return others
