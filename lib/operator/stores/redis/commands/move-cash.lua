#!lua
-- Adds or takes cash once per reference.
--
-- KEYS[1] account: as in commit.lua
-- KEYS[2] references: hash, reference -> movement: content, and behind a space time, id and name of
--         the person, reason; content alone if an earlier version moved it
-- KEYS[3] order: list of the references, the oldest first. A player from an earlier version has none:
--         the first movement makes it, with the known references in the order of their names
-- ARGV[1] reference, ARGV[2] content, ARGV[3] the rest of the movement
-- ARGV[4] currency, ARGV[5] "real" or "bonus", ARGV[6] units, below zero to take
-- Reply: {"done", balance, 1 if the reference was known with this content, otherwise 0}
--        {"refused", reason}
local limit = 9007199254740991
if redis.call('EXISTS', KEYS[1]) == 0 then return { 'refused', 'noPlayer' } end
local value = redis.call('HGET', KEYS[1], ARGV[4])
if not value then return { 'refused', 'noCurrency' } end
local known = redis.call('HGET', KEYS[2], ARGV[1])
if known and string.sub(known .. ' ', 1, #ARGV[2] + 1) == ARGV[2] .. ' ' then
  return { 'done', value, 1 }
end
if known then return { 'refused', 'referenceReused' } end

local real, bonus = string.match(value, '^(%S+) ?(%S*)$')
local moves_bonus, units = ARGV[5] == 'bonus', tonumber(ARGV[6])
local after = (tonumber(moves_bonus and bonus or real) or 0) + units
if units < 0 and after < 0 then return { 'refused', 'tooLow' } end
if after > limit then return { 'refused', 'outOfRange' } end

local moved = string.format('%.0f', after + 0)
if moves_bonus then
  value = real .. ' ' .. moved
elseif bonus ~= '' then
  value = moved .. ' ' .. bonus
else
  value = moved
end
if redis.call('EXISTS', KEYS[3]) == 0 then
  local earlier = redis.call('HKEYS', KEYS[2])
  table.sort(earlier)
  for at = 1, #earlier do redis.call('RPUSH', KEYS[3], earlier[at]) end
end
redis.call('RPUSH', KEYS[3], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[4], value)
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
return { 'done', value, 0 }
