#!lua flags=allow-oom
-- Declares consumers of events, or takes a declaration back. Allowed in a full Redis: a consumer that names itself can then
-- drain its events, and one that is gone can be forgotten.
--
-- KEYS consumers: set of names
-- ARGV command: "SADD" or "SREM"
-- ARGV names...: of the consumers
-- Reply: how many were not declared before, or were
if args.command == 'SADD' then return redis.call('SADD', keys.consumers, unpack(args.names)) end
return redis.call('SREM', keys.consumers, unpack(args.names))
