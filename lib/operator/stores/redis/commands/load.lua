#!lua flags=no-writes
-- Reads the head of a round, some of its records and the player's accounts, as of one moment.
--
-- KEYS[1] account, KEYS[2] round: as in commit.lua
-- ARGV fields of the round to read beside the head
-- Reply: {head or nil, game code or nil, {currency, balance, ...}, {value or nil, ...},
--         what is pending or nil}
local head = redis.call('HMGET', KEYS[2], 'h', 'g', 'p')
local values = {}
for first = 1, #ARGV, 1000 do
  local last = math.min(first + 999, #ARGV)
  local part = redis.call('HMGET', KEYS[2], unpack(ARGV, first, last))
  for i = 1, last - first + 1 do values[first + i - 1] = part[i] end
end
return { head[1], head[2], redis.call('HGETALL', KEYS[1]), values, head[3] }
