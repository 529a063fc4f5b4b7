#!lua flags=allow-oom
-- Moves the cursor of a consumer in one bucket, and deletes the events that every consumer has behind it.
--
-- KEYS[1] events: as in commit.lua
-- KEYS[2] cursors: hash, consumer -> id of the last event that it has acknowledged
-- ARGV[1] consumer, ARGV[2] its cursor as it was read, "" for none
-- ARGV[3] its new cursor
-- then the names of all declared consumers
-- Reply: 1, or 0 if the cursor has moved meanwhile
if (redis.call('HGET', KEYS[2], ARGV[1]) or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
local least_ms, least_seq
for at = 4, #ARGV do
  local id = redis.call('HGET', KEYS[2], ARGV[at])
  if not id then return 1 end
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  ms, seq = tonumber(ms), tonumber(seq)
  if not least_ms or ms < least_ms or (ms == least_ms and seq < least_seq) then
    least_ms, least_seq = ms, seq
  end
end
if least_ms then
  redis.call('XTRIM', KEYS[1], 'MINID', string.format('%.0f-%.0f', least_ms, least_seq + 1))
end
return 1
