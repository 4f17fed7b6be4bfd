"""MCP over streams: stdio, sockets, WebSockets."""
