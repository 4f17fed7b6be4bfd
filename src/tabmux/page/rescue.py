"""Frees a renderer from a script that does not end."""

from __future__ import annotations

import asyncio

from tabmux.cdp.channel import Channel, Params
from tabmux.errors import ProtocolFault

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
    sign = channel.call("Runtime.evaluate", {"expression": "1"})
    asyncio.get_running_loop().call_later(PATIENCE_SECONDS, _stop, channel, sign, ATTEMPTS)


def _stop(channel: Channel, sign: asyncio.Future[Params], attempts: int) -> None:
    if sign.done() or not channel.is_open:
        return
    stopping = channel.call("Runtime.terminateExecution")
    if attempts == 0:
        stopping.add_done_callback(lambda done: _give_up(channel, done))
    else:
        asyncio.get_running_loop().call_later(PATIENCE_SECONDS, _stop, channel, sign, attempts - 1)


def _give_up(channel: Channel, stopping: asyncio.Future[Params]) -> None:
    # Seen in Chromium 156: an extension may not stop a script. A tab that is crashed can be
    # loaded again, one that hangs cannot even do that.
    if not stopping.cancelled() and isinstance(stopping.exception(), ProtocolFault):
        channel.send("Page.crash")
