#!lua flags=no-writes
-- Finds the buckets that keep events.
--
-- KEYS events...: as in commit.lua, of each bucket
-- ARGV none
-- Reply: the places of those that have any, with spaces between
local places = {}
for place, events in ipairs(KEYS.events) do
  if redis.call('XLEN', events) > 0 then places[#places + 1] = place end
end
return table.concat(places, ' ')
