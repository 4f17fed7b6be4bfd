-- Tell who answers for each shard, and where those are whose lease lasts.
-- KEYS: shards, tabs. ARGV: what the names of leases begin with.
-- Returns shards and owners in turn, daemons and their addresses, tabs and their shards.
local shards = redis.call('HGETALL', KEYS[1])
local leases, seen = {}, {}
for at = 2, #shards, 2 do
  local daemon = string.match(shards[at], '^(%S+)')
  if not seen[daemon] then
    seen[daemon] = true
    local address = redis.call('GET', ARGV[1] .. daemon)
    if address then
      leases[#leases + 1] = daemon
      leases[#leases + 1] = address
    end
  end
end
return {shards, leases, redis.call('HGETALL', KEYS[2])}
