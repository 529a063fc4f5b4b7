#!lua flags=no-writes
-- Reads the versions of rounds.
--
-- KEYS rounds...: as in commit.lua
-- ARGV none
-- Reply: for each round its version, 0 if it is not stored
local versions = {}
for index, round in ipairs(KEYS.rounds) do
  local head = redis.call('HGET', round, 'h')
  versions[index] = head and tonumber(string.match(head, '^%d+')) or 0
end
return versions
