#!lua flags=no-writes
-- Lists open rounds of one or several buckets, in each those that are open longest first. Rounds that are
-- open since the same millisecond are listed together, however many they are.
--
-- KEYS open...: as in commit.lua, of each bucket
-- ARGV from: lower bound of the milliseconds as ZRANGE BYSCORE takes it
-- ARGV to: upper bound
-- ARGV atMost: how many of each bucket at most, except those of the last millisecond
-- Reply: for each bucket {{member, ...}, the lower bound of the next page, or nil if these are all}
local function list(key)
  local page = redis.call('ZRANGE', key, ARGV.from, ARGV.to, 'BYSCORE', 'LIMIT', 0, ARGV.atMost, 'WITHSCORES')
  local members, last = {}, #page == 2 * ARGV.atMost and page[#page]
  for at = 1, #page, 2 do
    if page[at + 1] ~= last then members[#members + 1] = page[at] end
  end
  if not last then return { members } end
  for _, member in ipairs(redis.call('ZRANGE', key, last, last, 'BYSCORE')) do members[#members + 1] = member end
  return { members, '(' .. last }
end

local replies = {}
for index, key in ipairs(KEYS.open) do replies[index] = list(key) end
return replies
