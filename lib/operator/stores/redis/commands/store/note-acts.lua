#!lua
-- Notes in the settings of the data from when on the acts of people are listed.
--
-- KEYS settings: as in store/make.lua
-- ARGV at: milliseconds since 1970
-- Reply: 1, or 0 if there are no settings
if redis.call('EXISTS', KEYS.settings) == 0 then return 0 end
if not redis.call('HGET', KEYS.settings, 'acts') then redis.call('HSET', KEYS.settings, 'acts', ARGV.at) end
return 1
