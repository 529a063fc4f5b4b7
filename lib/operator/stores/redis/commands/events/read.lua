#!lua flags=no-writes
-- Reads the events of some buckets that a consumer has not acknowledged. Buckets that have any share what is asked for: a
-- busy one keeps no other waiting, and no more is read than is asked for. Where too many have some for shares of a useful
-- size, the first ones are served, and the caller begins with others the next time.
--
-- KEYS events...: as in commit.lua, of each bucket
-- KEYS cursors...: as in advance.lua, of each bucket
-- ARGV consumer: its name
-- ARGV atMost: how many events at most
-- ARGV least: events of a bucket's share at least, if it has as many
-- ARGV first: number of the bucket that is served first, from 1
-- Reply: {{number of the bucket among these, from 1, cursor or "", {entry, ...}}, ...} of the buckets that have any;
--         of an entry its id, name, t (nothing in one of an earlier version) and text as one text, with spaces between:
--         texts in lists cost a reply more than the bytes in them
local count, left, least, waiting, found = #KEYS.events, tonumber(ARGV.atMost), tonumber(ARGV.least), {}, {}
for step = 0, count - 1 do
  if #waiting * least >= left then break end
  local at = (ARGV.first - 1 + step) % count + 1
  if redis.call('XLEN', KEYS.events[at]) > 0 then waiting[#waiting + 1] = at end
end
for number, at in ipairs(waiting) do
  if left <= 0 then break end
  local share = math.min(left, math.max(least, math.ceil(left / (#waiting - number + 1))))
  local cursor = redis.call('HGET', KEYS.cursors[at], ARGV.consumer)
  local entries = redis.call('XRANGE', KEYS.events[at], cursor and '(' .. cursor or '-', '+', 'COUNT', share)
  left = left - #entries
  for place, entry in ipairs(entries) do
    local fields = entry[2]
    entries[place] = entry[1] .. ' ' .. fields[1] .. ' ' .. (fields[4] or '') .. ' ' .. fields[2]
  end
  if #entries > 0 then found[#found + 1] = { at, cursor or '', entries } end
end
return found
