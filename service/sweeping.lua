-- Say that somebody looks after the clocks, and hear since when somebody has without a gap.
--
-- KEYS  1 sweeping (string: since when, in ms; it expires when nobody has come for too long)
-- ARGV  1 ms without anybody that are a gap   2 ms in which it need not be written again
--
-- Answers {since when in ms, until when there is no gap in ms, 1 if this ended one, else 0}.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local gap = tonumber(ARGV[1])
local since = tonumber(redis.call('GET', KEYS[1]) or nil)
local left = redis.call('PTTL', KEYS[1])
local resumed = since and 0 or 1
if not since or left <= gap - ARGV[2] then
  since, left = since or now, gap
  redis.call('SET', KEYS[1], string.format('%.0f', since), 'PX', gap)
end
return {since, now + left, resumed}
