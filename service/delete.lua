-- Remove a game and leave a tombstone: a hash without `v`, so that every reader sees no game.
--
-- KEYS  1 game   2 log   3 memos   4 snaps   5 feed   6 due   7 bots
-- ARGV  1 channel   2 life of the tombstone in ms   3 channel of the feed   4 notice, empty for none
--       5 length of the feed   6 name of the game for due
--
-- Answers 1 when there was a game, or its tombstone (so that a repeated deletion succeeds again), else 0.

if redis.call('HEXISTS', KEYS[1], 'v') == 0 then
  return redis.call('EXISTS', KEYS[1])
end

local errand = redis.call('HGET', KEYS[1], 'errand')
if errand then
  redis.call('XDEL', KEYS[7], errand)
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
redis.call('ZREM', KEYS[6], ARGV[6])
redis.call('HSET', KEYS[1], 'gone', '1')
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PUBLISH', ARGV[1], 'gone')
if ARGV[4] ~= '' then
  redis.call('XADD', KEYS[5], 'MAXLEN', '~', ARGV[5], '*', 'n', ARGV[4])
  redis.call('PUBLISH', ARGV[3], '')
end
return 1
