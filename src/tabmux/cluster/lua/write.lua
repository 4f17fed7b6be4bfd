-- Write for a shard, if it is still the writer's own in the same epoch.
-- KEYS: shards. ARGV: shard, owner and epoch, then commands, each after its number of words.
-- Returns 1 when written, 0 when the shard is another's or not known.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
local at = 3
while at <= #ARGV do
  local words = tonumber(ARGV[at])
  redis.call(unpack(ARGV, at + 1, at + words))
  at = at + words + 1
end
return 1
