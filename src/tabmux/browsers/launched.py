"""Launched browser: a Chrome that tabmux starts, and ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.chrome_process import LaunchOptions, chrome_process
from tabmux.browsers.url_filter import UrlFilter
from tabmux.cdp.channel import Channel
from tabmux.cdp.transports import Transport


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


class LaunchedBrowser(Browser):
    """A browser that is started when somebody needs it."""

    spec: LaunchedSpec
    is_owned = True
    starts_on_demand = True
    manages_web_apps = True

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
        return self.spec.options.headless

    @asynccontextmanager
    async def open_transport(
        self, stop: asyncio.Event, *, run_start_command: bool
    ) -> AsyncIterator[Transport]:
        """Start the browser; it ends with the block."""
        options = self.spec.options
        resolver_rules = self.urls.launch_arguments(has_proxy=options.proxy is not None)
        options = replace(options, arguments=(*resolver_rules, *options.arguments))
        async with chrome_process(options) as pipe:
            yield pipe

    def make_url_filter(self, channel: Channel) -> UrlFilter:
        """Hold every tab to the policy."""
        return UrlFilter(channel, self.urls, every_tab=True)

    async def after_discovery(self, channel: Channel) -> None:
        """Keep the tab that it starts with for the first session that needs one."""
        self.spare = next(iter(self.pages.values()), None)
