#!lua
-- Keeps the result of a day in place of what was kept of it, and deletes those of days before the first one.
--
-- KEYS reconciled: hash of an operator, day, a space and the source -> when it was saved, a space and the result
-- ARGV name: day, a space and the source
-- ARGV text: when it was saved, a space and the result
-- ARGV first: the first day that is kept
-- Reply: how many were deleted
redis.call('HSET', KEYS.reconciled, ARGV.name, ARGV.text)
local deleted = 0
for _, name in ipairs(redis.call('HKEYS', KEYS.reconciled)) do
  if string.sub(name, 1, 10) < ARGV.first then
    deleted = deleted + redis.call('HDEL', KEYS.reconciled, name)
  end
end
return deleted
