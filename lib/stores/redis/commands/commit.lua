#!lua
-- Writes a change of one round with its movements, all or nothing, if the round has the version
-- that the change was decided on. Knows no rule of the protocol.
--
-- KEYS[1] account: hash, currency -> "real" or "real bonus", and blocked -> "1"
-- KEYS[2] round: hash, h -> head, g -> game code, p -> what is pending, and fields named by hash
--         -> records
-- KEYS[3] attention: sorted set of the bucket's rounds that need attention, all with score 0
-- KEYS[4] unfinished: sorted set of the bucket's rounds that have a field p, all with score 0
-- ARGV[1] expected version, "0" for a round that is not stored
-- ARGV[2] head after it, without the sums
-- ARGV[3..6] sums: debits real, debits bonus, credits real, credits bonus, without this change's takes
-- ARGV[7] milliseconds to keep the round, "0" for ever
-- ARGV[8] game code to write, "" for none
-- ARGV[9] member to remove from attention, "" for none
-- ARGV[10] member to add to attention, "" for none
-- ARGV[11] what is pending after it, "=" for what there was, "-" for nothing any more
-- ARGV[12] member of unfinished
-- ARGV[13] number of movements, ARGV[14] number of records
-- then for each movement: kind, currency, x, y, index of its record
--   "take": x units in all, y "bonus" or "real" pays first; refused where funds are too low
--   "give", "reverse": x units to real, y units to bonus
-- then for each record: field, value
-- Reply: {"committed", currency, balance, ...}, accounts after it
--        {"stale"}
--        {"refused", index of the movement, reason}
local limit = 9007199254740991

local function text(number)
  return string.format('%.0f', number + 0)
end

local function version_of(head)
  return head and string.match(head, '^%d+') or '0'
end

local function pay(balance, amount, first)
  local real, bonus = math.max(balance.real, 0), math.max(balance.bonus, 0)
  if real + bonus < amount then return nil end
  if first == 'bonus' then
    local from_bonus = math.min(bonus, amount)
    return amount - from_bonus, from_bonus
  end
  local from_real = math.min(real, amount)
  return from_real, amount - from_real
end

local function parse(value)
  local real, bonus = string.match(value, '^(%S+) ?(%S*)$')
  return { real = tonumber(real), bonus = tonumber(bonus) or 0, has_bonus = bonus ~= '' }
end

local function in_range(number)
  return number <= limit and number >= -limit
end

if version_of(redis.call('HGET', KEYS[2], 'h')) ~= ARGV[1] then return { 'stale' } end

local movements, records = tonumber(ARGV[13]), tonumber(ARGV[14])
local sums = { tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]) }
local balances, order, paid = {}, {}, {}

for i = 1, movements do
  local at = 14 + (i - 1) * 5
  local kind, currency, x, y = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4]
  if i == 1 and redis.call('EXISTS', KEYS[1]) == 0 then return { 'refused', 1, 'noPlayer' } end
  local balance = balances[currency]
  if not balance then
    local value = redis.call('HGET', KEYS[1], currency)
    if not value then return { 'refused', i, 'noCurrency' } end
    balance = parse(value)
    balances[currency] = balance
    order[#order + 1] = currency
  end
  if kind == 'take' then
    if redis.call('HGET', KEYS[1], 'blocked') then return { 'refused', i, 'blocked' } end
    local real, bonus = pay(balance, tonumber(x), y)
    if not real then return { 'refused', i, 'tooLow' } end
    balance.real, balance.bonus = balance.real - real, balance.bonus - bonus
    sums[1], sums[2] = sums[1] + real, sums[2] + bonus
    paid[tonumber(ARGV[at + 5])] = ' ' .. text(real) .. ' ' .. text(bonus)
  else
    local real, bonus = tonumber(x), tonumber(y)
    balance.real, balance.bonus = balance.real + real, balance.bonus + bonus
    balance.has_bonus = balance.has_bonus or bonus ~= 0
  end
  if not (in_range(balance.real) and in_range(balance.bonus)) then
    return { 'refused', i, 'outOfRange' }
  end
end
for i = 1, 4 do
  if not in_range(sums[i]) then return { 'refused', movements, 'outOfRange' } end
end

for _, currency in ipairs(order) do
  local balance = balances[currency]
  local value = text(balance.real)
  if balance.has_bonus then value = value .. ' ' .. text(balance.bonus) end
  redis.call('HSET', KEYS[1], currency, value)
end
local head = { ARGV[2] }
for i = 1, 4 do head[i + 1] = text(sums[i]) end
local fields = { 'h', table.concat(head, ' ') }
if ARGV[8] ~= '' then
  fields[3], fields[4] = 'g', ARGV[8]
end
local base = 14 + movements * 5
for i = 1, records do
  fields[#fields + 1] = ARGV[base + i * 2 - 1]
  fields[#fields + 1] = ARGV[base + i * 2] .. (paid[i] or '')
end
for first = 1, #fields, 1000 do
  redis.call('HSET', KEYS[2], unpack(fields, first, math.min(first + 999, #fields)))
end
if ARGV[11] == '-' then
  redis.call('HDEL', KEYS[2], 'p')
  redis.call('ZREM', KEYS[4], ARGV[12])
elseif ARGV[11] ~= '=' then
  redis.call('HSET', KEYS[2], 'p', ARGV[11])
  redis.call('ZADD', KEYS[4], 0, ARGV[12])
end
if ARGV[7] == '0' then
  redis.call('PERSIST', KEYS[2])
else
  redis.call('PEXPIRE', KEYS[2], ARGV[7])
end
if ARGV[9] ~= '' then redis.call('ZREM', KEYS[3], ARGV[9]) end
if ARGV[10] ~= '' then redis.call('ZADD', KEYS[3], 0, ARGV[10]) end
local reply = redis.call('HGETALL', KEYS[1])
table.insert(reply, 1, 'committed')
return reply
