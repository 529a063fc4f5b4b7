#!lua flags=no-writes
-- Lists rounds of one index of one or several buckets, each in the order of their names.
--
-- KEYS indexes...: attention or unfinished, as in commit.lua, of each bucket
-- ARGV from: lower bound as ZRANGE BYLEX takes it
-- ARGV atMost: how many of each at most
-- Reply: for each bucket a line with its members and spaces between, as one text: lists cost a reply more than the bytes in them
local lines = {}
for at, index in ipairs(KEYS.indexes) do
  lines[at] = table.concat(redis.call('ZRANGE', index, ARGV.from, '+', 'BYLEX', 'LIMIT', 0, ARGV.atMost), ' ')
end
return table.concat(lines, '\n')
