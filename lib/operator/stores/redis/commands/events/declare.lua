#!lua flags=allow-oom
-- Declares consumers of events, or takes a declaration back. Allowed in a full Redis: a consumer that names itself can then
-- drain its events, and one that is gone can be forgotten.
--
-- KEYS consumers: set of names
-- ARGV command: "SADD" or "SREM"
-- ARGV names...: of the consumers
-- Reply: how many were not declared before, or were
if ARGV.command == 'SADD' then return redis.call('SADD', KEYS.consumers, unpack(ARGV.names)) end
return redis.call('SREM', KEYS.consumers, unpack(ARGV.names))
