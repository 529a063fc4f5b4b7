#!lua flags=no-writes
-- Tries commands without an effect: the server refuses what writes, after it has looked whether the user may run it.
--
-- KEYS none, since each server of a cluster is asked
-- ARGV key: a key of the namespace
-- ARGV commands...: their names
-- Reply: those that the user may not run, or that the server does not have
local refused = {}
for _, command in ipairs(ARGV.commands) do
  local given, fault = {}, ''
  repeat
    local _, answer = pcall(redis.call, command, unpack(given))
    fault = tostring(type(answer) == 'table' and answer.err or answer)
    given[#given + 1] = #given == 0 and ARGV.key or '1'
  until #given == 7 or not string.find(fault, 'Wrong number of args', 1, true)
  -- Redis 7.0, later versions, and a server without the command.
  for _, sign in ipairs({ 'The user executing the script', 'ACL failure', 'Unknown Redis command' }) do
    if string.find(fault, sign, 1, true) then
      refused[#refused + 1] = command
      break
    end
  end
end
return refused
