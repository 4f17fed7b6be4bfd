"""Script sources: the text of the page's scripts, as far as the trace holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from tabmux.analysis.trace.trace_event import TraceEvent, TraceListener, data_decoder


@dataclass(frozen=True, slots=True)
class TraceScript:
    """A script that ran; `map_url` is where it says its source map is."""

    pid: int
    url: str
    text: str
    map_url: str = ""


class TraceScripts:
    """Collects the script texts Chrome lists when a recording runs."""

    def __init__(self) -> None:
        self._parts: dict[tuple[int, str, str], _Parts] = {}
        self._catchup = data_decoder(_Catchup)

    def listeners(self) -> Mapping[str, TraceListener]:
        """Say which events carry script text; long scripts come in several."""
        return {
            "ScriptCatchup": self._handle_script,
            "LargeScriptCatchup": self._handle_script,
            "StubScriptCatchup": self._handle_script,
        }

    def scripts(self) -> list[TraceScript]:
        """List the scripts that have both an address and a text."""
        return [
            TraceScript(pid, parts.url, parts.text(), parts.map_url)
            for (pid, _, _), parts in self._parts.items()
            if parts.url and parts.texts
        ]

    def _handle_script(self, event: TraceEvent) -> None:
        data = self._catchup(event)
        key = (event.pid, str(data.isolate), str(data.script_id))
        parts = self._parts.setdefault(key, _Parts())
        parts.url = parts.url or data.url
        parts.map_url = parts.map_url or data.source_map_url
        if data.source_text:
            parts.texts[data.split_index] = data.source_text


@dataclass(slots=True)
class _Parts:
    url: str = ""
    map_url: str = ""
    texts: dict[int, str] = field(default_factory=dict)

    def text(self) -> str:
        return "".join(self.texts[index] for index in sorted(self.texts))


class _Catchup(msgspec.Struct, rename="camel"):
    isolate: str | int = ""
    script_id: str | int = ""
    url: str = ""
    source_map_url: str = ""
    source_text: str = ""
    split_index: int = 0
