#!lua flags=no-writes
-- Reads the limits of a player.
--
-- KEYS account: as in commit.lua
-- KEYS changes: as in limits/set.lua
-- ARGV atMost: how many of the latest changes at most
-- Reply: {{currency, ...} of the accounts, {of each group a line: currency, zone, kind, what counts, since when, and of three
--         windows number, used and limit}, {change, ...}, the oldest first}, or "noPlayer"
local names = redis.call('HKEYS', KEYS.account)
if #names == 0 then return 'noPlayer' end
local value = redis.call('HGET', KEYS.account, '#limits')
local lines = {}
for at, group in ipairs(value and unpack_limits(value) or {}) do
  local words = { group[1], group[2], group[3], group[4], string.format('%.0f', group[14]) }
  for place = 5, 13 do words[place + 1] = string.format('%.0f', group[place]) end
  lines[at] = table.concat(words, ' ')
end
return { names, lines, redis.call('LRANGE', KEYS.changes, -ARGV.atMost, -1) }
