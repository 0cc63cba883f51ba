-- Remove a game and leave a tombstone: a hash without `v`, so that every reader sees no game.
--
-- KEYS  1 game   2 log   3 memos   4 snaps
-- ARGV  1 channel   2 mark (random bytes of this deletion)   3 life of the tombstone in ms
--
-- Answers 1 when there was a game (or when this very deletion removed it before its answer was lost), else 0.

if redis.call('HEXISTS', KEYS[1], 'v') == 0 then
  return redis.call('HGET', KEYS[1], 'gone') == ARGV[2] and 1 or 0
end

redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
redis.call('HSET', KEYS[1], 'gone', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[1], 'gone')
return 1
