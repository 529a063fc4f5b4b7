#!lua flags=allow-oom
-- Makes the index of open rounds agree with the rounds: those that a process without a history ended or
-- reopened, and those that are deleted.
--
-- KEYS[1] open: as in commit.lua, then rounds of the bucket
-- ARGV none
-- Reply: how many were removed
local removed = 0
for index = 2, #KEYS do
  local member = string.match(KEYS[index], '}:(.*)$')
  local head = redis.call('HGET', KEYS[index], 'h')
  local since = head and string.match(head, '^%d+ o%a%d %d+ %d+ %S* %S* (%w+)')
  if since then
    redis.call('ZADD', KEYS[1], string.format('%.0f', tonumber(since, 36)), member)
  else
    removed = removed + redis.call('ZREM', KEYS[1], member)
  end
end
return removed
