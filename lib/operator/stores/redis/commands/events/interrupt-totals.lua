#!lua flags=allow-oom
-- Notes that the totals may miss events from now on.
--
-- KEYS marks: as in add-totals.lua
-- ARGV none
-- Reply: 1 if no event was missing before
return redis.call('HDEL', KEYS.marks, 'since')
