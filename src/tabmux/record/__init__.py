"""Record: every call of every session, as it was made, in files and live."""
