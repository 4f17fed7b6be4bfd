"""Closures of a heap snapshot: scopes and what they keep alive."""
