"""One session from outside, for those who debug; only where the user allowed it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from tabmux.daemon.app import App

VARIABLE = "BROWSER_MCP_ENABLE_DEBUG"


def is_allowed(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the user wants sessions to be looked into."""
    return environment.get(VARIABLE) == "1"


def peek(desk: App, handle: str) -> dict[str, Any] | None:
    """Describe a session; neither its handle nor what its pages show."""
    seat = desk.find(handle)
    if seat is None:
        return None
    session, courier = seat.session, seat.courier
    return {
        "name": session.name,
        "label": session.label,
        "currentTabId": session.selected if courier.tab is None else courier.tab,
        "queueLength": session.calls + courier.queued,
        "pages": sorted(session.pages),
        "idleSeconds": round(session.idle_seconds(), 1),
    }
