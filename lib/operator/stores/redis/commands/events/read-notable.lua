#!lua flags=no-writes
-- Reads the notable rounds of a kind (add-totals.lua), the last ones first.
--
-- KEYS notable: sorted set
-- ARGV before: members before this one
-- ARGV from: members from this one on
-- ARGV most: how many at most
-- Reply: the members
return redis.call('ZRANGE', KEYS.notable, '(' .. ARGV.before, '[' .. ARGV.from, 'BYLEX', 'REV', 'LIMIT', 0, ARGV.most)
