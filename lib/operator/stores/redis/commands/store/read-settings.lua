#!lua flags=no-writes
-- Reads the settings of the store. A script, so that no client asks a replica.
--
-- KEYS settings: hash, name -> value
-- ARGV names...: of the settings
-- Reply: {value or nil, ...}
return redis.call('HMGET', KEYS.settings, unpack(ARGV.names))
