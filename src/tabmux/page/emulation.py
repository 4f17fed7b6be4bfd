"""What a page is told about its surroundings instead of the truth."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tabmux.cdp.connection import Channel, Params

if TYPE_CHECKING:
    from tabmux.page.page import Page


@dataclass(frozen=True)
class Line:
    """How fast a network is, in bytes a second and milliseconds."""

    down: float
    up: float
    latency: float
    offline: bool = False


LINES: dict[str, Line] = {
    "Offline": Line(0, 0, 0, offline=True),
    "Slow 3G": Line(50_000, 50_000, 2000),
    "Fast 3G": Line(180_000, 84_375, 562.5),
    "Slow 4G": Line(180_000, 84_375, 562.5),
    "Fast 4G": Line(1_012_500, 168_750, 165),
}


@dataclass(frozen=True)
class Viewport:
    """The size of a screen, and whether it is that of a phone."""

    width: int
    height: int
    scale: float = 1
    mobile: bool = False
    touch: bool = False
    landscape: bool = False


@dataclass(frozen=True)
class Surroundings:
    """Everything that can be emulated; what is None or empty is as it really is."""

    network: str | None = None
    cpu: float = 1
    location: tuple[float, float] | None = None
    user_agent: str | None = None
    media: Mapping[str, str] = field(default_factory=dict)
    viewport: Viewport | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    locale: str | None = None
    timezone: str | None = None

    @property
    def lines(self) -> Iterator[str]:
        """Say what is emulated, for every reply while it is."""
        if self.network:
            yield f"Emulating network conditions: {self.network}"
        if self.cpu != 1:
            yield f"Emulating CPU throttling: {self.cpu:g}x slowdown"
        if self.location:
            yield "Emulating geolocation: latitude={:g}, longitude={:g}".format(*self.location)
        if self.user_agent:
            yield f"Emulating user agent: {self.user_agent}"
        for feature, value in self.media.items():
            yield f"Emulating {feature}: {value}"
        if self.viewport:
            yield f"Emulating viewport: {_viewport_words(self.viewport)}"
        if self.headers:
            yield f"Sending extra headers: {', '.join(self.headers)}"
        if self.locale:
            yield f"Emulating locale: {self.locale}"
        if self.timezone:
            yield f"Emulating time zone: {self.timezone}"


class Emulation:
    """Applies surroundings to every process of a page, present and future."""

    def __init__(self, page: Page, channel: Channel) -> None:
        self._page, self._channel = page, channel
        self.current = Surroundings()

    def follow(self, channel: Channel) -> None:
        """Let a frame's new process see the same surroundings."""
        if self.current != Surroundings():
            for method, params in _everywhere(self.current):
                channel.send(method, params)

    async def apply(self, wanted: Surroundings) -> None:
        """Emulate exactly this; whatever else was emulated ends."""
        before, self.current = self.current, wanted
        channels = {frame.channel for frame in self._page.frames}
        commands = [
            channel.call(method, params)
            for channel in channels
            for method, params in _everywhere(wanted)
        ]
        commands += [self._channel.call(*each) for each in _at_the_top(wanted)]
        await asyncio.gather(*commands)
        if _kind(before.viewport) != _kind(wanted.viewport):
            # Whether it is a phone is something that pages ask only while they load.
            await self._page.navigation.reload()


def _everywhere(wanted: Surroundings) -> Iterator[tuple[str, Params]]:
    line = LINES.get(wanted.network or "")
    rule = {"urlPattern": "", "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    if line is not None:
        speed = {"downloadThroughput": line.down, "uploadThroughput": line.up}
        rule = {**rule, **speed, "latency": line.latency, "offline": line.offline}
    yield (
        "Network.emulateNetworkConditionsByRule",
        {"matchedNetworkConditions": [rule] if line is not None else []},
    )
    yield "Emulation.setCPUThrottlingRate", {"rate": wanted.cpu}
    yield "Network.setExtraHTTPHeaders", {"headers": dict(wanted.headers)}
    features = [{"name": name, "value": value} for name, value in wanted.media.items()]
    yield "Emulation.setEmulatedMedia", {"features": features}
    yield "Emulation.setUserAgentOverride", _user_agent(wanted.user_agent)


def _at_the_top(wanted: Surroundings) -> Iterator[tuple[str, Params]]:
    if wanted.location is None:
        yield "Emulation.clearGeolocationOverride", {}
    else:
        latitude, longitude = wanted.location
        place = {"latitude": latitude, "longitude": longitude, "accuracy": 1}
        yield "Emulation.setGeolocationOverride", place
    yield "Emulation.setLocaleOverride", {"locale": wanted.locale} if wanted.locale else {}
    yield "Emulation.setTimezoneOverride", {"timezoneId": wanted.timezone or ""}
    viewport = wanted.viewport
    touch = viewport is not None and viewport.touch
    yield "Emulation.setTouchEmulationEnabled", {"enabled": touch}
    if viewport is None:
        yield "Emulation.clearDeviceMetricsOverride", {}
        return
    yield (
        "Emulation.setDeviceMetricsOverride",
        {
            "width": viewport.width,
            "height": viewport.height,
            "deviceScaleFactor": viewport.scale,
            "mobile": viewport.mobile,
            "screenOrientation": {
                "type": "landscapePrimary" if viewport.landscape else "portraitPrimary",
                "angle": 90 if viewport.landscape else 0,
            },
        },
    )


def _user_agent(text: str | None) -> Params:
    """Give the client hints that go with a user agent, so that both tell the same story."""
    if not text:
        return {"userAgent": ""}
    found = re.search(r"(Edg|Chrome|CriOS)/(\d+)(\.[\d.]+)?", text)
    version = found[2] if found else "0"
    full = f"{version}{found[3] or '.0.0.0'}" if found else "0.0.0.0"
    names = ("Chromium", "Microsoft Edge" if "Edg/" in text else "Google Chrome")
    brands: list[dict[str, Any]] = [{"brand": name, "version": version} for name in names]
    mobile = "Mobile" in text
    return {
        "userAgent": text,
        "userAgentMetadata": {
            "brands": brands if found else [],
            "fullVersionList": [{**brand, "version": full} for brand in brands] if found else [],
            "platform": _platform(text),
            "platformVersion": "",
            "architecture": "" if mobile else "x86",
            "model": "",
            "mobile": mobile,
        },
    }


def _platform(user_agent: str) -> str:
    known = {"Android": "Android", "iPhone": "iOS", "iPad": "iOS", "Windows": "Windows",
             "Mac OS": "macOS", "CrOS": "Chrome OS", "Linux": "Linux"}  # fmt: skip
    return next((name for word, name in known.items() if word in user_agent), "Unknown")


def _kind(viewport: Viewport | None) -> tuple[bool, bool]:
    return (False, False) if viewport is None else (viewport.mobile, viewport.touch)


def _viewport_words(viewport: Viewport) -> str:
    words = [f"{viewport.width}x{viewport.height}x{viewport.scale:g}"]
    words += [name for name in ("mobile", "touch", "landscape") if getattr(viewport, name)]
    return ",".join(words)
