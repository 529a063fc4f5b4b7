#!lua flags=allow-oom
-- Removes deleted rounds from a player's history.
--
-- KEYS history: as in commit.lua
-- KEYS rounds...: rounds of the player
-- ARGV entries...: the entry of each round
-- Reply: how many were removed
local removed = 0
for index, entry in ipairs(ARGV.entries) do
  if redis.call('EXISTS', KEYS.rounds[index]) == 0 then
    removed = removed + redis.call('LREM', KEYS.history, 1, entry)
  end
end
return removed
