#!lua flags=no-writes
-- Counts the events of some buckets that a consumer has not acknowledged.
--
-- KEYS events...: as in commit.lua, of each bucket
-- KEYS cursors...: as in advance.lua, of each bucket
-- ARGV consumer: its name
-- Reply: {number, milliseconds of the oldest, "" without any}
local count, oldest = 0, nil
for at, events in ipairs(KEYS.events) do
  local length = redis.call('XLEN', events)
  if length > 0 then
    local cursor = redis.call('HGET', KEYS.cursors[at], ARGV.consumer)
    local entries = redis.call('XRANGE', events, cursor and '(' .. cursor or '-', '+', 'COUNT', 1)
    local first = entries[1] and entries[1][1]
    if first and first ~= redis.call('XRANGE', events, '-', '+', 'COUNT', 1)[1][1] then
      -- Another consumer is further behind, so its events are still in the stream: this one has few to count.
      length = #redis.call('XRANGE', events, first, '+')
    end
    if first then
      local fields = entries[1][2]
      local ms = fields[3] == 't' and tonumber(fields[4], 36) or tonumber(string.match(first, '^%d+'))
      count = count + length
      if not (oldest and oldest < ms) then oldest = ms end
    end
  end
end
return { count, oldest and string.format('%.0f', oldest) or '' }
