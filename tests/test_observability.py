from __future__ import annotations

import asyncio
import logging
import threading
import time

import pytest

from tabmux.observability import watchdog


def stand_still(seconds: float) -> None:
    time.sleep(seconds)


async def test_loop_that_stands_still_is_logged_once_with_the_place(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with watchdog(0.5):
        stand_still(2.0)
        await asyncio.sleep(0)
    (record,) = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert "stood still" in record.getMessage()
    assert "stand_still" in record.getMessage()


async def test_loop_that_moves_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    with watchdog(0.5):
        for _ in range(20):
            await asyncio.sleep(0.05)
    assert "stood still" not in caplog.text
    assert not [thread for thread in threading.enumerate() if thread.name == "watchdog"]
