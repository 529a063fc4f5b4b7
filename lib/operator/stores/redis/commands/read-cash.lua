#!lua flags=no-writes
-- Reads a page of a player's cash.
--
-- KEYS[1] account: as in commit.lua
-- KEYS[2] references, KEYS[3] order: as in move-cash.lua
-- ARGV[1] how many movements are older than those of the page before, "" for the newest page
-- ARGV[2] how many at most
-- Reply: {how many are older than the page, then the page, the oldest first: reference, movement, ...}
--        "noPlayer"
--        "tooFew": the player has fewer movements than ARGV[1]
if redis.call('EXISTS', KEYS[1]) == 0 then return 'noPlayer' end
local count = redis.call('LLEN', KEYS[3])
local earlier
if count == 0 then
  earlier = redis.call('HKEYS', KEYS[2])
  table.sort(earlier)
  count = #earlier
end
local last = ARGV[1] == '' and count or tonumber(ARGV[1])
if last > count then return 'tooFew' end
local first = math.max(0, last - ARGV[2])
local reply = { first }
if last == first then return reply end
local names = {}
if earlier then
  for at = first + 1, last do names[#names + 1] = earlier[at] end
else
  names = redis.call('LRANGE', KEYS[3], first, last - 1)
end
local movements = redis.call('HMGET', KEYS[2], unpack(names))
for at = 1, #names do
  reply[2 * at] = names[at]
  reply[2 * at + 1] = movements[at]
end
return reply
