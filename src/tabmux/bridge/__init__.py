"""The bridge: the WebSocket server for browser extensions, and an extension as a CDP transport."""
