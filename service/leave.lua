-- A worker of the bots leaves: what it holds may be taken by others at once.
--
-- KEYS  the streams
-- ARGV  1 group   2 name of the worker

local AN_HOUR = 3600000

for _, stream in ipairs(KEYS) do
  local groups = redis.pcall('XINFO', 'GROUPS', stream)
  if not groups.err and #groups > 0 then
    local held = redis.call('XPENDING', stream, ARGV[1], '-', '+', 1000, ARGV[2])
    for _, entry in ipairs(held) do
      redis.call('XCLAIM', stream, ARGV[1], ARGV[2], 0, entry[1], 'IDLE', AN_HOUR, 'JUSTID')
    end
    -- A worker that is deleted with an entry would take the entry along.
    if #held == 0 then
      redis.call('XGROUP', 'DELCONSUMER', stream, ARGV[1], ARGV[2])
    end
  end
end
return 'left'
