"""Tools for what sites keep: cookies, storage, downloads."""
