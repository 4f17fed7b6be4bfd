"""Source maps: where code came from before it was bundled, fetched when it is asked for."""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes, urljoin

from tabmux.analysis.source_map import GeneratedPosition, OriginalPosition, parse_source_map
from tabmux.cdp.channel import Channel, Params, read_stream
from tabmux.errors import PageTrouble, TabmuxError
from tabmux.page_text import url_parts

SECONDS = 3.0
CALL_SECONDS = 2.0
MAPS = 8
MAP_BYTES = 32 * 1024 * 1024
# "at name (address:line:column)" and "at address:line:column", as V8 writes stacks. An address
# begins where a word does: looking for one inside of words takes the square of their length.
_WRITTEN = re.compile(
    r"(?<![^\s(])(?P<url>[a-z][a-z0-9+.-]{0,40}:[^\s()]+):(?P<line>\d{1,9}):(?P<column>\d{1,9})"
    r"(?=\)?$)",
    re.MULTILINE,
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
    return [_position(match) for match in _WRITTEN.finditer(text)]


def with_original_positions(text: str, origins: Mapping[ScriptPosition, OriginalPosition]) -> str:
    """Put the original places into a stack that is written out."""

    def replace(match: re.Match[str]) -> str:
        place = origins.get(_position(match))
        return match[0] if place is None else f"{place.source}:{place.line + 1}:{place.column + 1}"

    return _WRITTEN.sub(replace, text)


async def original_positions(
    channel: Channel,
    frame: str | None,
    wanted: Sequence[ScriptPosition],
    *,
    seconds: float = SECONDS,
    most_bytes: int = MAP_BYTES,
) -> dict[ScriptPosition, OriginalPosition]:
    """Find where places of scripts came from, as far as source maps say it in time.

    Args:
        channel: Where the scripts run.
        frame: A frame there, whose right to fetch is used; None in a worker.
        wanted: The places.
        seconds: How long it may take.
        most_bytes: How large a source map may be.
    """
    found: dict[ScriptPosition, OriginalPosition] = {}
    with suppress(TabmuxError, TimeoutError):
        async with asyncio.timeout(seconds):
            scripts = await _scripts(channel, wanted)
            for script in scripts[:MAPS]:
                found |= await _mapped(channel, frame, script, wanted, most_bytes)
    return found


async def _scripts(channel: Channel, wanted: Sequence[ScriptPosition]) -> list[Params]:
    """Learn which of the scripts have source maps: Chrome tells that to debuggers only."""
    idents, urls = {position.script for position in wanted}, {position.url for position in wanted}
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
    channel: Channel,
    frame: str | None,
    script: Params,
    wanted: Sequence[ScriptPosition],
    most_bytes: int,
) -> dict[ScriptPosition, OriginalPosition]:
    here = [position for position in wanted if _is_in(position, script)]
    url = urljoin(script["url"], script["sourceMapURL"])
    if url.startswith("data:"):
        data = _data(url, most_bytes)
    else:
        data = await _fetched(channel, frame, script, url, most_bytes)
    if data is None or not here:
        return {}
    base = script["url"] if url.startswith("data:") else url
    relative = {position: _relative(position, script) for position in here}
    places = await asyncio.to_thread(_places, data, set(relative.values()), base)
    return {position: places[at] for position, at in relative.items() if at in places}


def _is_in(position: ScriptPosition, script: Params) -> bool:
    return bool(
        position.script == script["scriptId"] if position.script else position.url == script["url"]
    )


def _places(
    data: bytes, positions: Iterable[GeneratedPosition], base: str
) -> dict[GeneratedPosition, OriginalPosition]:
    found = parse_source_map(data)
    return found.original_positions(positions, base) if found is not None else {}


def _relative(position: ScriptPosition, script: Params) -> GeneratedPosition:
    """Count from the start of the script, which may be in the middle of a document."""
    line, column = position.line, position.column
    if not script.get("hasSourceURL"):
        line -= script["startLine"]
        column -= script["startColumn"] if line == 0 else 0
    return line, column


def _data(url: str, most_bytes: int) -> bytes | None:
    header, comma, body = url.partition(",")
    if not comma or len(body) > most_bytes:
        return None
    try:
        return base64.b64decode(body) if header.endswith(";base64") else unquote_to_bytes(body)
    except binascii.Error:
        return None


async def _fetched(
    channel: Channel, frame: str | None, script: Params, url: str, most_bytes: int
) -> bytes | None:
    """Fetch a map as the page would; only from where the script itself came from."""
    if url_parts(url)[:2] != url_parts(script["url"])[:2] or not url.startswith("http"):
        return None
    command = {
        "url": url,
        "options": {"disableCache": False, "includeCredentials": True},
        **({"frameId": frame} if frame else {}),
    }
    answer = await channel.call("Network.loadNetworkResource", command, timeout=CALL_SECONDS)
    stream = answer["resource"].get("stream")
    return await _read(channel, stream, most_bytes) if stream else None


async def _read(channel: Channel, stream: str, most_bytes: int) -> bytes:
    data = bytearray()

    def take(piece: bytes) -> None:
        if len(data) + len(piece) > most_bytes:
            raise PageTrouble("The source map is too large.")
        data.extend(piece)

    await read_stream(channel, stream, take)
    return bytes(data)


def _position(match: re.Match[str]) -> ScriptPosition:
    return ScriptPosition(match["url"], int(match["line"]) - 1, int(match["column"]) - 1)
