#!lua flags=no-writes
-- Lists rounds of one index of one or several buckets, each in the order of their names.
--
-- KEYS indexes...: attention or unfinished, as in commit.lua, of each bucket
-- ARGV from: lower bound as ZRANGE BYLEX takes it
-- ARGV atMost: how many of each at most
-- Reply: for each bucket that has any a line with its place and its members, with spaces between. It is one text: lists cost a
--        reply more than the bytes in them
local lines = {}
for place, index in ipairs(KEYS.indexes) do
  local members = redis.call('ZRANGE', index, ARGV.from, '+', 'BYLEX', 'LIMIT', 0, ARGV.atMost)
  if #members > 0 then lines[#lines + 1] = place .. ' ' .. table.concat(members, ' ') end
end
return table.concat(lines, '\n')
