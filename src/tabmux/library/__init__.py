"""The Python library: a client of the daemon, with every tool as a typed method."""
