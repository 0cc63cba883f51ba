-- Say that somebody looks after the clocks, and hear since when somebody has without a gap.
--
-- KEYS  1 sweeping (hash, all in ms: last, when somebody said so; since, when the last gap ended; from, when it began)
-- ARGV  1 ms without anybody that are a gap   2 ms in which it need not be said again
--
-- Answers {from, since, until when there is no gap, 1 if this ended one, else 0}.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local gap, pause = tonumber(ARGV[1]), tonumber(ARGV[2])

local known = redis.call('HMGET', KEYS[1], 'last', 'since', 'from')
local last, since, from = tonumber(known[1] or nil), tonumber(known[2] or nil), tonumber(known[3] or nil)
local resumed = 0
-- Also when the store's clock was set back: what was said then means nothing now.
if not last or last > now or now - last > gap then
  resumed, since, from = 1, now, math.min(last or now, now)
end
if resumed == 1 or now - last >= pause then
  last = now
  local function text(number) return string.format('%.0f', number) end
  redis.call('HSET', KEYS[1], 'last', text(last), 'since', text(since), 'from', text(from))
end
return {from, since, last + gap, resumed}
