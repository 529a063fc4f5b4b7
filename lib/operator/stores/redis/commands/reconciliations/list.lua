#!lua flags=no-writes
-- The results of the newest days that have any.
--
-- KEYS reconciled: as in save.lua
-- ARGV days: how many days
-- Reply: {name, text, ...}, the newest day first, in it by source
local names = redis.call('HKEYS', KEYS.reconciled)
table.sort(names, function(one, other)
  local day, next_day = string.sub(one, 1, 10), string.sub(other, 1, 10)
  if day ~= next_day then return day > next_day end
  return one < other
end)
local reply, seen, last = {}, 0, ''
for _, name in ipairs(names) do
  local day = string.sub(name, 1, 10)
  if day ~= last then seen, last = seen + 1, day end
  if seen > tonumber(ARGV.days) then break end
  reply[#reply + 1] = name
  reply[#reply + 1] = redis.call('HGET', KEYS.reconciled, name)
end
return reply
