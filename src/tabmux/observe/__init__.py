"""Logs, metrics and audit."""
