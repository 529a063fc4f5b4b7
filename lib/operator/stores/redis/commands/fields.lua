#!lua
-- A function of other scripts: unpacks the fields of a commit. They are packed because a client encodes one long
-- argument faster than two hundred short ones.
--
-- packed: parts of at most a thousand texts each, as Lua's stack holds 8000: a line with the format for
--      struct.unpack, of each text s, or if it holds NUL, c, its bytes and x; then the texts, each followed by NUL
local function unpack_fields(packed)
  local at, texts = 1, nil
  repeat
    local format, first = string.match(packed, '^(%w*)\n()', at)
    local part = { struct.unpack(format, packed, first) }
    local count = #part
    at, part[count] = part[count], nil
    if texts then
      for place = 1, count - 1 do texts[#texts + 1] = part[place] end
    else
      texts = part
    end
  until at > #packed
  return texts
end
