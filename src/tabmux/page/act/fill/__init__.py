"""Filling: one way to give a value for each kind of control."""
