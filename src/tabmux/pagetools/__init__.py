"""Page tools: tools that come from the page itself, derived or declared."""
