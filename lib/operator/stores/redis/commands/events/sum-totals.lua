#!lua flags=no-writes
-- Adds up quarters of the totals (add-totals.lua), without what counts at one of the times.
--
-- KEYS quarters...: hashes, name -> sum
-- ARGV except: the number of the time that is left out, as names begin with it
-- Reply: {name, sum, ...}; a name comes several times where the sum of all would not be exact here
local left_out, sums, reply = string.byte(ARGV.except), {}, {}
for _, key in ipairs(KEYS.quarters) do
  local fields = redis.call('HGETALL', key)
  for at = 1, #fields, 2 do
    local name, text = fields[at], fields[at + 1]
    if string.byte(name) ~= left_out then
      local sum = (sums[name] or 0) + tonumber(text)
      if #text < 16 and sum < 9e15 and sum > -9e15 then
        sums[name] = sum
      else
        reply[#reply + 1] = name
        reply[#reply + 1] = text
      end
    end
  end
end
for name, sum in pairs(sums) do
  reply[#reply + 1] = name
  reply[#reply + 1] = string.format('%.0f', sum)
end
return reply
