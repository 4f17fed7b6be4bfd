"""Dispatch: from a decoded message to a tool call, in both eras of MCP."""
