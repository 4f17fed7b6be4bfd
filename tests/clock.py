"""How long things may take: limits that a busy machine keeps, too."""

from __future__ import annotations

# What happens at once takes milliseconds, and a few seconds on a machine that does much else;
# what waits for a deadline instead takes 30 s or more.
AT_ONCE = 10.0
