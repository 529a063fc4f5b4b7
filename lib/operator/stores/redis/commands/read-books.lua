#!lua flags=no-writes
-- Reads what a player's books are made of, as of one moment.
--
-- KEYS account: as in commit.lua
-- KEYS references: as in move-cash.lua
-- KEYS rounds...: one that is deleted, or has a time to live and so is carried, is left out
-- ARGV none
-- Reply: {{field of account, value, ...}, {movement, ...}, {head, ...}}
local heads = {}
for _, round in ipairs(KEYS.rounds) do
  if redis.call('PTTL', round) == -1 then
    heads[#heads + 1] = redis.call('HGET', round, 'h') or nil
  end
end
return { redis.call('HGETALL', KEYS.account), redis.call('HVALS', KEYS.references), heads }
