"""Trace: a file, read and divided into insight sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tabmux.analysis.trace.handlers.paints import TraceScreenshot
from tabmux.analysis.trace.insight_sets import InsightSet, InsightSetBuilder
from tabmux.analysis.trace.trace_reader import TraceData, open_trace
from tabmux.errors import BadArguments
from tabmux.json_text import decoder


@dataclass(frozen=True)
class Trace:
    """What a trace file says; times are microseconds of its clock.

    Attributes:
        throttling: How the recording was slowed down, as far as DevTools noted it.
        main_thread_missing: Whether Chrome left out everything that the page's own thread did.
    """

    sets: tuple[InsightSet, ...]
    start: float
    end: float
    screenshots: tuple[TraceScreenshot, ...] = ()
    throttling: str = ""
    main_thread_missing: bool = False

    def set(self, set_id: str) -> InsightSet:
        """Find an insight set by its id."""
        for found in self.sets:
            if found.id == set_id:
                return found
        known = ", ".join(part.id for part in self.sets)
        raise BadArguments(f"there is no insight set {set_id!r}", hint=f"The sets are: {known}.")


def read_trace(path: Path, source_maps: Mapping[str, str] | None = None) -> Trace:
    """Read a trace file, plain or gzipped.

    Args:
        path: The file.
        source_maps: Source maps by script URL, for DuplicatedJavaScript; those that the
            file itself holds are used too.
    """
    data = TraceData()
    with open_trace(path) as file:
        for events in file.events():
            data.feed(events)
        metadata = _parse_metadata(file.metadata)
    return Trace(
        sets=tuple(InsightSetBuilder(data, metadata.maps() | dict(source_maps or {})).sets()),
        start=data.start,
        end=data.end,
        screenshots=tuple(sorted(data.paints.screenshots, key=lambda shot: shot.ts)),
        throttling=metadata.throttling(),
        main_thread_missing=data.frames.main_thread_missing(),
    )


class _SourceMap(msgspec.Struct, rename="camel"):
    url: str = ""
    source_map: msgspec.Raw = msgspec.Raw(b"{}")


class _Metadata(msgspec.Struct, rename="camel"):
    """What DevTools writes about its recordings."""

    cpu_throttling: float = 1
    network_throttling: str = ""
    source_maps: list[_SourceMap] = []

    def maps(self) -> dict[str, str]:
        return {
            found.url: bytes(found.source_map).decode(errors="replace")
            for found in self.source_maps
        }

    def throttling(self) -> str:
        cpu = f"CPU {self.cpu_throttling:g}x slower" if self.cpu_throttling > 1 else ""
        quiet = self.network_throttling in ("", "No throttling")
        network = "" if quiet else f"network {self.network_throttling}"
        return ", ".join(part for part in (cpu, network) if part)


_decode_metadata = decoder(_Metadata)


def _parse_metadata(metadata: bytes) -> _Metadata:
    try:
        return _decode_metadata(metadata)
    except msgspec.DecodeError:
        return _Metadata()
