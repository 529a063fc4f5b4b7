#!lua
-- Writes the event of what was done to a player outside the rounds, with the accounts after it. Used by the scripts that
-- have the stream; the names of a bucket's keys begin alike, and that of the stream ends with one letter.
local function tell(stream, account, content, time)
  local stored, accounts = redis.call('HGETALL', account), {}
  for at = 1, #stored, 2 do
    local first = string.byte(stored[at])
    if first ~= 43 and first ~= 35 then
      accounts[#accounts + 1], accounts[#accounts + 2] = stored[at], stored[at + 1]
    end
  end
  local lines = { table.concat(accounts, '|'), string.sub(account, #stream), content }
  redis.call('XADD', stream, '*', 'a', table.concat(lines, '\n'), 't', time)
end
