"""The daemon as a process: lock, socket, line protocol."""
