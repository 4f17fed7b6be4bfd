from __future__ import annotations

from tests.bridge.conftest import served

__all__ = ["served"]
