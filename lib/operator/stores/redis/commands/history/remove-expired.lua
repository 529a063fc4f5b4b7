#!lua flags=allow-oom
-- Removes deleted rounds from a player's history, also where another round has their name by now.
--
-- KEYS history: as in commit.lua
-- KEYS rounds...: rounds of the player
-- ARGV entries...: the entry of each round
-- Reply: how many were removed
local removed = 0
for index, entry in ipairs(ARGV.entries) do
  local round = redis.call('HMGET', KEYS.rounds[index], 'h', 'n')
  if not round[1] or round[2] and round[2] ~= string.match(entry, '^%d+') then
    removed = removed + redis.call('LREM', KEYS.history, 1, entry)
  end
end
return removed
