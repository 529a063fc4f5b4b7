#!lua flags=no-writes
-- Adds up quarters of the totals (add-totals.lua), without what counts at one of the times.
--
-- KEYS quarters...: hashes, name -> sum
-- ARGV except: the number of the time that is left out, as names begin with it
-- ARGV parts...: of each quarter, the part that it is in
-- Reply: JSON [parts, games]: of each part all games, and of each game all parts. Each is a list of [row, {place, sum, ...}], where a
--        row is the time, the currency and the part or the game, with spaces between. A row is repeated with the sums that
--        would not be exact here. It is one text: lists cost a reply more than the bytes in them
local left_out = string.byte(ARGV.except)
local cells, parts, games = {}, {sums = {}, reply = {}}, {sums = {}, reply = {}}
local function add(sums, name, units)
  local sum = (sums[name] or 0) + units
  if sum >= 9e15 or sum <= -9e15 then return false end
  sums[name] = sum
  return true
end
local function add_to_row(to, row, place, text, units)
  local sums = to.sums[row] or {}
  to.sums[row] = sums
  if not (units and add(sums, place, units)) then to.reply[#to.reply + 1] = {row, {place, text}} end
end
-- Adds what a part has of a name. Without units the text is not exact here
local function add_cell(part, name, text, units)
  local time, place, currency = string.match(name, '^(.)(.)( %S*)')
  add_to_row(games, time .. string.sub(name, 3), place, text, units)
  add_to_row(parts, time .. currency .. ' ' .. part, place, text, units)
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
  local part = ARGV.parts[index]
  local sums = cells[part] or {}
  cells[part] = sums
  local fields = redis.call('HGETALL', key)
  for at = 1, #fields, 2 do
    local name, text = fields[at], fields[at + 1]
    if string.byte(name) ~= left_out and not (#text < 16 and add(sums, name, tonumber(text))) then
      add_cell(part, name, text)
    end
  end
end
for part, sums in pairs(cells) do
  for name, sum in pairs(sums) do add_cell(part, name, string.format('%.0f', sum), sum) end
end
return '[' .. reply(parts) .. ',' .. reply(games) .. ']'
