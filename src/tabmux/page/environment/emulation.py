"""Emulation: what a page is told about its environment instead of the truth."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tabmux.cdp.channel import Channel, Params
from tabmux.errors import BadArguments, Busy, ProtocolFault, TabmuxError
from tabmux.page.environment.devices import user_agent_override, worker_user_agent
from tabmux.page.workers import DEDICATED

if TYPE_CHECKING:
    from tabmux.page.page import Page

# A worker may be too busy to answer.
WORKER_SECONDS = 1.0
Command = tuple[str, Params]


@dataclass(frozen=True)
class NetworkConditions:
    """How fast a network is, in bytes a second and milliseconds."""

    down: float
    up: float
    latency: float
    offline: bool = False


NETWORK_CONDITIONS: dict[str, NetworkConditions] = {
    "Offline": NetworkConditions(0, 0, 0, offline=True),
    "Slow 3G": NetworkConditions(50_000, 50_000, 2000),
    "Fast 3G": NetworkConditions(180_000, 84_375, 562.5),
    "Slow 4G": NetworkConditions(180_000, 84_375, 562.5),
    "Fast 4G": NetworkConditions(1_012_500, 168_750, 165),
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
class EmulationSettings:
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


NO_EMULATION = EmulationSettings()


class Emulation:
    """Applies settings to every process of a page and to its workers, present and future."""

    def __init__(self, page: Page, channel: Channel) -> None:
        self._page, self._channel = page, channel
        self.current = NO_EMULATION
        # What Chrome has been told; None while that is not certain.
        self._told: EmulationSettings | None = NO_EMULATION
        self._fitted: tuple[int, int] | None = None
        # Workers that their page started under another user agent, which they take for their own.
        self._renamed: set[Channel] = set()

    async def fit(self, width: int, height: int) -> None:
        """Give the content a size that its window has, but does not pass on to a tab behind."""
        self._fitted = (width, height)
        await self._channel.call(*self._metrics_command(self.current))

    def follow(self, channel: Channel) -> None:
        """Let a frame's new process see the same environment."""
        if self.current != NO_EMULATION:
            _send_all([channel], (*_frame_commands(self.current), *_process_commands(self.current)))

    def follow_worker(self, channel: Channel) -> None:
        """Let a new worker see the same."""
        if self.current == NO_EMULATION:
            return
        name = self.current.user_agent
        _send_all(
            [channel],
            [*_request_commands(self.current), *([worker_user_agent(name)] if name else ())],
        )
        if channel in self._process_channels():
            _send_all([channel], _process_commands(self.current))
        elif name:
            self._renamed.add(channel)
            channel.on_close(lambda _: self._renamed.discard(channel))

    async def apply(self, wanted: EmulationSettings, *, reload: bool = True) -> None:
        """Emulate exactly this; whatever else was emulated ends.

        Args:
            wanted: What to emulate.
            reload: Load the document anew where it would not notice otherwise.
        """
        before = self.current
        channels = {frame.channel for frame in self._page.frames}
        if _process_commands(before) != _process_commands(wanted):
            await self._set_locale(before, wanted)
        self.current = wanted
        told, self._told = self._told, None
        changes = _changed_commands(told, wanted, _frame_commands)
        commands = [channel.call(*each) for channel in channels for each in changes]
        commands += [
            self._channel.call(*each)
            for each in _changed_commands(told, wanted, self._tab_commands)
        ]
        await asyncio.gather(*commands, self._update_workers(told, wanted))
        self._told = wanted
        if reload and _device_kind(before.viewport) != _device_kind(wanted.viewport):
            # Whether it is a phone is something that pages ask only while they load.
            await self._page.navigation.reload()

    def _tab_commands(self, wanted: EmulationSettings) -> Iterator[Command]:
        """Return what holds for the tab as a whole."""
        yield _geolocation_command(wanted.location)
        yield self._metrics_command(wanted)

    async def _update_workers(
        self, told: EmulationSettings | None, wanted: EmulationSettings
    ) -> None:
        workers = {worker.channel for worker in self._page.workers.running}
        commands, name = _changed_commands(told, wanted, _request_commands), wanted.user_agent
        renaming: list[Command] = []
        if workers and not name and (told is None or told.user_agent or self._renamed):
            name = await self._own_user_agent()
            real = {**user_agent_override(None, wanted.locale), "userAgent": name}
            renaming.append(("Emulation.setUserAgentOverride", real))
        if name:
            commands.append(worker_user_agent(name))
        await asyncio.gather(_call_all(workers, commands), _call_all(self._renamed, renaming))

    async def _own_user_agent(self) -> str:
        """Return the browser's own user agent, where it tells us."""
        try:
            return str((await self._channel.call("Browser.getVersion"))["userAgent"])
        except ProtocolFault:
            return ""

    def _metrics_command(self, wanted: EmulationSettings) -> Command:
        if wanted.viewport is not None:
            return "Emulation.setDeviceMetricsOverride", _metrics_params(wanted.viewport)
        if self._fitted is None:
            return "Emulation.clearDeviceMetricsOverride", {}
        width, height = self._fitted
        size = {"width": width, "height": height, "deviceScaleFactor": 0, "mobile": False}
        return "Emulation.setDeviceMetricsOverride", size

    async def _set_locale(self, before: EmulationSettings, wanted: EmulationSettings) -> None:
        """Change locale and time zone, first of all because Chrome may refuse them."""
        others = self._process_channels() - {self._channel}
        if _process_commands(before) != _process_commands(NO_EMULATION):
            # Whoever has set them in a process must take them back before another can set them.
            await _call_all(others, _process_commands(NO_EMULATION))
        try:
            await asyncio.gather(*(self._channel.call(*each) for each in _process_commands(wanted)))
        except ProtocolFault as error:
            _send_all([self._channel, *others], _process_commands(before))
            raise _locale_error(error, wanted) from error
        # Those that share a process share these; all but the first are refused.
        _send_all(others, _process_commands(wanted))

    def _process_channels(self) -> set[Channel]:
        """Return what may live in a process of its own: a worker of a frame's never does."""
        workers = self._page.workers.running
        return {frame.channel for frame in self._page.frames} | {
            worker.channel for worker in workers if worker.kind != DEDICATED
        }


