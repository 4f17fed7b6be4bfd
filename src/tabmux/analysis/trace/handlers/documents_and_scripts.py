"""Documents and scripts: DOM size, declarations, fonts, selector costs, and the text of scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from tabmux.analysis.trace.trace_event import TraceEvent, TraceListener, args_decoder, data_decoder

_BUILT_IN_SHEETS = ("ua-style-sheet", "")


@dataclass(frozen=True, slots=True)
class DomSize:
    """How large the document was at one moment."""

    ts: float
    frame: str
    elements: int
    depth: int
    deepest: str
    deepest_node: int
    children: int
    widest: str
    widest_node: int


@dataclass(frozen=True, slots=True)
class DocumentMark:
    """Something said of a frame at one moment; what, depends on the list it is in."""

    ts: float
    frame: str
    value: str = ""
    node: int = 0


@dataclass(frozen=True, slots=True)
class FontLoad:
    """A web font began to load; `request` is the id of its request."""

    ts: float
    request: str
    url: str
    display: str
    name: str = ""


@dataclass(slots=True)
class SelectorStats:
    """What one CSS selector cost."""

    text: str
    sheet: str
    first: float
    us: float = 0
    attempts: int = 0
    matches: int = 0


@dataclass(frozen=True, slots=True)
class TraceScript:
    """A script that ran; `map_url` is where it says its source map is."""

    pid: int
    url: str
    text: str
    map_url: str = ""


class DocumentFacts:
    """Collects facts about documents, whichever frame they are in."""

    def __init__(self) -> None:
        self.sizes: list[DomSize] = []
        self.charsets: list[DocumentMark] = []
        self.viewports: list[DocumentMark] = []
        self.not_mobile_friendly: list[DocumentMark] = []
        self.parsed: list[DocumentMark] = []
        self.loaded: list[DocumentMark] = []
        self.font_names: dict[str, str] = {}
        self.fonts: list[FontLoad] = []
        self.selectors: dict[tuple[int, str, str], SelectorStats] = {}
        self._dom_stats = data_decoder(_DomStats)
        self._fact = data_decoder(_Fact)
        self._commit = args_decoder(_Commit)
        self._font = args_decoder(_Font)
        self._selector_stats = args_decoder(_SelectorArgs)

    def listeners(self) -> Mapping[str, TraceListener]:
        """Say which events state such facts."""
        return {
            "DOMStats": self._handle_size,
            "MetaCharsetCheck": self._handle_charset,
            "ParseMetaViewport": self._handle_viewport,
            "BeginCommitCompositorFrame": self._handle_commit,
            "MarkDOMContent": self._handle_parsed,
            "MarkLoad": self._handle_loaded,
            "BeginRemoteFontLoad": self._handle_font,
            "RemoteFontLoaded": self._handle_font_name,
            "SelectorStats": self._handle_selectors,
        }

    def _handle_size(self, event: TraceEvent) -> None:
        data = self._dom_stats(event)
        self.sizes.append(
            DomSize(
                ts=event.ts,
                frame=data.frame,
                elements=data.total_elements,
                depth=data.max_depth.depth,
                deepest=data.max_depth.node_name,
                deepest_node=data.max_depth.node_id,
                children=data.max_children.num_children,
                widest=data.max_children.node_name,
                widest_node=data.max_children.node_id,
            )
        )

    def _handle_charset(self, event: TraceEvent) -> None:
        data = self._fact(event)
        self.charsets.append(DocumentMark(event.ts, data.frame, data.disposition))

    def _handle_viewport(self, event: TraceEvent) -> None:
        data = self._fact(event)
        self.viewports.append(DocumentMark(event.ts, data.frame, data.content, data.node_id))

    def _handle_commit(self, event: TraceEvent) -> None:
        commit = self._commit(event)
        if not commit.is_mobile_optimized:
            self.not_mobile_friendly.append(DocumentMark(event.ts, commit.frame))

    def _handle_parsed(self, event: TraceEvent) -> None:
        self.parsed.append(DocumentMark(event.ts, self._fact(event).frame))

    def _handle_loaded(self, event: TraceEvent) -> None:
        self.loaded.append(DocumentMark(event.ts, self._fact(event).frame))

    def _handle_font(self, event: TraceEvent) -> None:
        font = self._font(event)
        request = f"{event.pid}.{font.id}"
        self.fonts.append(FontLoad(event.ts, request, font.url, font.display))

    def _handle_font_name(self, event: TraceEvent) -> None:
        font = self._font(event)
        self.font_names[font.url] = font.name

    def _handle_selectors(self, event: TraceEvent) -> None:
        for timing in self._selector_stats(event).selector_stats.selector_timings:
            if timing.style_sheet_id in _BUILT_IN_SHEETS:
                continue
            key = (event.pid, timing.selector, timing.style_sheet_id)
            total = self.selectors.get(key)
            if total is None:
                total = SelectorStats(timing.selector, timing.style_sheet_id, event.ts)
                self.selectors[key] = total
            total.first = min(total.first, event.ts)
            total.us += timing.elapsed
            total.attempts += timing.match_attempts
            total.matches += timing.match_count


class TraceScripts:
    """Collects the script texts Chrome lists when a recording runs."""

    def __init__(self) -> None:
        self._parts: dict[tuple[int, str, str], _ScriptParts] = {}
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
        parts = self._parts.setdefault(key, _ScriptParts())
        parts.url = parts.url or data.url
        parts.map_url = parts.map_url or data.source_map_url
        if data.source_text:
            parts.texts[data.split_index] = data.source_text


class _Deepest(msgspec.Struct, rename="camel"):
    depth: int = 0
    node_id: int = 0
    node_name: str = ""


class _Widest(msgspec.Struct, rename="camel"):
    num_children: int = 0
    node_id: int = 0
    node_name: str = ""


class _DomStats(msgspec.Struct, rename="camel"):
    frame: str = ""
    total_elements: int = 0
    max_depth: _Deepest = msgspec.field(default_factory=_Deepest)
    max_children: _Widest = msgspec.field(default_factory=_Widest)


class _Fact(msgspec.Struct):
    frame: str = ""
    disposition: str = ""
    content: str = ""
    node_id: int = 0


class _Commit(msgspec.Struct):
    frame: str = ""
    is_mobile_optimized: bool = True


class _Font(msgspec.Struct):
    id: int = 0
    url: str = ""
    display: str = ""
    name: str = ""


class _SelectorTiming(msgspec.Struct):
    selector: str = ""
    style_sheet_id: str = ""
    elapsed: float = msgspec.field(default=0, name="elapsed (us)")
    match_attempts: int = 0
    match_count: int = 0


class _SelectorStats(msgspec.Struct):
    selector_timings: list[_SelectorTiming] = []


class _SelectorArgs(msgspec.Struct):
    selector_stats: _SelectorStats = msgspec.field(default_factory=_SelectorStats)


@dataclass(slots=True)
class _ScriptParts:
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
