#!lua
-- Notes in the settings of the data that the store has a history.
--
-- KEYS settings: as in store/make.lua
-- ARGV none
-- Reply: 1, or 0 if there are no settings
if redis.call('EXISTS', KEYS.settings) == 0 then return 0 end
redis.call('HSETNX', KEYS.settings, 'history', '1')
return 1
