"""A person's or a script's way in; starts fast and imports no server code."""
