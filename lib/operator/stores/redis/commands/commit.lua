#!lua
-- Writes a change of one round with its movements, all or nothing, if the round has the version
-- that the change was decided on. Knows no rule of the protocol.
-- How a take is split is the one rule that scripts know: splitDebit in lib/protocol/money/purse.ts.
--
-- KEYS account: hash, currency -> "real" or "real bonus"; blocked -> "1", or "1" and the milliseconds since 1970 when the
--      block ends; #limits -> limits/count.lua; what rounds with a time to live gave, less what
--      they took, which stays when Redis deletes them: + and currency -> real units, ++ and currency -> bonus units
-- KEYS round: hash, h -> head, g -> game code, p -> what is pending, n -> its number in the history of its
--      player, b and a version -> the balances after that commit, and fields named by hash -> records
-- ARGV version: the expected one, "0" for a round that is not stored
-- ARGV head: head after it, up to the sums
-- ARGV debitsReal: without this change's takes
-- ARGV debitsBonus: without this change's takes
-- ARGV credits: the rest of the head: credits real, credits bonus and, if a person repaired the round,
--      its repairs; "" if the credits are out of range
-- ARGV keep: milliseconds to keep the round, "0" for ever, "=" for ever as before
-- ARGV fields: the fields to write, packed (fields.lua): of each its name and value; in a store with a
--      history the last one may begin with b: if its value ends with /, the accounts after it are added to
--      it. It is no part of the event
-- ARGV movements: each of four texts that end with NUL: kind, currency, x, y
--      "takeReal", "takeBonus": x units in all, the balance of that name pays first; refused if funds are too
--      low. What each paid is appended to a record, the text of the fields that has the place y ("0" for none)
--      "give", "reverse": x units to real, y units to bonus
-- part index, if an index changes; of each ARGV the member, "" for none:
--   KEYS attention: sorted set of the bucket's rounds that need attention, all with score 0
--   KEYS unfinished: sorted set of the bucket's rounds that have a field p, all with score 0
--   ARGV leavesAttention: is removed from attention
--   ARGV entersAttention: is added to it
--   ARGV leavesUnfinished: is removed from unfinished, with the field p
--   ARGV entersUnfinished: is added to it
-- part events, if the commit writes an event:
--   KEYS stream: stream of the bucket's commits, e -> lines: accounts after it, currency|balance|...;
--        the round's key after its hash tag; head; text; and if that begins with [,
--        what its takes took, real and bonus of each in turn, else the names and values of the fields.
--        If text is "": nothing but key and head
--   ARGV text: of the event
--   ARGV at: milliseconds since 1970 in base 36, by the clock of the process: t of the entry. The id of an entry may be later,
--        as no id of a stream is below one before it
-- part history, if the store has a history:
--   KEYS list: list of the player's rounds in the order of their first commits: of each its number and its
--        name. It lives as long as they do. An entry with another number than its round has is that of an earlier
--        round of this name, which has expired
--   KEYS kept: hash, name of a round that is kept for ever -> "". While there is one, the history is kept too, and
--        "" -> when the last of the other rounds expires, as that is no longer the expiry of the history
--   ARGV name: of the round in the history
-- part open, if the store has a history and the round is or was open:
--   KEYS rounds: sorted set of the bucket's open rounds, each with the milliseconds since 1970 from which on
--        it is: the rounds' keys after their hash tag
-- part carried, if money is carried:
--   ARGV currency: of the money to add
--   ARGV real: units to add, without this change's takes
--   ARGV bonus: units to add, without this change's takes
-- part repairs, if a person changes the repairs of the round:
--   KEYS set: sorted set of the bucket's repairs, all with score 0: when it was proposed, and its round
--   KEYS acts: as in move-cash.lua
--   ARGV places: the members to add, with spaces between
--   ARGV done: the members to add to acts, with line ends between
-- part limits, if the player has limits or a block that ends, as far as this process knows:
--   ARGV now: milliseconds since 1970
--   ARGV moment: as move_on in limits/count.lua has it
--   ARGV back: as take_back in limits/count.lua has it
-- follow.lua also gives what it has read in the same moment, as parts.read: the head, and the texts of fields
-- Reply: {currency, balance, ...}, accounts after it
--        "stale"
--        "refused", index of the movement and reason, with spaces between
--        "limits", zones, with spaces between: nothing was written, since the part limits with them is missing
local limit = 9007199254740991

local function text(number)
  if number == 0 then return '0' end
  return string.format('%.0f', number)
end

local function in_range(real, bonus)
  return real <= limit and real >= -limit and bonus <= limit and bonus >= -limit
end

