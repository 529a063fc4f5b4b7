#!lua flags=allow-oom
-- Removes the cursor of a consumer in one bucket, and deletes the events up to a bound that no consumer waits for.
--
-- KEYS[1] events: as in commit.lua
-- KEYS[2] cursors: as in advance.lua
-- ARGV[1] consumer
-- ARGV[2] bound: id of the last event that may be deleted, "" to delete none
-- then the names of all declared consumers, read after the bound: who is declared later has no claim to it
-- Reply: id of the last event, "" without any
redis.call('HDEL', KEYS[2], ARGV[1])
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local reply = last and last[1] or ''
if ARGV[2] == '' then return reply end
local least_ms, least_seq = string.match(ARGV[2], '^(%d+)-(%d+)$')
least_ms, least_seq = tonumber(least_ms), tonumber(least_seq)
for at = 3, #ARGV do
  local id = redis.call('HGET', KEYS[2], ARGV[at])
  if not id then return reply end
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  ms, seq = tonumber(ms), tonumber(seq)
  if ms < least_ms or (ms == least_ms and seq < least_seq) then
    least_ms, least_seq = ms, seq
  end
end
redis.call('XTRIM', KEYS[1], 'MINID', string.format('%.0f-%.0f', least_ms, least_seq + 1))
return reply
