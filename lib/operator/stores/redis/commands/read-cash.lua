#!lua flags=no-writes
-- Reads a page of a player's cash.
--
-- KEYS account: as in commit.lua
-- KEYS references: as in move-cash.lua
-- KEYS order: as in move-cash.lua
-- ARGV before: how many movements are older than those of the page before, "" for the newest page
-- ARGV atMost: how many at most
-- Reply: {how many are older than the page, then the page, the oldest first: reference, movement, ...}
--        "noPlayer"
--        "tooFew": the player has fewer movements than `before`
if redis.call('EXISTS', KEYS.account) == 0 then return 'noPlayer' end
local count = redis.call('LLEN', KEYS.order)
local last = ARGV.before == '' and count or tonumber(ARGV.before)
if last > count then return 'tooFew' end
local first = math.max(0, last - ARGV.atMost)
local reply = { first }
if last == first then return reply end
local names = redis.call('LRANGE', KEYS.order, first, last - 1)
local movements = redis.call('HMGET', KEYS.references, unpack(names))
for at = 1, #names do
  reply[2 * at] = names[at]
  reply[2 * at + 1] = movements[at]
end
return reply
