"""The wire: the only place that imports the MCP SDK."""
