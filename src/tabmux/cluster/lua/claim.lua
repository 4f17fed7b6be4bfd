-- Claim a session's name for a shard, unless it is in another one that somebody answers for.
-- KEYS: labels, shards. ARGV: name, shard.
-- Returns the shard that has the name now.
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known and redis.call('HEXISTS', KEYS[2], known) == 1 then
  return known
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return ARGV[2]
