"""MCP over HTTP: Streamable HTTP, HTTP+SSE, stateless requests."""
