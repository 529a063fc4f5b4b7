#!lua
-- Creates a store if there is none: writes the settings of its data.
--
-- KEYS settings: hash, name -> value
-- ARGV fields...: name, value, ...
-- Reply: 1 if it was created, 0 if there was one
if redis.call('EXISTS', KEYS.settings) == 1 then return 0 end
redis.call('HSET', KEYS.settings, unpack(ARGV.fields))
return 1
