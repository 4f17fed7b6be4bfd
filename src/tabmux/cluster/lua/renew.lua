-- Renew a daemon's lease, if every shard that it answers for is still its own.
-- KEYS: shards, lease. ARGV: daemon, address, milliseconds, then shard and epoch of each.
-- Returns 0 when another has taken over, 1 when renewed, 2 when a shard was not known.
local created = 1
for at = 4, #ARGV, 2 do
  local known = redis.call('HGET', KEYS[1], ARGV[at])
  local mine = ARGV[1] .. ' ' .. ARGV[at + 1]
  if not known then
    created = 2
  elseif known ~= mine then
    local epoch = tonumber(string.match(known, ' (%d+)$'))
    if epoch >= tonumber(ARGV[at + 1]) then
      return 0
    end
    created = 2
  end
end
for at = 4, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[1] .. ' ' .. ARGV[at + 1])
end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return created
