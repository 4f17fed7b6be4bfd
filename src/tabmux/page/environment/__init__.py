"""The environment of a page: emulation, cookies, storage."""
