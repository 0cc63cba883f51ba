-- Make a game at version 1, unless its id is taken.
--
-- KEYS  1 game   2 log   3 memos   4 snaps   5 feed   6 due   7 bots
-- ARGV  1 birth (random bytes of this creation)   2 ttl_ms   3 meta   4 live   5 batch   6 mark
--       7 channel of the feed   8 notice, empty for none   9 length of the feed   10 name of the game for due and bots
--       11 when it is due in ms, empty for never   12 '1' when a bot is asked something   13 channel of the bots
--
-- Answers {'created'}, {'gone'} (a tombstone) or {'exists', v, mark, meta, live}.
-- The birth mark makes it safe to ask again when an answer was lost: our own game is not somebody else's.

local found = redis.call('HMGET', KEYS[1], 'v', 'mark', 'meta', 'live', 'birth')
if found[1] then
  if found[5] == ARGV[1] then
    return {'created'}
  end
  return {'exists', found[1], found[2], found[3], found[4]}
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  return {'gone'}
end

redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
redis.call('XADD', KEYS[2], '1-0', 'b', ARGV[5])
redis.call('XADD', KEYS[4], '1-0', 's', ARGV[4])
redis.call('HSET', KEYS[1], 'v', '1', 'mark', ARGV[6], 'meta', ARGV[3], 'live', ARGV[4], 'birth', ARGV[1])
for _, i in ipairs({1, 2, 4}) do
  redis.call('PEXPIRE', KEYS[i], ARGV[2])
end
if ARGV[8] ~= '' then
  redis.call('XADD', KEYS[5], 'MAXLEN', '~', ARGV[9], '*', 'n', ARGV[8])
  redis.call('PUBLISH', ARGV[7], '')
end
if ARGV[11] ~= '' then
  redis.call('ZADD', KEYS[6], ARGV[11], ARGV[10])
end
if ARGV[12] == '1' then
  redis.call('HSET', KEYS[1], 'errand', redis.call('XADD', KEYS[7], '*', 'g', ARGV[10]))
  redis.call('PUBLISH', ARGV[13], '')
end
return {'created'}
