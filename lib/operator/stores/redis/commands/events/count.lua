#!lua flags=no-writes
-- Counts the events of some buckets that a consumer has not acknowledged.
--
-- KEYS of each bucket: events, as in commit.lua, and cursors, as in advance.lua
-- ARGV[1] consumer
-- Reply: {number, milliseconds of the oldest, "" without any}
local count, oldest = 0, nil
for at = 1, #KEYS, 2 do
  local length = redis.call('XLEN', KEYS[at])
  if length > 0 then
    local cursor = redis.call('HGET', KEYS[at + 1], ARGV[1])
    local entries = redis.call('XRANGE', KEYS[at], cursor and '(' .. cursor or '-', '+', 'COUNT', 1)
    local first = entries[1] and entries[1][1]
    if first and first ~= redis.call('XRANGE', KEYS[at], '-', '+', 'COUNT', 1)[1][1] then
      -- Another consumer holds the stream, which is cut off behind the slowest: this one has not far to go.
      length = #redis.call('XRANGE', KEYS[at], first, '+')
    end
    if first then
      local ms = tonumber(string.match(first, '^%d+'))
      count = count + length
      if not (oldest and oldest < ms) then oldest = ms end
    end
  end
end
return { count, oldest and string.format('%.0f', oldest) or '' }
