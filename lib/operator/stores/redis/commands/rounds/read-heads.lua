#!lua flags=no-writes
-- Reads the heads of rounds of one or several buckets, each with its credits that were not accepted.
--
-- KEYS rounds...: as in commit.lua
-- ARGV none
-- Reply: for each round a line with its head, its game code or "%", and the field and value of each of these credits, with
--        tabs between; an empty line if it is not stored. In a game code and a field %, tab and newline are
--        percent-encoded. It is one text: lists cost a reply more than the bytes in them
local function encoded(text)
  if not string.find(text, '[%%\t\n]') then return text end
  return (string.gsub(text, '[%%\t\n]', { ['%'] = '%25', ['\t'] = '%09', ['\n'] = '%0A' }))
end

local lines = {}
for index, round in ipairs(KEYS.rounds) do
  local fields, parts, is_stored = redis.call('HGETALL', round), { '', '%' }, false
  for at = 1, #fields, 2 do
    local name, value = fields[at], fields[at + 1]
    if name == 'h' then
      parts[1], is_stored = value, true
    elseif name == 'g' then
      parts[2] = encoded(value)
    elseif string.find(name, '^[tT]') and string.find(value, '^c:') then
      parts[#parts + 1] = encoded(name)
      parts[#parts + 1] = value
    end
  end
  lines[index] = is_stored and table.concat(parts, '\t') or ''
end
return table.concat(lines, '\n')
