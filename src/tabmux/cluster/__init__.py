"""Cluster: several daemons behind one address, with leases and session rows in Redis."""
