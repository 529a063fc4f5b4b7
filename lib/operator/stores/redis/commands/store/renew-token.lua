#!lua
-- Renews the token of a process, unless the data are older than those that the process has used.
--
-- KEYS[1] settings: hash, name -> value; `token` and a token -> when it was renewed last
-- ARGV[1] name of the token, ARGV[2] time, ARGV[3] the least time that newer data hold for it
-- ARGV[4] how many tokens are kept
-- Reply: 1, or 0 if the data are older
local held = redis.call('HGET', KEYS[1], ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 0 or tonumber(held or '0') < tonumber(ARGV[3]) then return 0 end
-- Another renewal may have overtaken this one.
if tonumber(held or '0') >= tonumber(ARGV[2]) then return 1 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
local fields = redis.call('HGETALL', KEYS[1])
local tokens = {}
for at = 1, #fields, 2 do
  if string.sub(fields[at], 1, 6) == 'token ' then
    tokens[#tokens + 1] = {name = fields[at], time = tonumber(fields[at + 1])}
  end
end
table.sort(tokens, function(one, other) return one.time > other.time end)
for at = tonumber(ARGV[4]) + 1, #tokens do redis.call('HDEL', KEYS[1], tokens[at].name) end
return 1
