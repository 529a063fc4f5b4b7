#!lua flags=no-writes
-- Adds up quarters of the totals (add-totals.lua), without what counts at one of the times.
--
-- KEYS quarters...: hashes, name -> sum
-- ARGV except: the number of the time that is left out, as names begin with it
-- ARGV parts...: of each quarter, the part that it is in
-- Reply: JSON [parts, games]: of each part all games, and of each game all parts. Each is a list of [row, {place, sum, ...}], where a
--        row is the time, the currency and the part or the game, with spaces between. A row comes again, with the sums that
--        would not be exact here. It is one text: lists cost a reply more than the bytes in them
local left_out = string.byte(ARGV.except)
local parts, games = {sums = {}, reply = {}}, {sums = {}, reply = {}}
local function add(to, row, place, text, units)
  local sums = to.sums[row]
  if not sums then
    sums = {}
    to.sums[row] = sums
  end
  local sum = (sums[place] or 0) + units
  if #text < 16 and sum < 9e15 and sum > -9e15 then
    sums[place] = sum
  else
    to.reply[#to.reply + 1] = {row, {place, text}}
  end
end
local function reply(of)
  for row, sums in pairs(of.sums) do
    local list = {}
    for place, sum in pairs(sums) do
      list[#list + 1] = place
      list[#list + 1] = string.format('%.0f', sum)
    end
    if #list > 0 then of.reply[#of.reply + 1] = {row, list} end
  end
  return #of.reply == 0 and '[]' or cjson.encode(of.reply)
end
for index, key in ipairs(KEYS.quarters) do
  local part = ' ' .. ARGV.parts[index]
  local fields = redis.call('HGETALL', key)
  for at = 1, #fields, 2 do
    local name, text = fields[at], fields[at + 1]
    if string.byte(name) ~= left_out then
      local units = tonumber(text)
      local time, place, currency = string.match(name, '^(.)(.)( %S*)')
      add(games, time .. string.sub(name, 3), place, text, units)
      add(parts, time .. currency .. part, place, text, units)
    end
  end
end
return '[' .. reply(parts) .. ',' .. reply(games) .. ']'
