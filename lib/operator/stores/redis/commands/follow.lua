#!lua
-- Adds to a running round what was decided without reading it, all or nothing: if its head is one of the
-- class (runningClass in lib/operator/gameround/follow-up/class.ts), and it knows none of the hashes. Then
-- it does what commit.lua does with the change of this head. Knows no rule of the protocol. The server gets
-- it behind load.lua and commit.lua, as functions (scripts.ts).
--
-- KEYS as in commit.lua: account and round, then those of the events, of the history and of the open
-- rounds, and, if the round closes, of the money carried
-- ARGV[1] number of fields, c if the round closes or o, accepted credits and ends to add, real and bonus
--         that the credits give, and when it closes
-- ARGV[2] currency, ARGV[3] game code
-- ARGV[4] milliseconds to keep the round, if it closes
-- then the fields that the round must not have: of each hash two, as in load.lua
-- then the arguments of commit.lua from ARGV[7] on; a last field b is named for the version here
-- Reply: {1, {currency, balance, ...}}, accounts after it
--        {0, what load.lua replies for the fields}: nothing was written
local function text(number)
  if number == 0 then return '0' end
  return string.format('%.0f', number)
end

local pattern = '^(%d+) (%a) (%d+) (%d+) (%S+) (%S+) (%S*)$'
local count, letter, credited, ended, real, bonus, changed_at = string.match(ARGV[1], pattern)
local fields, arguments = {}, {}
for at = 5, 4 + count do fields[#fields + 1] = ARGV[at] end

-- version, resume, credited, ended, changed at, currency, debits and credits of a head as codec/head.ts
-- writes it: open, started, no debit unanswered or declined, and no repairs behind the sums.
local class = '^(%d+) o(%a)1 (%d+) (%d+)   (%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$'

local function is_new()
  for first = 1, #fields, 1000 do
    local known = redis.call('HMGET', KEYS[2], unpack(fields, first, math.min(first + 999, #fields)))
    for _, value in ipairs(known) do
      if value then return false end
    end
  end
  return true
end

local function follow()
  local stored = redis.call('HMGET', KEYS[2], 'h', 'g', 'p')
  if not stored[1] or stored[2] ~= ARGV[3] or stored[3] then return false end
  local head = { string.match(stored[1], class) }
  if head[6] ~= ARGV[2] or not is_new() then return false end
  local debits_real, debits_bonus = head[7], head[8]
  local credits_real, credits_bonus = head[9] + real, head[10] + bonus
  local is_in_range = math.max(math.abs(credits_real), math.abs(credits_bonus)) <= 9007199254740991
  local version = text(head[1] + 1)
  local keep = '='
  if letter == 'c' then
    local net = text(credits_real - debits_real) .. ' ' .. text(credits_bonus - debits_bonus)
    keep = ARGV[4] .. ' ' .. ARGV[2] .. ' ' .. net
  else
    changed_at = head[5]
  end
  arguments[1] = head[1]
  arguments[2] = version .. ' ' .. letter .. head[2] .. '1 ' .. text(head[3] + credited) .. ' '
    .. text(head[4] + ended) .. '   ' .. changed_at .. ' ' .. head[6]
  arguments[3] = debits_real
  arguments[4] = debits_bonus
  arguments[5] = is_in_range and text(credits_real) .. ' ' .. text(credits_bonus) or ''
  arguments[6] = keep
  for at = 5 + count, #ARGV do arguments[#arguments + 1] = ARGV[at] end
  local last = 6 + 2 * string.match(arguments[7], '^%d+')
  if string.sub(arguments[last], 1, 1) == 'b' then arguments[last] = 'b' .. version end
  local answer = run_commit(KEYS, arguments)
  return type(answer) == 'table' and answer
end

local accounts = follow()
if accounts then return { 1, accounts } end
return { 0, run_load(KEYS, fields) }
