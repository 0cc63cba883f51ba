-- Give a worker one entry of the bots' streams: one that another worker left lying, else a new one.
--
-- KEYS  the streams, in the order to look
-- ARGV  1 group   2 name of the worker   3 patience in ms, empty to look for new entries only
--       4 ms after which a worker that holds nothing and says nothing is forgotten
--
-- Answers {stream, id, game} or false. An empty stream costs nothing: what is done is deleted.

local group, worker, patience = ARGV[1], ARGV[2], tonumber(ARGV[3])

local function forget_workers(stream)
  for _, facts in ipairs(redis.call('XINFO', 'CONSUMERS', stream, group)) do
    local known = {}
    for i = 1, #facts, 2 do
      known[facts[i]] = facts[i + 1]
    end
    -- A worker that is deleted with an entry would take the entry along.
    if known.pending == 0 and known.idle > tonumber(ARGV[4]) and known.name ~= worker then
      redis.call('XGROUP', 'DELCONSUMER', stream, group, known.name)
    end
  end
end

local function left_lying(stream)
  for _, entry in ipairs(redis.call('XPENDING', stream, group, 'IDLE', patience, '-', '+', 1000)) do
    -- What nobody could finish is tried less and less often, so that it never keeps the others waiting.
    if entry[3] >= patience * 2 ^ math.min(entry[4] - 1, 6) then
      local claimed = redis.call('XCLAIM', stream, group, worker, patience, entry[1])[1]
      if claimed then
        return {stream, claimed[1], claimed[2][2]}
      end
    end
  end
  return false
end

local function new_entry(stream)
  local read = redis.call('XREADGROUP', 'GROUP', group, worker, 'COUNT', 1, 'STREAMS', stream, '>')
  if not read then
    return false
  end
  local entry = read[1][2][1]
  return {stream, entry[1], entry[2][2]}
end

local filled = {}
for _, stream in ipairs(KEYS) do
  if redis.call('XLEN', stream) > 0 then
    filled[#filled + 1] = stream
    if #redis.call('XINFO', 'GROUPS', stream) == 0 then
      redis.call('XGROUP', 'CREATE', stream, group, '0')
    end
  end
end
if patience then
  for _, stream in ipairs(filled) do
    forget_workers(stream)
    local found = left_lying(stream)
    if found then
      return found
    end
  end
end
for _, stream in ipairs(filled) do
  local found = new_entry(stream)
  if found then
    return found
  end
end
return false
