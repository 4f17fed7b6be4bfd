"""Tools for performance and memory, and the process that analyses."""
