#!lua flags=no-writes
-- Reads which consumers are declared.
--
-- KEYS[1] consumers: as in declare.lua
-- ARGV none
-- Reply: {name, ...}
return redis.call('SMEMBERS', KEYS[1])
