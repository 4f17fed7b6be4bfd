"""The HTTP server: routes, access, metrics."""
