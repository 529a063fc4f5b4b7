#!lua flags=allow-oom
-- Makes the index of open rounds agree with the rounds: those that a process without a history ended or
-- reopened, and those that are deleted.
--
-- KEYS open: as in commit.lua
-- KEYS rounds...: rounds of the bucket
-- ARGV none
-- Reply: how many were removed
local removed = 0
for _, round in ipairs(KEYS.rounds) do
  local member = string.match(round, '}:(.*)$')
  local head = redis.call('HGET', round, 'h')
  local since = head and string.match(head, '^%d+ o%a%d %d+ %d+ %S* %S* (%w+)')
  if since then
    redis.call('ZADD', KEYS.open, string.format('%.0f', tonumber(since, 36)), member)
  else
    removed = removed + redis.call('ZREM', KEYS.open, member)
  end
end
return removed
