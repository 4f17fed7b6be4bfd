"""Session debug page: one session from outside; only where the user allowed it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabmux.daemon.app import App


VARIABLE = "BROWSER_MCP_ENABLE_DEBUG"


def is_allowed(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the user wants sessions to be looked into."""
    return environment.get(VARIABLE) == "1"


def describe(app: App, ident: str) -> dict[str, Any] | None:
    """Describe a session; neither its handle nor what its pages show."""
    session = app.sessions.named(ident)
    if session is None or ident not in (session.handle, *session.aliases):
        return None
    extension = app.extensions.find(ident)
    tab = extension.tab if extension is not None else None
    return {
        "name": session.name,
        "label": session.label,
        "currentTabId": session.selected if tab is None else tab,
        "queueLength": session.calls + session.waiting_logs,
        "pages": sorted(session.pages),
        "idleSeconds": round(session.idle_seconds(), 1),
    }
