#!lua flags=no-writes
-- Reads what a player's books are made of, as of one moment.
--
-- KEYS[1] account, KEYS[3] carried: as in commit.lua
-- KEYS[2] references: as in move-cash.lua
-- then rounds: one that is gone, or has a time to live and so is carried, is left out
-- ARGV none
-- Reply: {{currency, balance, ...}, {movement, ...}, {field of carried, units, ...}, {head, ...}}
local heads = {}
for at = 4, #KEYS do
  if redis.call('PTTL', KEYS[at]) == -1 then
    heads[#heads + 1] = redis.call('HGET', KEYS[at], 'h') or nil
  end
end
return {
  redis.call('HGETALL', KEYS[1]), redis.call('HVALS', KEYS[2]), redis.call('HGETALL', KEYS[3]), heads,
}
