#!lua flags=no-writes
-- Reads the settings of the store. A script, so that no client asks a replica.
--
-- KEYS[1] settings: hash, name -> value
-- ARGV names
-- Reply: {value or nil, ...}
return redis.call('HMGET', KEYS[1], unpack(ARGV))
