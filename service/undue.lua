-- Take a game that is not there any more off the list of the clock.
--
-- KEYS  1 game   2 due
-- ARGV  1 name of the game for due
--
-- Answers 1 when it was on the list and is not any more, else 0: a game that is there keeps its place.

if redis.call('HEXISTS', KEYS[1], 'v') == 1 then
  return 0
end
return redis.call('ZREM', KEYS[2], ARGV[1])
