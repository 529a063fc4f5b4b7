#!lua flags=no-writes
-- Reads the head of a round, some of its records and the player's accounts, as of one moment.
--
-- KEYS account: as in commit.lua
-- KEYS round: as in commit.lua
-- ARGV fields...: fields of the round to read beside the head
-- Reply: {head or nil, game code or nil, {currency, balance, ...}, {value or nil, ...},
--         what is pending or nil}
local head = redis.call('HMGET', KEYS.round, 'h', 'g', 'p')
local fields, values = ARGV.fields, {}
for first = 1, #fields, 1000 do
  local last = math.min(first + 999, #fields)
  local part = redis.call('HMGET', KEYS.round, unpack(fields, first, last))
  for i = 1, last - first + 1 do values[first + i - 1] = part[i] end
end
return { head[1], head[2], redis.call('HGETALL', KEYS.account), values, head[3] }
