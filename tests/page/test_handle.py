from __future__ import annotations

import asyncio

import pytest

from tabmux.cdp.channel import Channel
from tabmux.errors import DeadlineExceeded
from tabmux.page.handle import PageHandle
from tabmux.timings import Timings


async def test_tab_that_chrome_does_not_hand_over_is_said_to_be_so() -> None:
    async def never(target: str) -> Channel:
        await asyncio.Event().wait()
        raise AssertionError(target)

    page = PageHandle(7, {"targetId": "T"}, never, timings=Timings(attach=0.01))
    with pytest.raises(DeadlineExceeded, match=r"page 7 within 0\.01 s"):
        await page.attach()
    assert page.page is None
