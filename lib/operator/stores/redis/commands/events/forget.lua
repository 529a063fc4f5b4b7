#!lua flags=allow-oom
-- Removes the cursor of a consumer in one bucket, and deletes the events up to a bound that no consumer waits for.
--
-- KEYS events: as in commit.lua
-- KEYS cursors: as in advance.lua
-- ARGV consumer: its name
-- ARGV bound: id of the last event that may be deleted, "" to delete none
-- ARGV declared...: the names of all declared consumers, read after the bound: one that is declared later has no
--      claim to these events
-- Reply: id of the last event, "" without any
redis.call('HDEL', KEYS.cursors, ARGV.consumer)
local last = redis.call('XREVRANGE', KEYS.events, '+', '-', 'COUNT', 1)[1]
local reply = last and last[1] or ''
if ARGV.bound == '' then return reply end
local least_ms, least_seq = string.match(ARGV.bound, '^(%d+)-(%d+)$')
least_ms, least_seq = tonumber(least_ms), tonumber(least_seq)
for _, name in ipairs(ARGV.declared) do
  local id = redis.call('HGET', KEYS.cursors, name)
  if not id then return reply end
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  ms, seq = tonumber(ms), tonumber(seq)
  if ms < least_ms or (ms == least_ms and seq < least_seq) then
    least_ms, least_seq = ms, seq
  end
end
redis.call('XTRIM', KEYS.events, 'MINID', string.format('%.0f-%.0f', least_ms, least_seq + 1))
return reply
