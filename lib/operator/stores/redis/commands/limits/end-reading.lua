#!lua
-- Ends a reading of what moved before a limit: the windows that it read, and that still run, count what they are to count. Does
-- nothing where the group counts since another time: a later reading has begun, or the limit was lifted.
--
-- KEYS account: as in commit.lua
-- ARGV kind: of the group, as in limits/count.lua
-- ARGV currency: of the group
-- ARGV reading: since when the group counts until then
-- ARGV numbers: of the three windows, with spaces between, 0 for one that was not read
-- ARGV units: to add to what is used in each, with spaces between
-- Reply: 1, or 0 where it did nothing
local value = redis.call('HGET', KEYS.account, '#limits')
local groups = value and unpack_limits(value) or {}
for _, group in ipairs(groups) do
  if group[1] == ARGV.currency and group[3] == tonumber(ARGV.kind) and group[14] == tonumber(ARGV.reading) then
    local units, at = string.gmatch(ARGV.units, '%S+'), 5
    for number in string.gmatch(ARGV.numbers, '%d+') do
      local more = tonumber(units())
      if group[at] == tonumber(number) then use(group, at + 1, more) end
      at = at + 3
    end
    group[14] = 0
    redis.call('HSET', KEYS.account, '#limits', pack_limits(groups))
    return 1
  end
end
return 0
