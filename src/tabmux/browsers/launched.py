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

from tabmux.browsers import chrome_process
from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.executable import find_executable
from tabmux.browsers.profiles import refuse_if_in_use, remove_socket
from tabmux.browsers.url_filter import UrlFilter
from tabmux.cdp.channel import Channel
from tabmux.cdp.transports import PipeTransport, Transport
from tabmux.display import Display, find_display
from tabmux.temporary_folder import OF_THIS_PROCESS
from tabmux.timings import Timings

logger = logging.getLogger(__name__)

# Quiet and predictable, but still the browser its user knows: no feature of a page is disabled.
_ARGUMENTS = (
    "--remote-debugging-pipe",
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
)
_HEADLESS_ARGUMENTS = ("--headless=new", "--mute-audio", "--hide-scrollbars")


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
    arguments: Sequence[str] = ()


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

    @property
    def manages_extensions(self) -> bool:
        """Whether tabmux may install extensions and see into them."""
        return self.spec.options.extensions

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
        async with running_chrome(options, self._display) as pipe:
            yield pipe

    def longest_silence(self, timings: Timings) -> float:
        """Wait long: it is frozen, not gone, as long as its pipe is open."""
        return timings.launched_silence

    def make_url_filter(self, channel: Channel) -> UrlFilter:
        """Hold every tab to the policy."""
        return UrlFilter(channel, self.urls, self, every_tab=True)

    async def after_discovery(self, channel: Channel) -> None:
        """Keep the tab that it starts with for the first session that needs one."""
        self.spare = next(iter(self.pages.values()), None)


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


def _arguments(options: LaunchOptions, profile: Path, display: Display | None) -> list[str]:
    arguments = [*_ARGUMENTS, f"--user-data-dir={profile}"]
    if options.headless or display is None:
        arguments += _HEADLESS_ARGUMENTS
    if options.viewport is not None:
        arguments.append("--window-size={},{}".format(*options.viewport))
    if options.extensions:
        # Lets the pipe, which nobody but us can reach, install extensions from folders.
        arguments.append("--enable-unsafe-extension-debugging")
    if options.proxy is not None:
        arguments.append(f"--proxy-server={options.proxy}")
    if sys.platform == "linux" and os.geteuid() == 0:
        logger.warning("Running as root: the browser starts with --no-sandbox.")
        arguments.append("--no-sandbox")
    return [*arguments, *options.arguments, "about:blank"]
