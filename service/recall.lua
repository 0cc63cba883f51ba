-- Read a game and what is remembered under some names, at one instant.
--
-- KEYS  1 game   2 memos
-- ARGV  memo names, at least one
--
-- Answers {{v, mark, meta, live}, {remembered or nil, ...}}.

return {redis.call('HMGET', KEYS[1], 'v', 'mark', 'meta', 'live'), redis.call('HMGET', KEYS[2], unpack(ARGV))}
