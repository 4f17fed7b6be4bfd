"""Asks Chrome which CSS rules apply to an element."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from tabmux.analysis.css.cascade import resolve_cascade
from tabmux.analysis.css.logical_properties import TextFlow
from tabmux.analysis.css.matched_styles import MatchedStyles, StyleSheetSource, read_matched_styles
from tabmux.cdp.channel import Channel, Params
from tabmux.page.element import Element


async def styles_of(element: Element) -> MatchedStyles:
    """Return the cascade of an element, with every declaration judged."""
    handle = await element.object_id()
    with _inspecting(element.frame.channel) as (channel, sheets):
        # The CSS domain answers only for nodes that the DOM domain has been told of.
        await asyncio.gather(
            channel.call("DOM.enable"),
            channel.call("DOM.getDocument", {"depth": 0}),
            channel.call("CSS.enable"),
        )
        node = await channel.call("DOM.requestNode", {"objectId": handle})
        matched, animated, line = await asyncio.gather(
            channel.call("CSS.getMatchedStylesForNode", node),
            channel.call("CSS.getAnimatedStylesForNode", node),
            element.frame.run("lineage", on=handle),
        )
        return resolve_cascade(
            read_matched_styles(matched, animated, sheets, line["names"], TextFlow.of(line))
        )


@contextmanager
def _inspecting(channel: Channel) -> Iterator[tuple[Channel, dict[str, StyleSheetSource]]]:
    """Note the style sheets meanwhile; afterwards the page has no listeners to slow it down."""
    sheets: dict[str, StyleSheetSource] = {}

    def note(params: Params) -> None:
        header = params["header"]
        sheets[header["styleSheetId"]] = StyleSheetSource.of(header)

    stop = channel.on("CSS.styleSheetAdded", note)
    try:
        yield channel, sheets
    finally:
        stop()
        if channel.is_open:
            channel.send("CSS.disable")
            channel.send("DOM.disable")
