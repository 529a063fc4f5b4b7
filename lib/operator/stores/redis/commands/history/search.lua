#!lua flags=no-writes
-- Looks for a hash in rounds of one bucket.
--
-- KEYS rounds...: as in commit.lua
-- ARGV transactions...: for each round, the field of the hash's transaction
-- ARGV voids...: for each round, the field of its void
-- Reply: for each round {1 if it has one of the fields, otherwise 0; what is pending or nil}
local replies = {}
for index, round in ipairs(KEYS.rounds) do
  local found = redis.call('HMGET', round, ARGV.transactions[index], ARGV.voids[index], 'p')
  replies[index] = { (found[1] or found[2]) and 1 or 0, found[3] }
end
return replies
