#!lua
-- Writes a change as commit.lua does; if it is stale, reads what load.lua would for the hashes of its records. Knows no
-- rule of the protocol. The server gets it after fields.lua, load.lua and commit.lua, as functions (script.ts).
--
-- KEYS and ARGV as in commit.lua
-- Reply: what commit.lua replies, but in place of "stale"
--        {0, what load.lua replies for two fields of each record, in the order of ARGV}
local answer = run_commit(KEYS, ARGV, parts)
if answer ~= 'stale' then return answer end
local fields, wanted = unpack_fields(ARGV.fields), {}
for at = 1, #fields, 2 do
  if string.find(fields[at], '^[tTvV]') then
    wanted[#wanted + 1] = string.gsub(fields[at], '^[vV]', { v = 't', V = 'T' })
    wanted[#wanted + 1] = string.gsub(fields[at], '^[tT]', { t = 'v', T = 'V' })
  end
end
return { 0, run_load(KEYS, wanted) }
