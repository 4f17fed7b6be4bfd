-- Forget a shard of our own that has no sessions left.
-- KEYS: shards, its sessions, then all else that is kept for it. ARGV: shard, owner and epoch.
-- Returns whether it was forgotten.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] or redis.call('HLEN', KEYS[2]) > 0 then
  return 0
end
redis.call('HDEL', KEYS[1], ARGV[1])
for at = 2, #KEYS do
  redis.call('DEL', KEYS[at])
end
return 1
