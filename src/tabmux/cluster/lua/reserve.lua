-- Reserve numbers, unless the counter is behind what was given: then it was lost, and is raised.
-- KEYS: counter. ARGV: the end of what was given as far as we know, how many numbers.
-- Returns the end of the numbers that are reserved; 0 when the counter was raised instead.
local known = tonumber(redis.call('GET', KEYS[1]) or '0')
if known < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1])
  return 0
end
return redis.call('INCRBY', KEYS[1], ARGV[2])
