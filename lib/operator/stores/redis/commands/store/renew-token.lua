#!lua
-- Renews the token of a process, unless the data are older than those that the process has used.
--
-- KEYS settings: hash, name -> value; `token` and a token -> when it was renewed last
-- ARGV name: name of the token
-- ARGV at: time of the renewal
-- ARGV least: the least time that newer data hold for the token
-- ARGV kept: how many tokens are kept
-- Reply: 1, or 0 if the data are older
local held = redis.call('HGET', KEYS.settings, ARGV.name)
if redis.call('EXISTS', KEYS.settings) == 0 or tonumber(held or '0') < tonumber(ARGV.least) then return 0 end
-- Another renewal may have overtaken this one.
if tonumber(held or '0') >= tonumber(ARGV.at) then return 1 end
redis.call('HSET', KEYS.settings, ARGV.name, ARGV.at)
local fields = redis.call('HGETALL', KEYS.settings)
local tokens = {}
for at = 1, #fields, 2 do
  if string.sub(fields[at], 1, 6) == 'token ' then
    tokens[#tokens + 1] = {name = fields[at], time = tonumber(fields[at + 1])}
  end
end
table.sort(tokens, function(one, other) return one.time > other.time end)
for at = tonumber(ARGV.kept) + 1, #tokens do redis.call('HDEL', KEYS.settings, tokens[at].name) end
return 1
