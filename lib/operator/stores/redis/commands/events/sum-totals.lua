#!lua flags=no-writes
-- Adds up quarters of the totals (add-totals.lua), without what counts at one of the times.
--
-- KEYS quarters...: hashes, name -> sum
-- ARGV except: the number of the time that is left out, as names begin with it
-- ARGV parts...: of each quarter, the part that it is in
-- Reply: {parts, games}, each {name, sum, ...}: of each part all games, by the part, a space and the name up to the game; of each
--        game all parts, by name. A name comes several times where the sum of all would not be exact here
local left_out = string.byte(ARGV.except)
local parts, games = {sums = {}, reply = {}}, {sums = {}, reply = {}}
local function add(to, name, text, units)
  local sum = (to.sums[name] or 0) + units
  if #text < 16 and sum < 9e15 and sum > -9e15 then
    to.sums[name] = sum
  else
    to.reply[#to.reply + 1] = name
    to.reply[#to.reply + 1] = text
  end
end
local function reply(of)
  for name, sum in pairs(of.sums) do
    of.reply[#of.reply + 1] = name
    of.reply[#of.reply + 1] = string.format('%.0f', sum)
  end
  return of.reply
end
for index, key in ipairs(KEYS.quarters) do
  local part = ARGV.parts[index] .. ' '
  local fields = redis.call('HGETALL', key)
  for at = 1, #fields, 2 do
    local name, text = fields[at], fields[at + 1]
    if string.byte(name) ~= left_out then
      local units = tonumber(text)
      add(games, name, text, units)
      add(parts, part .. string.match(name, '^%S+ %S*'), text, units)
    end
  end
end
return {reply(parts), reply(games)}
