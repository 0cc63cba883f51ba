-- Say when the clock must look at a game next, unless the game has moved on.
--
-- KEYS  1 game   2 due
-- ARGV  1 name of the game for due   2 its version and 3 its mark, both empty for a game that is gone
--       4 when it is due in ms, '0' for never
--
-- Answers 1 when it is so now, else 0: the commit that came in between has said it.

local found = redis.call('HMGET', KEYS[1], 'v', 'mark')
if (found[1] or '') ~= ARGV[2] or (found[2] or '') ~= ARGV[3] then
  return 0
end
if ARGV[4] == '0' then
  redis.call('ZREM', KEYS[2], ARGV[1])
else
  redis.call('ZADD', KEYS[2], 'XX', ARGV[4], ARGV[1])
end
return 1
