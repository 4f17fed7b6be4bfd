"""What a page is told about its surroundings instead of the truth."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tabmux.cdp.connection import Channel, Params
from tabmux.errors import BadArguments, Busy, ProtocolFault, TabmuxError
from tabmux.page.useragent import user_agent_override

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
        self._fitted: tuple[int, int] | None = None

    async def fit(self, width: int, height: int) -> None:
        """Give the content a size that its window has, but does not pass on to a tab behind."""
        self._fitted = (width, height)
        await self._channel.call(*self._metrics(self.current))

    def follow(self, channel: Channel) -> None:
        """Let a frame's new process see the same surroundings."""
        if self.current != Surroundings():
            for method, params in (*_everywhere(self.current), *_of_process(self.current)):
                channel.send(method, params)

    async def apply(self, wanted: Surroundings) -> None:
        """Emulate exactly this; whatever else was emulated ends."""
        before = self.current
        channels = {frame.channel for frame in self._page.frames}
        if _of_process(before) != _of_process(wanted):
            await self._speak(channels, before, wanted)
        self.current = wanted
        commands = [
            channel.call(method, params)
            for channel in channels
            for method, params in _everywhere(wanted)
        ]
        at_the_top = (_place(wanted.location), self._metrics(wanted))
        commands += [self._channel.call(*each) for each in at_the_top]
        await asyncio.gather(*commands)
        if _kind(before.viewport) != _kind(wanted.viewport):
            # Whether it is a phone is something that pages ask only while they load.
            await self._page.navigation.reload()

    def _metrics(self, wanted: Surroundings) -> tuple[str, Params]:
        if wanted.viewport is not None:
            return "Emulation.setDeviceMetricsOverride", _screen(wanted.viewport)
        if self._fitted is None:
            return "Emulation.clearDeviceMetricsOverride", {}
        width, height = self._fitted
        size = {"width": width, "height": height, "deviceScaleFactor": 0, "mobile": False}
        return "Emulation.setDeviceMetricsOverride", size

    async def _speak(
        self, channels: set[Channel], before: Surroundings, wanted: Surroundings
    ) -> None:
        """Change locale and time zone, first of all because Chrome may refuse them."""
        try:
            await asyncio.gather(*(self._channel.call(*each) for each in _of_process(wanted)))
        except ProtocolFault as error:
            for method, params in _of_process(before):
                self._channel.send(method, params)
            raise _explained(error, wanted) from error
        for channel in channels - {self._channel}:
            # Frames that share a process share these; all but the first are refused.
            for method, params in _of_process(wanted):
                channel.send(method, params)


def _explained(error: ProtocolFault, wanted: Surroundings) -> TabmuxError:
    if "already in effect" in error.message:
        return Busy(
            "Another tab of this site, in the same process, emulates a locale or time zone.",
            hint="End that first, or open this page in an isolatedContext.",
        )
    if "nvalid" in error.message:
        return BadArguments(
            f"Chrome knows no such locale or time zone: {wanted.locale or wanted.timezone}.",
            hint="Write them like de-DE and Europe/Berlin.",
        )
    return error


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
    yield "Emulation.setUserAgentOverride", user_agent_override(wanted.user_agent, wanted.locale)
    touch = wanted.viewport is not None and wanted.viewport.touch
    yield "Emulation.setTouchEmulationEnabled", {"enabled": touch}


def _of_process(wanted: Surroundings) -> list[tuple[str, Params]]:
    """Return what holds for a whole process."""
    commands: list[tuple[str, Params]] = [
        ("Emulation.setLocaleOverride", {"locale": wanted.locale} if wanted.locale else {}),
        ("Emulation.setTimezoneOverride", {"timezoneId": ""}),
    ]
    if wanted.timezone:
        # After another one Chromium 156 takes any nonsense; after none it does not.
        commands.append(("Emulation.setTimezoneOverride", {"timezoneId": wanted.timezone}))
    return commands


def _place(location: tuple[float, float] | None) -> tuple[str, Params]:
    if location is None:
        return "Emulation.clearGeolocationOverride", {}
    latitude, longitude = location
    place = {"latitude": latitude, "longitude": longitude, "accuracy": 1}
    return "Emulation.setGeolocationOverride", place


def _screen(viewport: Viewport) -> Params:
    return {
        "width": viewport.width,
        "height": viewport.height,
        "deviceScaleFactor": viewport.scale,
        "mobile": viewport.mobile,
        "screenOrientation": {
            "type": "landscapePrimary" if viewport.landscape else "portraitPrimary",
            "angle": 90 if viewport.landscape else 0,
        },
    }


def _kind(viewport: Viewport | None) -> tuple[bool, bool]:
    return (False, False) if viewport is None else (viewport.mobile, viewport.touch)


def _viewport_words(viewport: Viewport) -> str:
    words = [f"{viewport.width}x{viewport.height}x{viewport.scale:g}"]
    words += [name for name in ("mobile", "touch", "landscape") if getattr(viewport, name)]
    return ",".join(words)
