#!lua
-- Writes down what a person did and the store does not see by itself.
--
-- KEYS acts: as in move-cash.lua
-- ARGV member: place, a space, what was done
-- Reply: 1, or 0 if it was there
return redis.call('ZADD', KEYS.acts, 0, ARGV.member)
