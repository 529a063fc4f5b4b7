#!lua flags=no-writes
-- Reads the heads of rounds of one bucket, each with its credits that were not accepted.
--
-- KEYS rounds...: as in commit.lua
-- ARGV none
-- Reply: for each round {head or nil, game code or nil, what is pending or nil,
--        {field, credit, ...}}
local replies = {}
for index, round in ipairs(KEYS.rounds) do
  local head, credits = redis.call('HMGET', round, 'h', 'g', 'p'), {}
  local fields = head[1] and redis.call('HGETALL', round) or {}
  for at = 1, #fields, 2 do
    local is_record = string.find(fields[at], '^[tT]')
    if is_record and string.find(fields[at + 1], '^c:') then
      credits[#credits + 1] = fields[at]
      credits[#credits + 1] = fields[at + 1]
    end
  end
  replies[index] = { head[1], head[2], head[3], credits }
end
return replies
