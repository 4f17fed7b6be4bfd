-- Note that an action begins, if its shard is still the writer's own, and nobody had begun it.
-- KEYS: shards, calls. ARGV: shard, owner and epoch, key of the call, time, how many are kept.
-- Returns 0 when another has taken over, 1 when noted, 2 when it was begun before.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
if redis.call('ZREM', KEYS[2], ARGV[3]) == 1 then
  return 2
end
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[3])
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[5]))
return 1
