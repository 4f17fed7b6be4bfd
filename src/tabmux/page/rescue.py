"""Frees a renderer from a script that does not end."""

from __future__ import annotations

import asyncio

from tabmux.cdp.connection import Channel, Params

# A renderer that answers within this time needs no rescue.
PATIENCE_SECONDS = 0.15
ATTEMPTS = 30


def rescue(channel: Channel) -> None:
    """Ask the renderer for a sign of life, and stop its script until one comes.

    A termination that finds no script running would hit the next one, so it is only sent
    to a renderer that is really stuck. Works by timers, so that a cancelled call can use it.
    """
    if not channel.is_open or channel.crashed:
        return
    sign = channel.call(
        "Runtime.evaluate", {"expression": "1"}, timeout=PATIENCE_SECONDS * (ATTEMPTS + 1)
    )
    asyncio.get_running_loop().call_later(PATIENCE_SECONDS, _stop, channel, sign, ATTEMPTS)


def _stop(channel: Channel, sign: asyncio.Future[Params], attempts: int) -> None:
    if sign.done() or attempts == 0 or not channel.is_open:
        return
    channel.send("Runtime.terminateExecution")
    asyncio.get_running_loop().call_later(PATIENCE_SECONDS, _stop, channel, sign, attempts - 1)
