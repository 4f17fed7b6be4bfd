"""Synchronous library: `tabmux.sync.session`, for programs without an event loop."""

from tabmux.library.sync_tab import SyncTab as Tab
from tabmux.library.sync_tab import session, sessions

__all__ = ["Tab", "session", "sessions"]
