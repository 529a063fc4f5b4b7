#!lua
-- Writes a change of one round with its movements, all or nothing, if the round has the version
-- that the change was decided on. Knows no rule of the protocol.
-- How a take is split is the one rule that scripts know: splitDebit in lib/protocol/money/purse.ts.
--
-- KEYS[1] account: hash, currency -> "real" or "real bonus", and blocked -> "1"
-- KEYS[2] round: hash, h -> head, g -> game code, p -> what is pending, and fields named by hash
--         -> records
-- Only if an index changes:
-- KEYS[3] attention: sorted set of the bucket's rounds that need attention, all with score 0
-- KEYS[4] unfinished: sorted set of the bucket's rounds that have a field p, all with score 0
-- ARGV[1] expected version, "0" for a round that is not stored
-- ARGV[2] head after it, up to the sums
-- ARGV[3] debits real, ARGV[4] debits bonus, without this change's takes
-- ARGV[5] the rest of the head: credits real and credits bonus; "" if they are out of range
-- ARGV[6] milliseconds to keep the round, "0" for ever, "=" for ever as before
-- ARGV[7] number of fields to write
-- then for each field: name, value
-- then for each movement: kind, currency, x, y
--   "takeReal", "takeBonus": x units in all, the balance of that name pays first; refused if
--     funds are too low. What each paid is appended to ARGV[y], a record ("0" for none)
--   "give", "reverse": x units to real, y units to bonus
-- then, with KEYS[3] and KEYS[4], members, "" for none: one to remove from attention,
-- one to add to it; one to remove from unfinished, with the field p, one to add to it
-- Reply: {currency, balance, ...}, accounts after it
--        "stale"
--        "refused", index of the movement and reason, with spaces between
local limit = 9007199254740991

local function text(number)
  if number == 0 then return '0' end
  return string.format('%.0f', number)
end

local function in_range(number)
  return number <= limit and number >= -limit
end

local function parse(value)
  local real = tonumber(value)
  if real then return { real = real, bonus = 0 } end
  local first, second = string.match(value, '^(%S+) (%S+)$')
  return { real = tonumber(first), bonus = tonumber(second), has_bonus = true }
end

local head = redis.call('HGET', KEYS[2], 'h')
if (head and string.match(head, '^%d+') or '0') ~= ARGV[1] then return 'stale' end

local accounts = redis.call('HGETALL', KEYS[1])
local places, balances = {}, {}
for at = 1, #accounts, 2 do places[accounts[at]] = at + 1 end

local first = 8 + 2 * ARGV[7]
local last = #ARGV - (KEYS[3] and 4 or 0)
local debits_real, debits_bonus = tonumber(ARGV[3]), tonumber(ARGV[4])
local index = 0
for at = first, last, 4 do
  index = index + 1
  local kind, currency = ARGV[at], ARGV[at + 1]
  local place = places[currency]
  if not place then
    return 'refused ' .. index .. (#accounts == 0 and ' noPlayer' or ' noCurrency')
  end
  local balance = balances[place]
  if not balance then
    balance = parse(accounts[place])
    balances[place] = balance
  end
  if kind == 'takeReal' or kind == 'takeBonus' then
    if places.blocked then return 'refused ' .. index .. ' blocked' end
    local amount = tonumber(ARGV[at + 2])
    local has_real, has_bonus = math.max(balance.real, 0), math.max(balance.bonus, 0)
    if has_real + has_bonus < amount then return 'refused ' .. index .. ' tooLow' end
    local real = math.min(has_real, amount)
    if kind == 'takeBonus' then real = amount - math.min(has_bonus, amount) end
    local bonus = amount - real
    balance.real, balance.bonus = balance.real - real, balance.bonus - bonus
    debits_real, debits_bonus = debits_real + real, debits_bonus + bonus
    local record = tonumber(ARGV[at + 3])
    if ARGV[record] then ARGV[record] = ARGV[record] .. ' ' .. text(real) .. ' ' .. text(bonus) end
  else
    local bonus = tonumber(ARGV[at + 3])
    balance.real, balance.bonus = balance.real + ARGV[at + 2], balance.bonus + bonus
    balance.has_bonus = balance.has_bonus or bonus ~= 0
  end
  if not (in_range(balance.real) and in_range(balance.bonus)) then
    return 'refused ' .. index .. ' outOfRange'
  end
end
if ARGV[5] == '' or not (in_range(debits_real) and in_range(debits_bonus)) then
  return 'refused ' .. index .. ' outOfRange'
end

for place, balance in pairs(balances) do
  local value = text(balance.real)
  if balance.has_bonus then value = value .. ' ' .. text(balance.bonus) end
  accounts[place] = value
  redis.call('HSET', KEYS[1], accounts[place - 1], value)
end
local sums = text(debits_real) .. ' ' .. text(debits_bonus) .. ' ' .. ARGV[5]
redis.call('HSET', KEYS[2], 'h', ARGV[2] .. ' ' .. sums, unpack(ARGV, 8, math.min(first - 1, 1007)))
for at = 1008, first - 1, 1000 do
  redis.call('HSET', KEYS[2], unpack(ARGV, at, math.min(at + 999, first - 1)))
end
if KEYS[3] then
  local settled, unsettled, finished, unfinished = unpack(ARGV, last + 1)
  if settled ~= '' then redis.call('ZREM', KEYS[3], settled) end
  if unsettled ~= '' then redis.call('ZADD', KEYS[3], 0, unsettled) end
  if finished ~= '' then
    redis.call('HDEL', KEYS[2], 'p')
    redis.call('ZREM', KEYS[4], finished)
  end
  if unfinished ~= '' then redis.call('ZADD', KEYS[4], 0, unfinished) end
end
if ARGV[6] == '0' then
  redis.call('PERSIST', KEYS[2])
elseif ARGV[6] ~= '=' then
  redis.call('PEXPIRE', KEYS[2], ARGV[6])
end
return accounts
