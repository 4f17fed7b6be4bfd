"""Where code came from before it was bundled: source maps, fetched when they are asked for."""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes, urljoin, urlsplit

from tabmux.analysis.source_map import GeneratedPosition, OriginalPosition, parse_source_map
from tabmux.cdp.channel import Channel, Params
from tabmux.errors import PageTrouble, TabmuxError
from tabmux.page.stream import drain

SECONDS = 3.0
CALL_SECONDS = 2.0
MAPS = 8
MAP_BYTES = 32 * 1024 * 1024
# "at name (address:line:column)" and "at address:line:column", as V8 writes stacks.
_WRITTEN = re.compile(
    r"(?P<url>[a-z][a-z0-9+.-]*:[^\s()]+):(?P<line>\d+):(?P<column>\d+)(?=\)?$)", re.MULTILINE
)


@dataclass(frozen=True)
class ScriptPosition:
    """A place in a running script; line and column count from 0."""

    url: str
    line: int
    column: int
    script: str = field(default="", compare=False)


def stack_positions(stack: Iterable[Params]) -> list[ScriptPosition]:
    """Return the places of a stack as Chrome tells it."""
    return [
        ScriptPosition(
            frame["url"], frame["lineNumber"], frame["columnNumber"], frame.get("scriptId", "")
        )
        for frame in stack
        if "url" in frame
    ]


def text_positions(text: str) -> list[ScriptPosition]:
    """Return the places of a stack that is written out in an error's text."""
    return [_spot(match) for match in _WRITTEN.finditer(text)]


def with_original_positions(
    text: str, original_positions: Mapping[ScriptPosition, OriginalPosition]
) -> str:
    """Put the original places into a stack that is written out."""

    def replace(match: re.Match[str]) -> str:
        place = original_positions.get(_spot(match))
        return match[0] if place is None else f"{place.source}:{place.line + 1}:{place.column + 1}"

    return _WRITTEN.sub(replace, text)


async def original_positions(
    channel: Channel, frame: str | None, wanted: Sequence[ScriptPosition]
) -> dict[ScriptPosition, OriginalPosition]:
    """Find where places of scripts came from, as far as source maps say it in time.

    Args:
        channel: Where the scripts run.
        frame: A frame there, whose right to fetch is used; None in a worker.
        wanted: The places.
    """
    found: dict[ScriptPosition, OriginalPosition] = {}
    with suppress(TabmuxError, TimeoutError):
        async with asyncio.timeout(SECONDS):
            scripts = await _scripts(channel, wanted)
            for script in scripts[:MAPS]:
                found |= await _mapped(channel, frame, script, wanted)
    return found


async def _scripts(channel: Channel, wanted: Sequence[ScriptPosition]) -> list[Params]:
    """Learn which of the scripts have source maps: Chrome tells that to debuggers only."""
    idents, urls = {spot.script for spot in wanted}, {spot.url for spot in wanted}
    scripts: list[Params] = []

    def note(params: Params) -> None:
        if params.get("sourceMapURL") and (params["scriptId"] in idents or params["url"] in urls):
            scripts.append(params)

    stop = channel.on("Debugger.scriptParsed", note)
    try:
        enabled = channel.call("Debugger.enable", timeout=CALL_SECONDS)
        # A page must not stop at a breakpoint of its own meanwhile.
        channel.send("Debugger.setSkipAllPauses", {"skip": True})
        channel.send("Debugger.disable")
        await enabled
    finally:
        stop()
    return scripts


async def _mapped(
    channel: Channel, frame: str | None, script: Params, wanted: Sequence[ScriptPosition]
) -> dict[ScriptPosition, OriginalPosition]:
    here = [spot for spot in wanted if _is_in(spot, script)]
    url = urljoin(script["url"], script["sourceMapURL"])
    data = _data(url) if url.startswith("data:") else await _fetched(channel, frame, script, url)
    if data is None or not here:
        return {}
    base = script["url"] if url.startswith("data:") else url
    relative = {spot: _relative(spot, script) for spot in here}
    places = await asyncio.to_thread(_places, data, set(relative.values()), base)
    return {spot: places[at] for spot, at in relative.items() if at in places}


def _is_in(spot: ScriptPosition, script: Params) -> bool:
    return bool(spot.script == script["scriptId"] if spot.script else spot.url == script["url"])


def _places(
    data: bytes, positions: Iterable[GeneratedPosition], base: str
) -> dict[GeneratedPosition, OriginalPosition]:
    found = parse_source_map(data)
    return found.original_positions(positions, base) if found is not None else {}


def _relative(spot: ScriptPosition, script: Params) -> GeneratedPosition:
    """Count from the start of the script, which may be in the middle of a document."""
    line, column = spot.line, spot.column
    if not script.get("hasSourceURL"):
        line -= script["startLine"]
        column -= script["startColumn"] if line == 0 else 0
    return line, column


def _data(url: str) -> bytes | None:
    header, comma, body = url.partition(",")
    if not comma or len(body) > MAP_BYTES:
        return None
    try:
        return base64.b64decode(body) if header.endswith(";base64") else unquote_to_bytes(body)
    except binascii.Error:
        return None


async def _fetched(channel: Channel, frame: str | None, script: Params, url: str) -> bytes | None:
    """Fetch a map as the page would; only from where the script itself came from."""
    if urlsplit(url)[:2] != urlsplit(script["url"])[:2] or not url.startswith("http"):
        return None
    command = {
        "url": url,
        "options": {"disableCache": False, "includeCredentials": True},
        **({"frameId": frame} if frame else {}),
    }
    answer = await channel.call("Network.loadNetworkResource", command, timeout=CALL_SECONDS)
    stream = answer["resource"].get("stream")
    return await _read(channel, stream) if stream else None


async def _read(channel: Channel, stream: str) -> bytes:
    data = bytearray()

    def take(piece: bytes) -> None:
        if len(data) + len(piece) > MAP_BYTES:
            raise PageTrouble("The source map is too large.")
        data.extend(piece)

    await drain(channel, stream, take)
    return bytes(data)


def _spot(match: re.Match[str]) -> ScriptPosition:
    return ScriptPosition(match["url"], int(match["line"]) - 1, int(match["column"]) - 1)
