#!lua flags=allow-oom
-- Adds to the totals what the events of some buckets change, and notes which events these are; all or nothing.
--
-- KEYS cursors: hash, bucket -> id of the last event that the totals have
-- KEYS marks: hash, "since" -> milliseconds since 1970, "g" and a quarter -> what it lacks, "k" and a day -> "" if rounds may be
--      forgotten on it
-- KEYS targets...: hashes: of a quarter, name -> sum; of rounds, name -> what is kept of it; sorted sets of notable rounds, all
--      with score 0, and of players, by when they may be forgotten
-- ARGV since: for marks, unless there is one
-- ARGV moves: JSON, {{bucket, id of the last acknowledged event or "", id of the last one of these}, ...}
-- ARGV gaps: JSON, {{quarter, text}, ...}
-- ARGV writes...: of a quarter "q" and JSON, {name, what is added, ...}; of rounds that are kept for ever "k-", of
--      those of a day "d", the day, a space, and milliseconds to keep them; then of each two lines, its name and what is kept;
--      of rounds that are kept for ever no longer "l" and their names, with spaces between; of notable rounds "n" and JSON, {the first member that stays, member, ...}; of players
--      "p", when they may be forgotten in milliseconds since 1970, or "+inf", how long to keep them as with k, and a player
-- Reply: {1} if it was added
--        {0, bucket, id, ...} if the totals have other events than those before: what they have, and nothing was written
--        {2} if a sum would not fit into 64 bits: nothing was written
local function is_before(id, other)
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  local other_ms, other_seq = string.match(other, '^(%d+)-(%d+)$')
  if not other_ms then return false end
  if ms ~= other_ms then return tonumber(ms) < tonumber(other_ms) end
  return tonumber(seq) < tonumber(other_seq)
end

local moves, elsewhere = cjson.decode(ARGV.moves), { 0 }
for _, move in ipairs(moves) do
  local bucket, from = move[1], move[2]
  local cursor = redis.call('HGET', KEYS.cursors, bucket)
  if cursor and cursor ~= from then
    if is_before(cursor, from) then
      -- Events were acknowledged that the totals do not have.
      redis.call('HDEL', KEYS.marks, 'since')
      redis.call('HSET', KEYS.cursors, bucket, from)
      cursor = from
    end
    elsewhere[#elsewhere + 1], elsewhere[#elsewhere + 2] = bucket, cursor
  end
end
if #elsewhere > 1 then return elsewhere end

local sums = {}
for at, text in ipairs(ARGV.writes) do
  if string.byte(text) == 113 then
    sums[at] = cjson.decode(string.sub(text, 2))
    for field = 1, #sums[at], 2 do
      local sum = tonumber(redis.call('HGET', KEYS.targets[at], sums[at][field]) or 0) + tonumber(sums[at][field + 1])
      if math.abs(sum) > 9e18 then return { 2 } end
    end
  end
end

local function mark(name, text)
  if not redis.call('HGET', KEYS.marks, name) then redis.call('HSET', KEYS.marks, name, text) end
end
local function texts_of(write, pattern)
  local texts = {}
  for text in string.gmatch(string.sub(write, 2), pattern) do texts[#texts + 1] = text end
  return texts
end
for at, key in ipairs(KEYS.targets) do
  local kind = string.byte(ARGV.writes[at])
  if sums[at] then
    for field = 1, #sums[at], 2 do redis.call('HINCRBY', key, sums[at][field], sums[at][field + 1]) end
  elseif kind == 110 then
    local members = cjson.decode(string.sub(ARGV.writes[at], 2))
    for member = 2, #members do redis.call('ZADD', key, 0, members[member]) end
    for _, old in ipairs(redis.call('ZRANGE', key, '-', '(' .. members[1], 'BYLEX', 'LIMIT', 0, 1000)) do
      redis.call('ZREM', key, old)
    end
  elseif kind == 112 then
    local expires, keep, player = string.match(ARGV.writes[at], '^p(%S+) (%S+) (.*)$')
    redis.call('ZADD', key, expires, player)
    -- What one round needs for longer is not kept for less because of another one of the same id.
    local last = redis.call('ZRANGE', key, 0, 0, 'REV', 'WITHSCORES')[2]
    if last == 'inf' then
      redis.call('PERSIST', key)
    else
      redis.call('PEXPIRE', key, string.format('%.0f', keep + last - expires))
    end
  elseif kind == 108 then
    redis.call('HDEL', key, unpack(texts_of(ARGV.writes[at], '%S+')))
  else
    local rounds = texts_of(ARGV.writes[at], '[^\n]+')
    redis.call('HSET', key, unpack(rounds, 2))
    local day, keep = string.match(rounds[1], '^(%S+) (%S+)$')
    local left = day and redis.call('PTTL', key)
    -- The clock of the process that began the key may have been ahead. Rounds are kept a day longer than they are needed.
    if day and (left < 0 or left + 60000 < tonumber(keep)) then
      redis.call('PEXPIRE', key, keep)
      mark('k' .. day, '')
    end
  end
end
for _, gap in ipairs(cjson.decode(ARGV.gaps)) do mark('g' .. gap[1], gap[2]) end
mark('since', ARGV.since)
for _, move in ipairs(moves) do redis.call('HSET', KEYS.cursors, move[1], move[3]) end
return { 1 }
