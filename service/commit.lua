-- The compare-and-set of one game: everything or nothing, and the answer says which.
--
-- KEYS  1 game (hash v, mark, meta, live, birth, errand)   2 log (stream)   3 memos (hash: name -> 4-byte version .. digest)
--       4 snaps (stream)   5 feed (stream of the shard)   6 due (sorted set of the shard)   7 bots (stream of the shard)
-- ARGV  1 channel   2 expected version   3 expected mark   4 new mark   5 ttl_ms   6 live   7 batch
--       8 '1' when meta changes   9 meta   10 snapshot, empty for none   11 channel of the feed   12 notice, empty for none
--       13 length of the feed   14 name of the game for due and bots   15 when it is due in ms, '0' for never, empty to
--       leave it   16 not before and 17 not after, in ms, '0' for no limit   18 '1' when a bot is asked something,
--       '0' when none owes an answer any more, empty to leave it
--       19 channel of the bots   20.. pairs of memo name and digest
--
-- Answers {'replayed', version}, {'clash', index of the memo}, {'missing'}, {'conflict'}, {'untimely'} or {'committed'}.
-- A conflict never carries a version: "mine + 1" in it would look like success.

local FIRST_MEMO = 20

for i = FIRST_MEMO, #ARGV, 2 do
  local remembered = redis.call('HGET', KEYS[3], ARGV[i])
  if remembered then
    if string.sub(remembered, 5) == ARGV[i + 1] then
      return {'replayed', (struct.unpack('>I4', remembered))}
    end
    return {'clash', (i - FIRST_MEMO) / 2}
  end
end

local found = redis.call('HMGET', KEYS[1], 'v', 'mark')
local version = found[1]
if not version then
  return {'missing'}
end
if version ~= ARGV[2] or found[2] ~= ARGV[3] then
  return {'conflict'}
end
if ARGV[16] ~= '0' or ARGV[17] ~= '0' then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  if now < tonumber(ARGV[16]) or ARGV[17] ~= '0' and now > tonumber(ARGV[17]) then
    return {'untimely'}
  end
end

local made = string.format('%d', version + 1)
-- The log first: it is the only write that can still be refused (an entry of that version exists), and a script
-- that stops half way keeps what it wrote.
redis.call('XADD', KEYS[2], made .. '-0', 'b', ARGV[7])
redis.call('HSET', KEYS[1], 'v', made, 'mark', ARGV[4], 'live', ARGV[6])
if ARGV[8] == '1' then
  redis.call('HSET', KEYS[1], 'meta', ARGV[9])
end
if ARGV[10] ~= '' then
  redis.call('XADD', KEYS[4], made .. '-0', 's', ARGV[10])
end
local stamp = struct.pack('>I4', made)
for i = FIRST_MEMO, #ARGV, 2 do
  redis.call('HSET', KEYS[3], ARGV[i], stamp .. ARGV[i + 1])
end
for i = 1, 4 do
  redis.call('PEXPIRE', KEYS[i], ARGV[5])
end
redis.call('PUBLISH', ARGV[1], made)
if ARGV[12] ~= '' then
  redis.call('XADD', KEYS[5], 'MAXLEN', '~', ARGV[13], '*', 'n', ARGV[12])
  redis.call('PUBLISH', ARGV[11], '')
end
if ARGV[15] == '0' then
  redis.call('ZREM', KEYS[6], ARGV[14])
elseif ARGV[15] ~= '' then
  redis.call('ZADD', KEYS[6], ARGV[15], ARGV[14])
end
if ARGV[18] ~= '' then
  -- A game has one entry at most: whoever takes the newest sees all that is asked.
  local errand = redis.call('HGET', KEYS[1], 'errand')
  if errand then
    redis.call('XDEL', KEYS[7], errand)
  end
  if ARGV[18] == '1' then
    redis.call('HSET', KEYS[1], 'errand', redis.call('XADD', KEYS[7], '*', 'g', ARGV[14]))
    redis.call('PUBLISH', ARGV[19], '')
  end
end
return {'committed'}
