#!lua
-- Creates a store if there is none: writes the settings of its data.
--
-- KEYS[1] settings: hash, name -> value
-- ARGV name, value, ...
-- Reply: 1 if it was created, 0 if there was one
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
