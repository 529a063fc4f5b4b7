#!lua flags=no-writes
-- Reads the events of some buckets that a consumer has not acknowledged.
--
-- KEYS of each bucket: events, as in commit.lua, and cursors, as in advance.lua
-- ARGV[1] consumer, ARGV[2] how many events at most
-- Reply: {{number of the bucket in KEYS from 1, cursor or "", {{id, {field, value, ...}}, ...}}, ...}
--         of the buckets that have any
local found, left = {}, tonumber(ARGV[2])
for at = 1, #KEYS, 2 do
  if left > 0 and redis.call('XLEN', KEYS[at]) > 0 then
    local cursor = redis.call('HGET', KEYS[at + 1], ARGV[1])
    local from = cursor and '(' .. cursor or '-'
    local entries = redis.call('XRANGE', KEYS[at], from, '+', 'COUNT', left)
    left = left - #entries
    if #entries > 0 then found[#found + 1] = { (at + 1) / 2, cursor or '', entries } end
  end
end
return found
