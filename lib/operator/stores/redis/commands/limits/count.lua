#!lua
-- Functions of other scripts: the limits of a player (D13), in the field #limits of the account, which a player without
-- any has not. Its groups follow each other, each packed as this table: 1 currency, 2 zone, 3 kind (1 stake, 2 loss,
-- 3 deposit), 4 whether real and bonus count (1) or real alone (0); then of day, week and month in turn the number of the
-- window, what is used in it, and the limit, -1 for none; 14 since when they count, in milliseconds since 1970.
local group_format, last_of_group = 'ssBBdddddddddd', 14

local function unpack_limits(value)
  local groups, at = {}, 1
  while at <= #value do
    local group = { struct.unpack(group_format, value, at) }
    at = group[last_of_group + 1]
    groups[#groups + 1] = group
  end
  return groups
end

local function pack_limits(groups)
  local packed = {}
  for at, group in ipairs(groups) do
    packed[at] = struct.pack(group_format, unpack(group, 1, last_of_group))
  end
  return table.concat(packed)
end

-- The terms of the groups as text, a line each: currency, zone, kind, what counts, and the limits.
local function terms_of(groups)
  local lines = {}
  for at, group in ipairs(groups) do
    lines[at] = string.format('%s %s %d %d %.0f %.0f %.0f', group[1], group[2], group[3], group[4], group[7], group[10], group[13])
  end
  return table.concat(lines, '\n')
end

-- The answer that asks for the moment of a commit in the zones of the groups.
local function ask_for_moment(groups)
  local zones = { 'limits' }
  for _, group in ipairs(groups) do zones[#zones + 1] = group[2] end
  return table.concat(zones, ' ')
end

-- Moves the windows on to a moment: a window that has begun counts from 0 on, none goes back.
-- moment: of each zone a line: its name, and the numbers of its day, week and month
-- Reply: of each zone its place in the moment, from 0; nil if a zone of the groups is missing
local function move_on(groups, moment)
  local zones, places, count = {}, {}, 0
  for zone, day, week, month in string.gmatch(moment, '(%S+) (%d+) (%d+) (%d+)\n') do
    zones[zone], places[zone], count = { tonumber(day), tonumber(week), tonumber(month) }, count, count + 1
  end
  for _, group in ipairs(groups) do
    local numbers = zones[group[2]]
    if not numbers then return nil end
    for window = 1, 3 do
      local at = 2 + 3 * window
      if group[at] < numbers[window] then group[at], group[at + 1] = numbers[window], 0 end
    end
  end
  return places
end

-- Adds to what is used, which stays within what a number is exact for.
local function use(group, at, units)
  group[at] = math.max(-9007199254740991, math.min(9007199254740991, group[at] + units))
end

-- Counts what voids take back, each where it lies in the window that runs.
-- back: of each a line: currency, real and bonus of debits, real and bonus of credits, when it moved, then of each zone of the moment the
--      numbers of its day, week and month
local function take_back(groups, places, back)
  for line in string.gmatch(back, '[^\n]+') do
    local words = {}
    for word in string.gmatch(line, '%S+') do words[#words + 1] = word end
    for _, group in ipairs(groups) do
      if group[1] == words[1] and group[3] ~= 3 and tonumber(words[6]) > group[14] then
        local counts_bonus = group[4] == 1
        local units = -words[2] - (counts_bonus and words[3] or 0)
        if group[3] == 2 then units = units + words[4] + (counts_bonus and words[5] or 0) end
        for window = 1, 3 do
          local at = 2 + 3 * window
          if group[at] == tonumber(words[6 + 3 * places[group[2]] + window]) then use(group, at + 1, units) end
        end
      end
    end
  end
end

-- Counts real and bonus units for groups of these kinds: of a take for 1 and 2, below zero of a give for 2, of a deposit for 3.
-- Reply: whether every limit of them holds
local function count(groups, first, last, currency, real, bonus)
  local holds = true
  for place = 1, #groups do
    local group = groups[place]
    local kind = group[3]
    if kind >= first and kind <= last and group[1] == currency then
      local units = group[4] == 1 and real + bonus or real
      for at = 6, 12, 3 do
        local used, most = group[at] + units, group[at + 1]
        if used > 9007199254740991 then used = 9007199254740991 elseif used < -9007199254740991 then used = -9007199254740991 end
        group[at] = used
        if most >= 0 and used > most then holds = false end
      end
    end
  end
  return holds
end
