"""Secrets on a page: fields they stand in, logins, passkeys."""
