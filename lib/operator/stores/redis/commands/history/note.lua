#!lua
-- Notes in the settings of the data that the store has a history.
--
-- KEYS settings: as in store/make.lua
-- ARGV now: milliseconds since 1970
-- Reply: 1, or 0 if there are no settings
if redis.call('EXISTS', KEYS.settings) == 0 then return 0 end
-- No round moved money before there was an account, so none is missing in the history.
local from = redis.call('HGET', KEYS.settings, 'money') and ARGV.now or '0'
redis.call('HSETNX', KEYS.settings, 'historyFrom', from)
redis.call('HSETNX', KEYS.settings, 'history', '1')
return 1
