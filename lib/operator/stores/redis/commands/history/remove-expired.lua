#!lua flags=allow-oom
-- Removes rounds from a player's history that are deleted.
--
-- KEYS[1] history: as in commit.lua, then rounds of the player
-- ARGV for each round: its entry
-- Reply: how many were removed
local removed = 0
for index, entry in ipairs(ARGV) do
  if redis.call('EXISTS', KEYS[index + 1]) == 0 then
    removed = removed + redis.call('LREM', KEYS[1], 1, entry)
  end
end
return removed
