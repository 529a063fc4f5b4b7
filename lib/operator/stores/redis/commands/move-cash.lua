#!lua
-- Adds or takes cash once per reference.
--
-- KEYS[1] account: as in commit.lua
-- KEYS[2] references: hash, reference -> content
-- ARGV[1] reference, ARGV[2] content, ARGV[3] currency, ARGV[4] "real" or "bonus"
-- ARGV[5] units, below zero to take
-- Reply: {"done", balance, 1 if the reference was known with this content, otherwise 0}
--        {"refused", reason}
local limit = 9007199254740991
if redis.call('EXISTS', KEYS[1]) == 0 then return { 'refused', 'noPlayer' } end
local value = redis.call('HGET', KEYS[1], ARGV[3])
if not value then return { 'refused', 'noCurrency' } end
local known = redis.call('HGET', KEYS[2], ARGV[1])
if known == ARGV[2] then return { 'done', value, 1 } end
if known then return { 'refused', 'referenceReused' } end

local real, bonus = string.match(value, '^(%S+) ?(%S*)$')
local moves_bonus, units = ARGV[4] == 'bonus', tonumber(ARGV[5])
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
redis.call('HSET', KEYS[1], ARGV[3], value)
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return { 'done', value, 0 }
