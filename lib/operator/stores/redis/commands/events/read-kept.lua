#!lua flags=no-writes
-- Reads what the totals keep of rounds (add-totals.lua).
--
-- KEYS targets...: hashes of rounds
-- ARGV names...: of each hash the names to read, with spaces between
-- Reply: of each hash what is kept of each name, nothing if it has none
local replies = {}
for at, key in ipairs(KEYS.targets) do
  local names = {}
  for name in string.gmatch(ARGV.names[at], '%S+') do names[#names + 1] = name end
  replies[at] = redis.call('HMGET', key, unpack(names))
end
return replies
