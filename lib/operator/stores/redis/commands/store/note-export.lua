#!lua
-- Writes down that a person took a file out of the store.
--
-- KEYS acts: as in move-cash.lua
-- ARGV member: place, a space, what was taken
-- Reply: 1, or 0 if it was there
return redis.call('ZADD', KEYS.acts, 0, ARGV.member)