local function parse(value)
  local real = tonumber(value)
  if real then return { real = real, bonus = 0 } end
  local first, second = string.match(value, '^(%S+) (%S+)$')
  return { real = tonumber(first), bonus = tonumber(second), has_bonus = true }
end

local round, keep, events, history, read = KEYS.round, ARGV.keep, parts.events, parts.history, parts.read
local head = read and read.head or redis.call('HGET', round, 'h')
if (head and string.match(head, '^%d+') or '0') ~= ARGV.version then return 'stale' end

local stored = redis.call('HGETALL', KEYS.account)
local accounts, places, balances, sums, groups = {}, {}, {}, {}, nil
for at = 1, #stored, 2 do
  local name, count = stored[at], #accounts
  local first = string.byte(name)
  if first == 43 then
    sums[name] = stored[at + 1]
  elseif first == 35 then
    groups = stored[at + 1]
  else
    accounts[count + 1], accounts[count + 2], places[name] = name, stored[at + 1], count + 2
  end
end

local fields = read and read.fields or unpack_fields(ARGV.fields)
local taken, takes = events and {}, false
local debits_real, debits_bonus = tonumber(ARGV.debitsReal), tonumber(ARGV.debitsBonus)
local movements, next_at, number = ARGV.movements, 1, 0
local limits, ends = parts.limits, places.blocked and string.match(accounts[places.blocked], '^1 (%d+)$')
if movements == '' and not limits then groups = nil end
if groups then
  groups = unpack_limits(groups)
  local zones = limits and move_on(groups, limits.moment)
  if not zones then return ask_for_moment(groups) end
  take_back(groups, zones, limits.back)
