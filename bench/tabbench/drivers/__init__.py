"""Drivers: one small file a server, which its authors may correct."""
