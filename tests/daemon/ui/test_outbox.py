from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

from tabmux.concurrency import TaskOwner
from tabmux.daemon.ui.outbox import FRAME_HEADER, Outbox
from tabmux.page.see.live_frames import LiveFrame


async def test_page_that_is_unwatched_while_another_is_sent_ends_nothing(tasks: TaskOwner) -> None:
    outbox, sent = Outbox(), asyncio.Queue[int]()

    async def send(message: MutableMapping[str, Any]) -> None:
        page, *_ = FRAME_HEADER.unpack_from(message["bytes"])
        if page == 1:
            outbox.forget(2)
        sent.put_nowait(page)

    for page in (1, 2, 3):
        outbox.show(page, LiveFrame(1, b"jpeg", 8.0, 8.0))
    tasks.start(outbox.write(send, {}))
    async with asyncio.timeout(10):
        assert [await sent.get(), await sent.get()] == [1, 3]
