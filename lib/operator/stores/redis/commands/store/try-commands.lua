#!lua flags=no-writes
-- Tries commands without an effect: the server refuses what writes, after it has looked whether the user may run it.
--
-- KEYS none: each server of a cluster is asked
-- ARGV[1] a key of the namespace, then names of commands
-- Reply: those that the user may not run, or that the server does not have
local refused = {}
for at = 2, #ARGV do
  local args, fault = {}, ''
  repeat
    local _, answer = pcall(redis.call, ARGV[at], unpack(args))
    fault = tostring(type(answer) == 'table' and answer.err or answer)
    args[#args + 1] = #args == 0 and ARGV[1] or '1'
  until #args == 7 or not string.find(fault, 'Wrong number of args', 1, true)
  -- Redis 7.0, later versions, and a server without the command.
  for _, sign in ipairs({ 'The user executing the script', 'ACL failure', 'Unknown Redis command' }) do
    if string.find(fault, sign, 1, true) then
      refused[#refused + 1] = ARGV[at]
      break
    end
  end
end
return refused
