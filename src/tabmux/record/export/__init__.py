"""Exports of runs, in forms that other programs read."""
