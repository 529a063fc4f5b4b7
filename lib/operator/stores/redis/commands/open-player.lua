#!lua
-- Opens a player's account in one currency unless there is one, with its opening movements.
--
-- KEYS[1] account: as in commit.lua
-- KEYS[2] references, KEYS[3] order: as in move-cash.lua
-- ARGV[1] currency, ARGV[2] balance "real" or "real bonus"
-- then for each opening movement: reference, movement
-- Reply: {1 if it was opened, otherwise 0; the balance now}
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known then return { 0, known } end
if redis.call('EXISTS', KEYS[3]) == 0 then
  local earlier = redis.call('HKEYS', KEYS[2])
  table.sort(earlier)
  for at = 1, #earlier do redis.call('RPUSH', KEYS[3], earlier[at]) end
end
for at = 3, #ARGV, 2 do
  redis.call('RPUSH', KEYS[3], ARGV[at])
  redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1])
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return { 1, ARGV[2] }
