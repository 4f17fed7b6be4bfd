-- Take over all shards of a daemon whose lease has ended; the first who asks gets them.
-- KEYS: shards, lease of the other, lease of our own. ARGV: the other, ourselves.
-- Returns shards and their new epochs in turn; nothing when there is nothing to take.
if redis.call('EXISTS', KEYS[2]) == 1 or redis.call('EXISTS', KEYS[3]) == 0 then
  return {}
end
local shards, taken = redis.call('HGETALL', KEYS[1]), {}
for at = 1, #shards, 2 do
  local daemon, epoch = string.match(shards[at + 1], '^(%S+) (%d+)$')
  if daemon == ARGV[1] then
    local next = tostring(tonumber(epoch) + 1)
    redis.call('HSET', KEYS[1], shards[at], ARGV[2] .. ' ' .. next)
    taken[#taken + 1] = shards[at]
    taken[#taken + 1] = next
  end
end
return taken
