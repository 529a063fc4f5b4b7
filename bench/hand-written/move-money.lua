#!lua
-- Processes the transactions of a call, each once by its hash, all in one step.
-- KEYS: the player (currency -> cents), the round (state, and hash -> content and outcome).
-- ARGV: currency, retention in ms, then type, hash and cents of each transaction.
-- Reply: the balance after it, then of each transaction `ok` or why it is refused; {-1} for an unknown player.
local balance = tonumber(redis.call('HGET', KEYS[1], ARGV[1]))
if not balance then return { -1 } end
local before = balance
local names = { '#state' }
for at = 3, #ARGV, 3 do names[#names + 1] = ARGV[at + 1] end
local known = redis.call('HMGET', KEYS[2], unpack(names))
local state = known[1]
local wasState = state
local fresh = {}
local reply = { 0 }
local written = {}
local failed = false
for at = 3, #ARGV, 3 do
  local kind, hash, cents = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
  local content = kind .. ' ' .. ARGV[1] .. ' ' .. ARGV[at + 2] .. ' '
  local record = fresh[hash] or known[(at - 3) / 3 + 2]
  local outcome
  if record then
    local same = string.sub(record, 1, #content) == content
    outcome = same and string.sub(record, #content + 1) or 'reused'
  else
    if state == 'closed' then outcome = 'closed'
    elseif kind == 'debit' and state then outcome = 'started'
    elseif kind == 'debit' and balance < cents then
      outcome = 'tooLow'
      state = 'closed'
    elseif kind == 'debit' then
      outcome = 'ok'
      balance = balance - cents
      state = 'open'
    elseif failed or not state then outcome = 'declined'
    elseif kind == 'credit' then
      outcome = 'ok'
      balance = balance + cents
    else
      outcome = 'ok'
      state = 'closed'
    end
    fresh[hash] = content .. outcome
    written[#written + 1] = hash
    written[#written + 1] = content .. outcome
  end
  if kind == 'debit' and outcome ~= 'ok' then failed = true end
  reply[#reply + 1] = outcome
end
if #written > 0 then
  if state and state ~= wasState then
    written[#written + 1] = '#state'
    written[#written + 1] = state
  end
  redis.call('HSET', KEYS[2], unpack(written))
  if state == 'closed' then redis.call('PEXPIRE', KEYS[2], ARGV[2]) end
  if balance ~= before then
    redis.call('HSET', KEYS[1], ARGV[1], string.format('%d', balance))
  end
end
reply[1] = balance
return reply
