#!lua flags=no-writes
-- Reads the events of some buckets that a consumer has not acknowledged.
--
-- KEYS events...: as in commit.lua, of each bucket
-- KEYS cursors...: as in advance.lua, of each bucket
-- ARGV consumer: its name
-- ARGV atMost: how many events at most
-- Reply: {{number of the bucket among these, from 1, cursor or "", {{id, {field, value, ...}}, ...}}, ...}
--         of the buckets that have any
local found, left = {}, tonumber(ARGV.atMost)
for at, events in ipairs(KEYS.events) do
  if left > 0 and redis.call('XLEN', events) > 0 then
    local cursor = redis.call('HGET', KEYS.cursors[at], ARGV.consumer)
    local from = cursor and '(' .. cursor or '-'
    local entries = redis.call('XRANGE', events, from, '+', 'COUNT', left)
    left = left - #entries
    if #entries > 0 then found[#found + 1] = { at, cursor or '', entries } end
  end
end
return found
