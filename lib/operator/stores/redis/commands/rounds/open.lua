#!lua
-- Writes a change as commit.lua does; where it is stale, it reads what load.lua would of the hashes of its records. Knows no
-- rule of the protocol. The server gets it behind load.lua and commit.lua, as functions (scripts.ts).
--
-- KEYS, ARGV as in commit.lua
-- Reply: what commit.lua replies, but in place of "stale"
--        {0, what load.lua replies for two fields of each record, in the order of ARGV}
local answer = run_commit(KEYS, ARGV)
if answer ~= 'stale' then return answer end
local fields = {}
for at = 8, 6 + 2 * string.match(ARGV[7], '^%d+'), 2 do
  if string.find(ARGV[at], '^[tTvV]') then
    fields[#fields + 1] = string.gsub(ARGV[at], '^[vV]', { v = 't', V = 'T' })
    fields[#fields + 1] = string.gsub(ARGV[at], '^[tT]', { t = 'v', T = 'V' })
  end
end
return { 0, run_load(KEYS, fields) }
