"""Many agents at once: one Chromium, many clients, nobody in another's way."""
