"""Launched browser: a Chrome that tabmux starts on a pipe, and ends with all it left behind."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from tabmux.browsers import chrome_process, kept_chrome
from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.executable import find_executable
from tabmux.browsers.profiles import refuse_if_in_use, remove_socket
from tabmux.browsers.url_filter import UrlFilter
from tabmux.cdp.channel import Channel
from tabmux.cdp.transports import PipeTransport, Transport
from tabmux.display import Display, find_display
from tabmux.errors import Misuse
from tabmux.temporary_folder import OF_THIS_PROCESS
from tabmux.timings import Timings

logger = logging.getLogger(__name__)

# Quiet and predictable, but still the browser its user knows: no feature of a page is disabled.
_NO_FEATURES = "--disable-features="
QUIET_ARGUMENTS = (
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--hide-crash-restore-bubble",
    "--password-store=basic",
    "--use-mock-keychain",
    # Else Chromium 156 lets a page do nothing after a press or a key until it has drawn, which a
    # tab in the background does not, or for 50 ms.
    f"{_NO_FEATURES}DeferRendererTasksAfterInput",
)
HEADLESS_ARGUMENTS = ("--headless=new", "--mute-audio", "--hide-scrollbars")


@dataclass(frozen=True)
class LaunchOptions:
    """How to start a browser."""

    headless: bool = False
    channel: str | None = None
    executable_path: str | None = None
    user_data_dir: Path | None = None
    viewport: tuple[int, int] | None = None
    proxy: str | None = None
    extensions: bool = False
    keep: bool = False
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class LaunchedSpec(BrowserSpec):
    """A browser to start."""

    options: LaunchOptions = field(default_factory=LaunchOptions)

    @property
    def label(self) -> str:
        """What lists and errors call it."""
        profile = self.options.user_data_dir
        where = f" on {profile.name}" if profile is not None else ""
        return f"launched{' headless' if self.options.headless else ''}{where}"

    @property
    def identity(self) -> Path | None:
        """The profile; a temporary one is like no other."""
        return self.options.user_data_dir

    def differences(self, other: BrowserSpec) -> list[str]:
        """Name the options that another spec has and this one has not."""
        if not isinstance(other, LaunchedSpec):
            return []
        default = LaunchOptions()
        return [
            f"--{each.name.replace('_', '-')}"
            for each in fields(LaunchOptions)
            if getattr(other.options, each.name)
            not in (getattr(default, each.name), getattr(self.options, each.name))
        ]


class LaunchedBrowser(Browser):
    """A browser that is started when somebody needs it."""

    spec: LaunchedSpec
    is_owned = True
    starts_on_demand = True
    manages_web_apps = True
    # Where its window is, once it has been started with one.
    _display: Display | None = None
    # Whether the server ends, and one that is to be kept goes on without it.
    _is_left = False

    @property
    def ends_with_server(self) -> bool:  # type: ignore[override]  # of most kinds it is a constant
        """Whether it ends when tabmux does: it does unless it is to be kept."""
        return not self.spec.options.keep

    @property
    def manages_extensions(self) -> bool:
        """Whether tabmux may install extensions and see into them, which needs a pipe."""
        return self.spec.options.extensions and not self.spec.options.keep

    @property
    def executable_path(self) -> str | None:
        """The program, if the user named it."""
        return self.spec.options.executable_path

    @property
    def has_download_folder(self) -> bool:
        """Without a window nobody else uses it."""
        return self.spec.options.headless or self._display is None

    def join(self, spec: BrowserSpec) -> None:
        """Let somebody else use it; while nobody has started it, the newest wishes count."""
        super().join(spec)
        if isinstance(spec, LaunchedSpec) and self.state is BrowserState.PENDING:
            options = spec.options if self.spec.stand_in or not spec.stand_in else self.spec.options
            self.spec = replace(self.spec, options=options)

    @asynccontextmanager
    async def open_transport(
        self, stop: asyncio.Event, *, run_start_command: bool
    ) -> AsyncIterator[Transport]:
        """Start the browser; it ends with the block."""
        options = self.spec.options
        resolver_rules = self.urls.launch_arguments(has_proxy=options.proxy is not None)
        options = replace(options, arguments=(*resolver_rules, *options.arguments))
        self._display = None if options.headless else await asyncio.to_thread(find_display)
        running = kept_running_chrome if options.keep else running_chrome
        async with running(options, self._display) as transport:
            yield transport
        if options.keep and options.user_data_dir and stop.is_set() and not self._is_left:
            await kept_chrome.end(options.user_data_dir)

    def leave(self) -> None:
        """Let go of it because the server ends; one that is to be kept goes on."""
        self._is_left = True
        super().leave()

    def longest_silence(self, timings: Timings) -> float:
        """Wait long: it is frozen, not gone, as long as its pipe is open."""
        return timings.heartbeat_deadline if self.spec.options.keep else timings.launched_silence

    def make_url_filter(self, channel: Channel) -> UrlFilter:
        """Hold every tab to the policy."""
        return UrlFilter(channel, self.urls, self, every_tab=True)

    async def after_discovery(self, channel: Channel) -> None:
        """Keep the tab that it starts with for the first session that needs one."""
        blank = (p for p in self.pages.values() if p.url == "about:blank" and not p.owner)
        self.spare = next(blank if self.spec.options.keep else iter(self.pages.values()), None)


@asynccontextmanager
async def running_chrome(
    options: LaunchOptions, display: Display | None = None
) -> AsyncIterator[PipeTransport]:
    """Start a browser, without a window where there is no display for it.

    It and its temporary profile are gone when the block ends.
    """
    program = find_executable(options.channel, options.executable_path)
    if options.user_data_dir is not None:
        refuse_if_in_use(options.user_data_dir)
    profile = options.user_data_dir
    if profile is None:
        profile = await asyncio.to_thread(OF_THIS_PROCESS.make, "profile")
    try:
        arguments = _arguments(options, profile, display)
        environment = display.environment if display is not None else {}
        async with chrome_process.started(program, arguments, environment) as transport:
            yield transport
    finally:
        await asyncio.to_thread(remove_socket, profile)
        if options.user_data_dir is None:
            await asyncio.to_thread(shutil.rmtree, profile, ignore_errors=True)


@asynccontextmanager
async def kept_running_chrome(
    options: LaunchOptions, display: Display | None = None
) -> AsyncIterator[Transport]:
    """Find the browser of a profile, or start it; it goes on when the block ends."""
    profile = options.user_data_dir
    if profile is None:
        raise Misuse("A browser that is kept needs a profile.", hint="Leave --isolated out.")
    program = find_executable(options.channel, options.executable_path)
    environment = display.environment if display is not None else {}
    arguments = _arguments(options, profile, display)
    transport = await kept_chrome.reach(program, arguments, profile, environment)
    try:
        yield transport
    finally:
        transport.close()


def _arguments(options: LaunchOptions, profile: Path, display: Display | None) -> list[str]:
    # One that outlives us cannot hang on our pipe: it has a port of its own choice on loopback.
    way = "--remote-debugging-port=0" if options.keep else "--remote-debugging-pipe"
    arguments = [way, *QUIET_ARGUMENTS, f"--user-data-dir={profile}"]
    if options.headless or display is None:
        arguments += HEADLESS_ARGUMENTS
    if options.viewport is not None:
        arguments.append("--window-size={},{}".format(*options.viewport))
    if options.extensions and not options.keep:
        # Lets the pipe, which nobody but us can reach, install extensions from folders.
        arguments.append("--enable-unsafe-extension-debugging")
    if options.proxy is not None:
        arguments.append(f"--proxy-server={options.proxy}")
    if sys.platform == "linux" and os.geteuid() == 0:
        logger.warning("Running as root: the browser starts with --no-sandbox.")
        arguments.append("--no-sandbox")
    return [*with_features_joined([*arguments, *options.arguments]), "about:blank"]


def with_features_joined(arguments: Sequence[str]) -> list[str]:
    """Name in one argument all that is to be switched off: of several Chrome heeds the last."""
    named = [each.removeprefix(_NO_FEATURES) for each in arguments if each.startswith(_NO_FEATURES)]
    rest = [each for each in arguments if not each.startswith(_NO_FEATURES)]
    return [*rest, _NO_FEATURES + ",".join(filter(None, named))] if named else rest
