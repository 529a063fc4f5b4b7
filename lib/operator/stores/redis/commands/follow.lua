#!lua
-- Adds to a running round what was decided without reading it, all or nothing: if its head is one of the
-- class (runningClass in lib/operator/gameround/follow-up/class.ts), and it knows none of the hashes. Then
-- it does what commit.lua does with the change of this head. Knows no rule of the protocol. The server gets
-- it behind fields.lua, load.lua and commit.lua, as functions (scripts.ts).
--
-- KEYS as in commit.lua: account and round, then those of the events, of the history and of the open
-- rounds, and, if the round closes, of the money carried
-- ARGV[1] c if the round closes or o, accepted credits and ends to add, real and bonus that the credits
--         give, currency, and, if it closes, milliseconds to keep it and when it closes
-- ARGV[2] game code
-- then the arguments of commit.lua from ARGV[7] on: the fields are the records of new hashes, each named
-- as that of a transaction; a last field b is named for the version here
-- Reply: {version, {currency, balance, ...}}, the round's version and the accounts after it
--        {0, what load.lua replies for the hashes of the fields}: nothing was written
local function plus(stored, added)
  if added == '0' then return stored end
  local sum = stored + added
  if sum == 0 then return '0' end
  return string.format('%.0f', sum)
end

local pattern = '^(%a) (%d+) (%d+) (%S+) (%S+) (%S+) ?(%S*) ?(%S*)$'
local letter, credited, ended, real, bonus, currency, kept_ms, closed_at = string.match(ARGV[1], pattern)
local fields = run_fields(KEYS, { ARGV[4] })

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
-- writes it: open, started, no debit unanswered or declined, and no repairs behind the sums.
local class = '^(%d+) o(%a)1 (%d+) (%d+)   (%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$'

local function is_any(values, first)
  for at = first, #values do
    if values[at] then return true end
  end
  return false
end

local function follow()
  local stored = redis.call('HMGET', KEYS[2], 'h', 'g', 'p', unpack(absent, 1, math.min(#absent, 1000)))
  if not stored[1] or stored[2] ~= ARGV[2] or is_any(stored, 3) then return false end
  for first = 1001, #absent, 1000 do
    local more = redis.call('HMGET', KEYS[2], unpack(absent, first, math.min(first + 999, #absent)))
    if is_any(more, 1) then return false end
  end
  local head_version, resume, credits, ends, changed_at, head_currency, debits_real, debits_bonus,
    credits_real, credits_bonus = string.match(stored[1], class)
  if head_currency ~= currency then return false end
  credits_real, credits_bonus = plus(credits_real, real), plus(credits_bonus, bonus)
  local is_in_range = math.max(math.abs(credits_real), math.abs(credits_bonus)) <= 9007199254740991
  local version = plus(head_version, '1')
  local keep = '='
  if letter == 'c' then
    changed_at = closed_at
    local net = plus(credits_real, -debits_real) .. ' ' .. plus(credits_bonus, -debits_bonus)
    keep = kept_ms .. ' ' .. currency .. ' ' .. net
  end
  local arguments = {
    head_version,
    version .. ' ' .. letter .. resume .. '1 ' .. plus(credits, credited) .. ' ' .. plus(ends, ended) .. '   '
      .. changed_at .. ' ' .. currency,
    debits_real,
    debits_bonus,
    is_in_range and credits_real .. ' ' .. credits_bonus or '',
    keep,
    head = stored[1],
    fields = fields,
  }
  for at = 3, #ARGV do arguments[at + 4] = ARGV[at] end
  if string.sub(fields[#fields - 1] or '', 1, 1) == 'b' then fields[#fields - 1] = 'b' .. version end
  local answer = run_commit(KEYS, arguments)
  return type(answer) == 'table' and answer, tonumber(version)
end

local accounts, version = follow()
if accounts then return { version, accounts } end
return { 0, run_load(KEYS, absent) }
