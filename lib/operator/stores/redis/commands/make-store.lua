#!lua
-- Makes a store where there is none: notes what its data are written with.
--
-- KEYS[1] settings: hash, name -> value
-- ARGV name, value, ...
-- Reply: 1 where it was made, 0 where there was one
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
