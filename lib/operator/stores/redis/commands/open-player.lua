#!lua
-- Opens a player's account in one currency unless there is one, with its opening movements.
--
-- KEYS account: as in commit.lua
-- KEYS references: as in move-cash.lua
-- KEYS order: as in move-cash.lua
-- ARGV currency: of the account
-- ARGV balance: "real" or "real bonus"
-- ARGV openings...: the reference of each opening movement
-- ARGV movements...: the opening movements
-- Reply: {1 if it was opened, otherwise 0; the balance now}
local known = redis.call('HGET', keys.account, args.currency)
if known then return { 0, known } end
if redis.call('EXISTS', keys.order) == 0 then
  local earlier = redis.call('HKEYS', keys.references)
  table.sort(earlier)
  for at = 1, #earlier do redis.call('RPUSH', keys.order, earlier[at]) end
end
for at, reference in ipairs(args.openings) do
  redis.call('RPUSH', keys.order, reference)
  redis.call('HSET', keys.references, reference, args.movements[at])
end
redis.call('HSET', keys.account, args.currency, args.balance)
return { 1, args.balance }
