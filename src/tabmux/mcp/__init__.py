"""The Model Context Protocol, written by hand: messages in, calls of sessions out."""
