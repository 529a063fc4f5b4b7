#!lua flags=allow-oom
-- Declares consumers of events, or takes a declaration back. Allowed in a full Redis: a consumer that names itself can then
-- drain its events, and one that is gone can be forgotten.
--
-- KEYS[1] consumers: set of names
-- ARGV[1] "SADD" or "SREM", then names
-- Reply: how many were not declared before, or were
if ARGV[1] == 'SADD' then return redis.call('SADD', KEYS[1], unpack(ARGV, 2)) end
return redis.call('SREM', KEYS[1], unpack(ARGV, 2))
