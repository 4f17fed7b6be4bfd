"""Handlers: each picks one topic from the events of a trace."""
