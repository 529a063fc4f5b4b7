#!lua
-- Opens a player's account in one currency unless there is one, with its opening movements.
--
-- KEYS account: as in commit.lua
-- KEYS references: as in move-cash.lua
-- KEYS order: as in move-cash.lua
-- KEYS acts: as in move-cash.lua
-- ARGV currency: of the account
-- ARGV balance: "real" or "real bonus"
-- ARGV openings...: the reference of each opening movement
-- ARGV movements...: the opening movements
-- ARGV places...: of each in acts, "" where a program opens the account
-- part extra, as in move-cash.lua:
--   KEYS stream: as in commit.lua
--   ARGV event: as in move-cash.lua
--   ARGV at: as in commit.lua
-- Reply: {1 if it was opened, otherwise 0; the balance now}
local known = redis.call('HGET', KEYS.account, ARGV.currency)
if known then return { 0, known } end
for at, reference in ipairs(ARGV.openings) do
  redis.call('RPUSH', KEYS.order, reference)
  redis.call('HSET', KEYS.references, reference, ARGV.movements[at])
  local place = ARGV.places[at]
  if place ~= '' then redis.call('ZADD', KEYS.acts, 0, place .. ' ' .. ARGV.movements[at]) end
end
redis.call('HSET', KEYS.account, ARGV.currency, ARGV.balance)
if KEYS.stream then tell(KEYS.stream, KEYS.account, ARGV.event, ARGV.at) end
return { 1, ARGV.balance }
