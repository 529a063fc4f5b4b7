#!lua
-- Adds or takes cash once per reference.
--
-- KEYS account: as in commit.lua
-- KEYS references: hash, reference -> movement: content, a space, then time, id and name of the person, reason
-- KEYS order: list of the references, the oldest first
-- KEYS acts: sorted set of what people did to the bucket's players, all with score 0: of each when, its player and a key, with
--      slashes between, a space, and what was done
-- ARGV reference: the idempotency key of the movement
-- ARGV content: what a repeated order must have again
-- ARGV rest: the rest of the movement
-- ARGV currency: of the account
-- ARGV balance: "real" or "bonus"
-- ARGV units: below zero to take; of a deposit by a process that knows of limits of the player, followed by an end of line
--      and the moment, as move_on in limits/count.lua has it
-- ARGV place: of the movement in acts, "" where a program moved it
-- part extra, if a consumer of events is declared:
--   KEYS stream: as in commit.lua
--   ARGV event: of the stream, a -> lines: accounts after it; the account's key after its hash tag; this
--   ARGV at: as in commit.lua
-- Reply: {"done", balance, 1 if the reference was known with this content, otherwise 0}
--        {"refused", reason}
--        {"limits", zones...}: nothing was written, since the moment in these zones is missing
local limit = 9007199254740991
local value, groups = unpack(redis.call('HMGET', KEYS.account, ARGV.currency, '#limits'))
if not value then
  return { 'refused', redis.call('EXISTS', KEYS.account) == 0 and 'noPlayer' or 'noCurrency' }
end
local known = redis.call('HGET', KEYS.references, ARGV.reference)
if known and string.sub(known, 1, #ARGV.content + 1) == ARGV.content .. ' ' then
  return { 'done', value, 1 }
end
if known then return { 'refused', 'referenceReused' } end

local real, bonus = string.match(value, '^(%S+) ?(%S*)$')
local moves_bonus, units = ARGV.balance == 'bonus', tonumber(string.match(ARGV.units, '^%S+'))
if groups and string.match(ARGV.content, '^%d') then
  groups = unpack_limits(groups)
  if not move_on(groups, string.match(ARGV.units, '\n(.*)$') or '') then return { ask_for_moment(groups) } end
  if not count(groups, 3, 3, ARGV.currency, moves_bonus and 0 or units, moves_bonus and units or 0) then
    return { 'refused', 'limitReached' }
  end
else
  groups = nil
end
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
redis.call('RPUSH', KEYS.order, ARGV.reference)
redis.call('HSET', KEYS.account, ARGV.currency, value)
if groups then redis.call('HSET', KEYS.account, '#limits', pack_limits(groups)) end
redis.call('HSET', KEYS.references, ARGV.reference, ARGV.content .. ' ' .. ARGV.rest)
if ARGV.place ~= '' then
  redis.call('ZADD', KEYS.acts, 0, ARGV.place .. ' ' .. ARGV.content .. ' ' .. ARGV.rest)
end
if KEYS.stream then tell(KEYS.stream, KEYS.account, ARGV.event, ARGV.at) end
return { 'done', value, 0 }