end
while next_at <= #movements do
  local kind, currency, x, y
  kind, currency, x, y, next_at = struct.unpack('ssss', movements, next_at)
  number = number + 1
  local place = places[currency]
  if not place then
    return 'refused ' .. number .. (#accounts == 0 and ' noPlayer' or ' noCurrency')
  end
  local balance = balances[place]
  if not balance then
    balance = parse(accounts[place])
    balances[place] = balance
  end
  if kind == 'takeReal' or kind == 'takeBonus' then
    if ends and not limits then return 'limits' end
    if places.blocked and not (ends and tonumber(limits.now) >= tonumber(ends)) then
      return 'refused ' .. number .. ' blocked'
    end
    takes = true
    local amount = tonumber(x)
    local has_real, has_bonus = balance.real, balance.bonus
    if has_real < 0 then has_real = 0 end
    if has_bonus < 0 then has_bonus = 0 end
    if has_real + has_bonus < amount then return 'refused ' .. number .. ' tooLow' end
    local real = has_real < amount and has_real or amount
    if kind == 'takeBonus' then real = has_bonus < amount and amount - has_bonus or 0 end
    local bonus = amount - real
    if groups and not count(groups, 1, 2, currency, real, bonus) then return 'refused ' .. number .. ' limitReached' end
    balance.real, balance.bonus = balance.real - real, balance.bonus - bonus
    debits_real, debits_bonus = debits_real + real, debits_bonus + bonus
    if events then taken[#taken + 1] = text(real) .. ' ' .. text(bonus) end
    local record = tonumber(y)
    if fields[record] then fields[record] = fields[record] .. ' ' .. text(real) .. ' ' .. text(bonus) end
  else
    local bonus = tonumber(y)
    if groups and kind == 'give' then count(groups, 2, 2, currency, -x, -bonus) end
    balance.real, balance.bonus = balance.real + x, balance.bonus + bonus
    balance.has_bonus = balance.has_bonus or bonus ~= 0
  end
  if not in_range(balance.real, balance.bonus) then
    return 'refused ' .. number .. ' outOfRange'
  end
end
if ARGV.credits == '' or not in_range(debits_real, debits_bonus) then
  return 'refused ' .. number .. ' outOfRange'
end

local written = {}

-- A sum may be larger than Lua's numbers are exact for; a change never is.
local function carry(name, change)
  if change == 0 then return end
  local held = tonumber(sums[name] or 0)
  if in_range(held, held + change) then
    written[#written + 1], written[#written + 2] = name, text(held + change)
  else
    redis.call('HINCRBY', KEYS.account, name, text(change))
  end
end

if parts.carried then
  local currency = parts.carried.currency
  local carried_real, carried_bonus = tonumber(parts.carried.real), tonumber(parts.carried.bonus)
  if keep ~= '0' then
    carried_real = carried_real - (debits_real - ARGV.debitsReal)
    carried_bonus = carried_bonus - (debits_bonus - ARGV.debitsBonus)
  end
  if not in_range(carried_real, carried_bonus) then
    return 'refused ' .. number .. ' outOfRange'
  end
  if places[currency] then
    carry('+' .. currency, carried_real)
    carry('++' .. currency, carried_bonus)
  end
end
for place, balance in pairs(balances) do
  local value = text(balance.real)
  if balance.has_bonus then value = value .. ' ' .. text(balance.bonus) end
  accounts[place] = value
  written[#written + 1], written[#written + 2] = accounts[place - 1], value
end
if groups then written[#written + 1], written[#written + 2] = '#limits', pack_limits(groups) end
if #written > 0 then redis.call('HSET', KEYS.account, unpack(written)) end
local last_field = #fields
if history and string.sub(fields[#fields - 1] or '', 1, 1) == 'b' then
  last_field = #fields - 2
  local held = fields[#fields]
  if string.sub(held, -1) == '/' then fields[#fields] = held .. table.concat(accounts, '|') end
end
local round_number
if history and not head then
  local latest = redis.call('LINDEX', history.list, -1)
  round_number = text(latest and string.match(latest, '^%d+') + 1 or 1)
  fields[#fields + 1] = 'n'
  fields[#fields + 1] = round_number
end
local debits = ARGV.debitsReal .. ' ' .. ARGV.debitsBonus
if takes then debits = text(debits_real) .. ' ' .. text(debits_bonus) end
redis.call('HSET', round, 'h', ARGV.head .. ' ' .. debits .. ' ' .. ARGV.credits, unpack(fields, 1, math.min(#fields, 1000)))
for at = 1001, #fields, 1000 do
  redis.call('HSET', round, unpack(fields, at, math.min(at + 999, #fields)))
end
local index, repairs = parts.index, parts.repairs
if index then
  if index.leavesAttention ~= '' then redis.call('ZREM', index.attention, index.leavesAttention) end
  if index.entersAttention ~= '' then redis.call('ZADD', index.attention, 0, index.entersAttention) end
  if index.leavesUnfinished ~= '' then
    redis.call('HDEL', round, 'p')
    redis.call('ZREM', index.unfinished, index.leavesUnfinished)
  end
  if index.entersUnfinished ~= '' then redis.call('ZADD', index.unfinished, 0, index.entersUnfinished) end
end
if repairs then
  for member in string.gmatch(repairs.places, '%S+') do redis.call('ZADD', repairs.set, 0, member) end
  for member in string.gmatch(repairs.done, '[^\n]+') do redis.call('ZADD', repairs.acts, 0, member) end
end
if parts.open then
  local member = string.match(round, '}:(.*)$')
  local since = string.match(ARGV.head, '^%d+ o%a%d %d+ %d+ %S* %S* (%w+)')
  if since then
    redis.call('ZADD', parts.open.rounds, text(tonumber(since, 36)), member)
  else
    redis.call('ZREM', parts.open.rounds, member)
  end
end
if events then
  local content = events.text
  local rest = string.byte(content) == 91 and table.concat(taken, ' ') or table.concat(fields, '\n', 1, last_field)
  -- The names of a bucket's keys begin alike, and that of the events ends with one letter.
  local key = string.sub(round, #events.stream)
  local lines = '\n' .. key .. '\n' .. ARGV.head
  if content ~= '' then lines = table.concat(accounts, '|') .. lines .. '\n' .. content .. '\n' .. rest end
  redis.call('XADD', events.stream, '*', 'e', lines, 't', events.at)
end
if keep == '0' then
  redis.call('PERSIST', round)
elseif keep ~= '=' then
  redis.call('PEXPIRE', round, keep)
end
if history then
  local list, kept, name = history.list, history.kept, history.name
  if round_number then redis.call('RPUSH', list, round_number .. name) end
  if keep == '0' or keep == '=' and not head then
    local lasts = redis.call('PEXPIRETIME', list)
    redis.call('HSET', kept, name, '')
    if lasts > 0 then
      redis.call('HSET', kept, '', text(lasts))
      redis.call('PERSIST', list)
    end
  elseif keep ~= '=' then
    if head then redis.call('HDEL', kept, name) end
    local lasts, others = redis.call('PEXPIRETIME', round), redis.call('HLEN', kept)
    local noted = others > 0 and redis.call('HGET', kept, '')
    if others > (noted and 1 or 0) then
      if not noted or tonumber(noted) < lasts then redis.call('HSET', kept, '', text(lasts)) end
    else
      if noted then redis.call('HDEL', kept, '') end
      lasts = math.max(lasts, tonumber(noted or 0), redis.call('PEXPIRETIME', list))
      redis.call('PEXPIREAT', list, text(lasts))
    end
  end
end
return accounts
