#!lua flags=no-writes
-- Reads a page of a player's rounds, the newest first. Numbers rise along the list, with holes where rounds were removed.
--
-- KEYS history: as in commit.lua
-- ARGV before: the number before which to read, "" for the newest
-- ARGV atMost: how many at most
-- Reply: {entry, ...}, the newest last
local function number_at(place)
  return tonumber(string.match(redis.call('LINDEX', KEYS.history, -place), '^%d+'))
end

local length, before = redis.call('LLEN', KEYS.history), tonumber(ARGV.before)
if length == 0 then return {} end
-- The place from the end of the first one before: no further away than the numbers from there on.
local low, high = 1, 1
if before then
  high = math.max(1, math.min(length + 1, number_at(1) - before + 2))
  if low < high and number_at(high - 1) >= before then low = high end
end
while low < high do
  local middle = math.floor((low + high) / 2)
  if number_at(middle) < before then high = middle else low = middle + 1 end
end
if low > length then return {} end
return redis.call('LRANGE', KEYS.history, -(low + ARGV.atMost - 1), -low)
