#!lua
-- Opens a player's account in one currency unless there is one.
--
-- KEYS[1] account: as in commit.lua
-- ARGV[1] currency, ARGV[2] balance "real" or "real bonus"
-- Reply: {1 if it was opened, otherwise 0; the balance now}
local opened = redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
return { opened, redis.call('HGET', KEYS[1], ARGV[1]) }
