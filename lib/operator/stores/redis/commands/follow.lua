#!lua
-- Adds to a running round what was decided without reading it, all or nothing: if its head is one of the
-- class (runningClass in lib/operator/gameround/follow-up/class.ts), and it knows none of the hashes. Then
-- it does what commit.lua does with the change of this head. Knows no rule of the protocol. The server gets
-- it after fields.lua, load.lua and commit.lua, as functions (script.ts).
--
-- KEYS account: as in commit.lua
-- KEYS round: as in commit.lua
-- ARGV added: accepted credits and ends to add, real and bonus that the credits give, currency, with spaces between
-- ARGV gameCode: of the call
-- ARGV fields: as in commit.lua: the records of new hashes, each named as that of a transaction; a last field b is
--      named for the version here
-- ARGV movements: as in commit.lua
-- part events, as in commit.lua:
--   KEYS stream: as in commit.lua
--   ARGV text: as in commit.lua
--   ARGV at: as in commit.lua
-- part history, as in commit.lua:
--   KEYS list: as in commit.lua
--   KEYS kept: as in commit.lua
--   ARGV name: as in commit.lua
-- part open, as in commit.lua:
--   KEYS rounds: as in commit.lua
-- part carried, if the round closes:
--   ARGV keep: as in commit.lua
--   ARGV closedAt: when it closes
-- part limits, as in commit.lua:
--   ARGV now: as in commit.lua
--   ARGV moment: as in commit.lua
--   ARGV back: as in commit.lua
-- Reply: {version, {currency, balance, ...}}, the round's version and the accounts after it
--        {0, what load.lua replies for the hashes of the fields}: nothing was written
--        "limits", zones, as in commit.lua
local function plus(stored, added)
  if added == '0' then return stored end
  local sum = stored + added
  if sum == 0 then return '0' end
  return string.format('%.0f', sum)
end

local credited, ended, real, bonus, currency = string.match(ARGV.added, '^(%d+) (%d+) (%S+) (%S+) (%S+)$')
local fields = unpack_fields(ARGV.fields)

-- Of each hash the two fields that the round must not have, as in load.lua.
local void_letters, absent = { t = 'v', T = 'V' }, {}
for at = 1, #fields, 2 do
  local name = fields[at]
  local letter_of_void = void_letters[string.sub(name, 1, 1)]
  if letter_of_void then
    absent[#absent + 1] = name
    absent[#absent + 1] = letter_of_void .. string.sub(name, 2)
  end
end

-- version, resume, credited, ended, changed at, currency, debits and credits of a head as codec/head.ts
-- writes it: open, started, no debit unanswered or declined, and no repairs after the sums.
local class = '^(%d+) o(%a)1 (%d+) (%d+)   (%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$'

local function is_any(values, first)
  for at = first, #values do
    if values[at] then return true end
  end
  return false
end

local function follow()
  local stored = redis.call('HMGET', KEYS.round, 'h', 'g', 'p', unpack(absent, 1, math.min(#absent, 1000)))
  if not stored[1] or stored[2] ~= ARGV.gameCode or is_any(stored, 3) then return false end
  for first = 1001, #absent, 1000 do
    local more = redis.call('HMGET', KEYS.round, unpack(absent, first, math.min(first + 999, #absent)))
    if is_any(more, 1) then return false end
  end
  local head_version, resume, credits, ends, changed_at, head_currency, debits_real, debits_bonus,
    credits_real, credits_bonus = string.match(stored[1], class)
  if head_currency ~= currency then return false end
  credits_real, credits_bonus = plus(credits_real, real), plus(credits_bonus, bonus)
  local is_in_range = math.max(math.abs(credits_real), math.abs(credits_bonus)) <= 9007199254740991
  local version = plus(head_version, '1')
  if string.sub(fields[#fields - 1] or '', 1, 1) == 'b' then fields[#fields - 1] = 'b' .. version end
  local closes = parts.carried
  local arguments = {
    [commit.version] = head_version,
    [commit.head] = version .. ' ' .. (closes and 'c' or 'o') .. resume .. '1 ' .. plus(credits, credited) .. ' '
      .. plus(ends, ended) .. '   ' .. (closes and closes.closedAt or changed_at) .. ' ' .. currency,
    [commit.debitsReal] = debits_real,
    [commit.debitsBonus] = debits_bonus,
    [commit.credits] = is_in_range and credits_real .. ' ' .. credits_bonus or '',
    [commit.keep] = closes and closes.keep or '=',
    [commit.movements] = ARGV.movements,
  }
  local answer = run_commit(KEYS, arguments, {
    events = parts.events,
    history = parts.history,
    open = parts.open,
    limits = parts.limits,
    carried = closes and {
      currency = currency,
      real = plus(credits_real, -debits_real),
      bonus = plus(credits_bonus, -debits_bonus),
    },
    read = { head = stored[1], fields = fields },
  })
  if type(answer) == 'table' then return answer, tonumber(version) end
  return nil, string.match(answer, '^limits') and answer
end

local accounts, version = follow()
if not accounts and version then return version end
if accounts then return { version, accounts } end
return { 0, run_load(KEYS, absent) }
