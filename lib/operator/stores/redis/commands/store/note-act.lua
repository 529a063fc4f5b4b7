#!lua
-- Writes down what a person did and the store does not see by itself.
--
-- KEYS acts: as in move-cash.lua
-- ARGV member: place, a space, what was done
-- Reply: 1, or 0 if there is one at its place
local place = string.match(ARGV.member, '^[^ ]+')
local found = redis.call('ZRANGE', KEYS.acts, '[' .. place .. ' ', '(' .. place .. '!', 'BYLEX', 'LIMIT', 0, 1)
if #found > 0 then
  return 0
end
return redis.call('ZADD', KEYS.acts, 0, ARGV.member)
