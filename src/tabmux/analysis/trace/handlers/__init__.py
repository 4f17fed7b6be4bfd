"""Trace handlers: what each collects from the events of one subject."""
