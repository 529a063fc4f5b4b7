#!lua flags=no-writes
-- Reads a player's accounts.
--
-- KEYS account: as in commit.lua
-- ARGV none
-- Reply: {currency, balance, ...}, empty if the player is unknown
return redis.call('HGETALL', KEYS.account)
