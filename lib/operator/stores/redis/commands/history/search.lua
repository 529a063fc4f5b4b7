#!lua flags=no-writes
-- Looks for a hash in rounds of one bucket.
--
-- KEYS rounds: as in commit.lua
-- ARGV for each round: the two fields that the hash has in it, of its transaction and of its void
-- Reply: for each round {1 if it has one of the fields, otherwise 0; what is pending or nil}
local replies = {}
for index, key in ipairs(KEYS) do
  local transaction, void = ARGV[2 * index - 1], ARGV[2 * index]
  local found = redis.call('HMGET', key, transaction, void, 'p')
  replies[index] = { (found[1] or found[2]) and 1 or 0, found[3] }
end
return replies
