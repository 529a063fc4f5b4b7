#!lua flags=allow-oom
-- Moves the cursor of a consumer in one bucket, and deletes the events that every consumer has acknowledged.
--
-- KEYS events: as in commit.lua
-- KEYS cursors: hash, consumer -> id of the last event that it has acknowledged
-- ARGV consumer: its name
-- ARGV cursor: its cursor as it was read, "" if it had none
-- ARGV next: its new cursor
-- ARGV declared...: the names of all declared consumers
-- Reply: 1, or 0 if the cursor has moved meanwhile
if (redis.call('HGET', KEYS.cursors, ARGV.consumer) or '') ~= ARGV.cursor then return 0 end
redis.call('HSET', KEYS.cursors, ARGV.consumer, ARGV.next)
local least_ms, least_seq
for _, name in ipairs(ARGV.declared) do
  local id = redis.call('HGET', KEYS.cursors, name)
  if not id then return 1 end
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  ms, seq = tonumber(ms), tonumber(seq)
  if not least_ms or ms < least_ms or (ms == least_ms and seq < least_seq) then
    least_ms, least_seq = ms, seq
  end
end
if least_ms then
  redis.call('XTRIM', KEYS.events, 'MINID', string.format('%.0f-%.0f', least_ms, least_seq + 1))
end
return 1
