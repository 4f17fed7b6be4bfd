"""Closures: their scopes, and the captured variables that nothing can read."""
