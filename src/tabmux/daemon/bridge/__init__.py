"""The bridge inside the server: extensions as browsers, and as tools of a session."""
