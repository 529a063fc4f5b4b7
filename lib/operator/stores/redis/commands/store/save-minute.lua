#!lua
-- Keeps the row of a process in place of what was kept of its minute, unless the minute has enough rows of others.
--
-- KEYS minute: hash of one minute, process -> its row
-- ARGV process: letters, digits, - and _
-- ARGV text: the row
-- ARGV most: how many processes
-- ARGV keep: milliseconds after which the minute is deleted
-- Reply: 1 if it was kept, otherwise 0
local known, others = false, 0
for _, name in ipairs(redis.call('HKEYS', KEYS.minute)) do
  if name == ARGV.process then known = true else others = others + 1 end
end
if not known and others >= tonumber(ARGV.most) then return 0 end
redis.call('HSET', KEYS.minute, ARGV.process, ARGV.text)
redis.call('PEXPIRE', KEYS.minute, ARGV.keep)
return 1
