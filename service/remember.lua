-- Remember the answer to a request that changes nothing, so that it gets the same one later, whatever happens meanwhile.
--
-- KEYS  1 game   2 memos
-- ARGV  1 expected version   2 expected mark   3 memo name   4 digest   5 version that is the answer
--
-- Answers {'replayed', version}, now remembered or before; {'clash'}, {'missing'} or {'conflict'} as the commit does.

local remembered = redis.call('HGET', KEYS[2], ARGV[3])
if remembered then
  if string.sub(remembered, 5) == ARGV[4] then
    return {'replayed', (struct.unpack('>I4', remembered))}
  end
  return {'clash'}
end

local found = redis.call('HMGET', KEYS[1], 'v', 'mark')
if not found[1] then
  return {'missing'}
end
if found[1] ~= ARGV[1] or found[2] ~= ARGV[2] then
  return {'conflict'}
end

local version = tonumber(ARGV[5])
redis.call('HSET', KEYS[2], ARGV[3], struct.pack('>I4', version) .. ARGV[4])
-- They may be the first memo of the game: they vanish with it.
local ends = redis.call('PEXPIRETIME', KEYS[1])
if ends > 0 then
  redis.call('PEXPIREAT', KEYS[2], ends)
end
return {'replayed', version}