def _changed_commands(
    told: EmulationSettings | None,
    wanted: EmulationSettings,
    commands: Callable[[EmulationSettings], Iterable[Command]],
) -> list[Command]:
    """Return the commands that tell Chrome something new."""
    if told is None:
        return list(commands(wanted))
    pairs = zip(commands(told), commands(wanted), strict=True)
    return [new for old, new in pairs if new != old]


def _send_all(channels: Iterable[Channel], commands: Iterable[Command]) -> None:
    wanted = list(commands)
    for channel in channels:
        for method, params in wanted:
            channel.send(method, params)


async def _call_all(channels: Iterable[Channel], commands: Sequence[Command]) -> None:
    """Send commands, and wait for what becomes of them; to those who refuse it is no matter."""
    calls = [
        channel.call(method, params, timeout=WORKER_SECONDS)
        for channel in channels
        for method, params in commands
    ]
    await asyncio.gather(*calls, return_exceptions=True)


def _locale_error(error: ProtocolFault, wanted: EmulationSettings) -> TabmuxError:
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


def _request_commands(wanted: EmulationSettings) -> Iterator[Command]:
    """Return what workers know of, too."""
    line = NETWORK_CONDITIONS.get(wanted.network or "")
    rule = {"urlPattern": "", "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    if line is not None:
        speed = {"downloadThroughput": line.down, "uploadThroughput": line.up}
        rule = {**rule, **speed, "latency": line.latency, "offline": line.offline}
    yield (
        "Network.emulateNetworkConditionsByRule",
        {"matchedNetworkConditions": [rule] if line is not None else []},
    )
    yield "Network.setExtraHTTPHeaders", {"headers": dict(wanted.headers)}
    yield "Emulation.setUserAgentOverride", user_agent_override(wanted.user_agent, wanted.locale)


def _frame_commands(wanted: EmulationSettings) -> Iterator[Command]:
    """Return what holds in every frame."""
    yield from _request_commands(wanted)
    yield (
        "Network.overrideNetworkState",
        _network_state_params(NETWORK_CONDITIONS.get(wanted.network or "")),
    )
    yield "Emulation.setCPUThrottlingRate", {"rate": wanted.cpu}
    features = [{"name": name, "value": value} for name, value in wanted.media.items()]
    yield "Emulation.setEmulatedMedia", {"features": features}
    touch = wanted.viewport is not None and wanted.viewport.touch
    yield "Emulation.setTouchEmulationEnabled", {"enabled": touch}


def _network_state_params(line: NetworkConditions | None) -> Params:
    """Return what navigator.onLine and navigator.connection say, in workers too."""
    line = line or NetworkConditions(-1, -1, 0)
    speed = {"downloadThroughput": line.down, "uploadThroughput": line.up}
    return {**speed, "latency": line.latency, "offline": line.offline}


def _process_commands(wanted: EmulationSettings) -> list[Command]:
    """Return what holds for a whole process."""
    commands: list[Command] = [
        ("Emulation.setLocaleOverride", {"locale": wanted.locale} if wanted.locale else {}),
        ("Emulation.setTimezoneOverride", {"timezoneId": ""}),
    ]
    if wanted.timezone:
        # After another one Chromium 156 takes any nonsense; after none it does not.
        commands.append(("Emulation.setTimezoneOverride", {"timezoneId": wanted.timezone}))
    return commands


def _geolocation_command(location: tuple[float, float] | None) -> Command:
    if location is None:
        return "Emulation.clearGeolocationOverride", {}
    latitude, longitude = location
    place = {"latitude": latitude, "longitude": longitude, "accuracy": 1}
    return "Emulation.setGeolocationOverride", place


def _metrics_params(viewport: Viewport) -> Params:
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


def _device_kind(viewport: Viewport | None) -> tuple[bool, bool]:
    return (False, False) if viewport is None else (viewport.mobile, viewport.touch)


def _viewport_words(viewport: Viewport) -> str:
    words = [f"{viewport.width}x{viewport.height}x{viewport.scale:g}"]
    words += [name for name in ("mobile", "touch", "landscape") if getattr(viewport, name)]
    return ",".join(words)
