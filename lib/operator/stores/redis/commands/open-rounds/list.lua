#!lua flags=no-writes
-- Lists open rounds of one or several buckets, in each those that are open longest first. Rounds that are
-- open since the same millisecond are listed together, however many they are.
--
-- KEYS open...: as in commit.lua, of each bucket
-- ARGV from: lower bound of the milliseconds as ZRANGE BYSCORE takes it
-- ARGV to: upper bound
-- ARGV atMost: how many of each bucket at most, except those of the last millisecond
-- Reply: for each bucket that has any a line with its place, the lower bound of the next page, or "-" if these are all, and its
--        members, with spaces between. It is one text: lists cost a reply more than the bytes in them
local lines = {}
local function list(place, key)
  local page = redis.call('ZRANGE', key, ARGV.from, ARGV.to, 'BYSCORE', 'LIMIT', 0, ARGV.atMost, 'WITHSCORES')
  if #page == 0 then return end
  local last = #page == 2 * ARGV.atMost and page[#page]
  local parts = { place, last and '(' .. last or '-' }
  for at = 1, #page, 2 do
    if page[at + 1] ~= last then parts[#parts + 1] = page[at] end
  end
  if last then
    for _, member in ipairs(redis.call('ZRANGE', key, last, last, 'BYSCORE')) do parts[#parts + 1] = member end
  end
  lines[#lines + 1] = table.concat(parts, ' ')
end

for place, key in ipairs(KEYS.open) do list(place, key) end
return table.concat(lines, '\n')
