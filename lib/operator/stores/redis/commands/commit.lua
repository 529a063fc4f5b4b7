#!lua
-- Writes a change of one round with its movements, all or nothing, if the round has the version
-- that the change was decided on. Knows no rule of the protocol.
-- How a take is split is the one rule that scripts know: splitDebit in lib/protocol/money/purse.ts.
--
-- KEYS[1] account: hash, currency -> "real" or "real bonus", and blocked -> "1"
-- KEYS[2] round: hash, h -> head, g -> game code, p -> what is pending, b and a version -> the balances
--         after that commit, and fields named by hash -> records
-- Only if an index changes:
-- KEYS[3] attention: sorted set of the bucket's rounds that need attention, all with score 0
-- KEYS[4] unfinished: sorted set of the bucket's rounds that have a field p, all with score 0
-- Only if the commit writes an event, behind those, or in their place as KEYS[3]:
-- KEYS[5] events: stream of the bucket's commits, e -> lines: accounts after it, currency|balance|...;
--         the round's key from behind its hash tag; ARGV[2]; the event of ARGV; and if that begins with [,
--         what its takes took, real and bonus of each in turn, else the names and values of the fields.
--         If the event of ARGV is "": nothing but key and ARGV[2]
-- Only if the store has a history (ARGV[7]), behind those above:
-- history: list of the player's rounds in the order of their first commits: of each its number and its
--         name. It lives as long as they do
-- kept: hash, name of a round that is kept for ever -> "". While there is one, the history is kept too, and
--         "" -> when the last of the other rounds expires, as that is no longer the expiry of the history
-- Behind these, only if the round is or was open (ARGV[7]):
-- open: sorted set of the bucket's rounds that are open, each with the milliseconds since 1970 from which on
--         it is: the rounds' keys from behind their hash tag
-- The last key, only if money is carried (ARGV[6]):
-- KEYS[#KEYS] carried: hash, currency -> real units, "currency bonus" -> bonus units: what rounds with
--         a time to live gave, less what they took. It stays when Redis deletes them
-- Behind that, only if a person changes the repairs of the round (ARGV[7]):
-- repairs: sorted set of the bucket's repairs, all with score 0: when it was proposed, and whose it is
-- ARGV[1] expected version, "0" for a round that is not stored
-- ARGV[2] head after it, up to the sums
-- ARGV[3] debits real, ARGV[4] debits bonus, without this change's takes
-- ARGV[5] the rest of the head: credits real, credits bonus and, where a person repaired the round,
--         its repairs; "" if the credits are out of range
-- ARGV[6] milliseconds to keep the round, "0" for ever, "=" for ever as before; then, if money is
--         carried, currency, real and bonus to add, without this change's takes
-- ARGV[7] with open, o if the round is open after it or e if that has ended; then, if the store has a
--         history, a space and the round's name in it; then, if its repairs change, a line for each member of
--         repairs
-- ARGV[8] the fields to write, packed (fields.lua): of each its name and value; in a store with a
--         history the last one may begin with b: if its value ends with /, the accounts after it are added to
--         it. It is no part of the event
-- ARGV[9] the movements, each of four texts that end with NUL: kind, currency, x, y
--   "takeReal", "takeBonus": x units in all, the balance of that name pays first; refused if funds are too
--     low. What each paid is appended to a record, the text of the fields that has the place y ("0" for none)
--   "give", "reverse": x units to real, y units to bonus
-- then, with KEYS[3] and KEYS[4], members, "" for none: one to remove from attention,
-- one to add to it; one to remove from unfinished, with the field p, one to add to it
-- then, with the key of events: the event
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

local openness, name, repaired = string.match(ARGV[7], '^(%a?) ?(%S*)(.*)$')
local repairs = repaired ~= '' and table.remove(KEYS)
local keep, carried_currency, carried_real, carried_bonus = string.match(ARGV[6], '^(%S+) (%S+) (%S+) (%S+)$')
local carried = keep and table.remove(KEYS)
keep = keep or ARGV[6]
local open = openness ~= '' and table.remove(KEYS)
local kept = name ~= '' and table.remove(KEYS)
local history = kept and table.remove(KEYS)

local events = #KEYS % 2 == 1 and KEYS[#KEYS]
local attention, unfinished_rounds = KEYS[3], KEYS[4]
if not unfinished_rounds then attention = nil end

-- follow.lua has read the head in the same moment.
local head = ARGV.head or redis.call('HGET', KEYS[2], 'h')
if (head and string.match(head, '^%d+') or '0') ~= ARGV[1] then return 'stale' end

local accounts = redis.call('HGETALL', KEYS[1])
local places, balances = {}, {}
for at = 1, #accounts, 2 do places[accounts[at]] = at + 1 end

-- follow.lua has read the fields.
local fields = ARGV.fields or run_fields(KEYS, { ARGV[8] })
local taken, takes = {}, false
local debits_real, debits_bonus = tonumber(ARGV[3]), tonumber(ARGV[4])
local movements, next_at, index = ARGV[9], 1, 0
while next_at <= #movements do
  local kind, currency, x, y
  kind, currency, x, y, next_at = struct.unpack('ssss', movements, next_at)
  index = index + 1
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
    takes = true
    local amount = tonumber(x)
    local has_real, has_bonus = math.max(balance.real, 0), math.max(balance.bonus, 0)
    if has_real + has_bonus < amount then return 'refused ' .. index .. ' tooLow' end
    local real = math.min(has_real, amount)
    if kind == 'takeBonus' then real = amount - math.min(has_bonus, amount) end
    local bonus = amount - real
    balance.real, balance.bonus = balance.real - real, balance.bonus - bonus
    debits_real, debits_bonus = debits_real + real, debits_bonus + bonus
    if events then taken[#taken + 1] = text(real) .. ' ' .. text(bonus) end
    local record = tonumber(y)
    if fields[record] then fields[record] = fields[record] .. ' ' .. text(real) .. ' ' .. text(bonus) end
  else
    local bonus = tonumber(y)
    balance.real, balance.bonus = balance.real + x, balance.bonus + bonus
    balance.has_bonus = balance.has_bonus or bonus ~= 0
  end
  if not (in_range(balance.real) and in_range(balance.bonus)) then
    return 'refused ' .. index .. ' outOfRange'
  end
end
if ARGV[5] == '' or not (in_range(debits_real) and in_range(debits_bonus)) then
  return 'refused ' .. index .. ' outOfRange'
end

if carried then
  carried_real, carried_bonus = tonumber(carried_real), tonumber(carried_bonus)
  if keep ~= '0' then
    carried_real = carried_real - (debits_real - ARGV[3])
    carried_bonus = carried_bonus - (debits_bonus - ARGV[4])
  end
  if not (in_range(carried_real) and in_range(carried_bonus)) then
    return 'refused ' .. index .. ' outOfRange'
  end
  if places[carried_currency] and carried_real ~= 0 then
    redis.call('HINCRBY', carried, carried_currency, text(carried_real))
  end
  if places[carried_currency] and carried_bonus ~= 0 then
    redis.call('HINCRBY', carried, carried_currency .. ' bonus', text(carried_bonus))
  end
end
for place, balance in pairs(balances) do
  local value = text(balance.real)
  if balance.has_bonus then value = value .. ' ' .. text(balance.bonus) end
  accounts[place] = value
  redis.call('HSET', KEYS[1], accounts[place - 1], value)
end
local last_field = #fields
if name ~= '' and string.sub(fields[#fields - 1] or '', 1, 1) == 'b' then
  last_field = #fields - 2
  local held = fields[#fields]
  if string.sub(held, -1) == '/' then fields[#fields] = held .. table.concat(accounts, '|') end
end
local debits = ARGV[3] .. ' ' .. ARGV[4]
if takes then debits = text(debits_real) .. ' ' .. text(debits_bonus) end
redis.call('HSET', KEYS[2], 'h', ARGV[2] .. ' ' .. debits .. ' ' .. ARGV[5], unpack(fields, 1, math.min(#fields, 1000)))
for at = 1001, #fields, 1000 do
  redis.call('HSET', KEYS[2], unpack(fields, at, math.min(at + 999, #fields)))
end
if attention then
  local settled, unsettled, finished, unfinished = unpack(ARGV, 10)
  if settled ~= '' then redis.call('ZREM', attention, settled) end
  if unsettled ~= '' then redis.call('ZADD', attention, 0, unsettled) end
  if finished ~= '' then
    redis.call('HDEL', KEYS[2], 'p')
    redis.call('ZREM', unfinished_rounds, finished)
  end
  if unfinished ~= '' then redis.call('ZADD', unfinished_rounds, 0, unfinished) end
end
if repairs then
  for member in string.gmatch(repaired, '%S+') do redis.call('ZADD', repairs, 0, member) end
end
if open then
  local member = string.match(KEYS[2], '}:(.*)$')
  local since = string.match(ARGV[2], '^%d+ %a+%d %d+ %d+ %S* %S* (%w+)')
  if openness == 'o' then
    redis.call('ZADD', open, text(tonumber(since or '0', 36)), member)
  else
    redis.call('ZREM', open, member)
  end
end
if events then
  local content = ARGV[#ARGV]
  local rest = string.byte(content) == 91 and table.concat(taken, ' ') or table.concat(fields, '\n', 1, last_field)
  -- The names of a bucket's keys begin alike, and that of the events ends with one letter.
  local key = string.sub(KEYS[2], #events)
  local lines = '\n' .. key .. '\n' .. ARGV[2]
  if content ~= '' then lines = table.concat(accounts, '|') .. lines .. '\n' .. content .. '\n' .. rest end
  redis.call('XADD', events, '*', 'e', lines)
end
if keep == '0' then
  redis.call('PERSIST', KEYS[2])
elseif keep ~= '=' then
  redis.call('PEXPIRE', KEYS[2], keep)
end
if history then
  if not head then
    local latest = redis.call('LINDEX', history, -1)
    local number = latest and string.match(latest, '^%d+') + 1 or 1
    redis.call('RPUSH', history, text(number) .. name)
  end
  if keep == '0' or keep == '=' and not head then
    local lasts = redis.call('PEXPIRETIME', history)
    redis.call('HSET', kept, name, '')
    if lasts > 0 then
      redis.call('HSET', kept, '', text(lasts))
      redis.call('PERSIST', history)
    end
  elseif keep ~= '=' then
    if head then redis.call('HDEL', kept, name) end
    local lasts, others = redis.call('PEXPIRETIME', KEYS[2]), redis.call('HLEN', kept)
    local noted = others > 0 and redis.call('HGET', kept, '')
    if others > (noted and 1 or 0) then
      if not noted or tonumber(noted) < lasts then redis.call('HSET', kept, '', text(lasts)) end
    else
      if noted then redis.call('HDEL', kept, '') end
      lasts = math.max(lasts, tonumber(noted or 0), redis.call('PEXPIRETIME', history))
      redis.call('PEXPIREAT', history, text(lasts))
    end
  end
end
return accounts
