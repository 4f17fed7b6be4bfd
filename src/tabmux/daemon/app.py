"""App: the composition root, from settings to a server that sessions can be opened in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Literal, cast

from tabmux.browsers.registry import Browsers
from tabmux.concurrency import Listeners, TaskOwner
from tabmux.content import ToolSpec
from tabmux.daemon.bridge.extension_browsers import ExtensionBrowsers
from tabmux.daemon.bridge.extension_tabs import ExtensionTabs
from tabmux.daemon.bridge.local_bridge import LocalBridge
from tabmux.daemon.bridge.session_extension_tools import SessionExtensions, remote_bridge
from tabmux.daemon.browser_specs import browser_specs
from tabmux.daemon.toolsets import Toolsets
from tabmux.observability import CallMetrics
from tabmux.pagetools.catalogs import Destructive, PageCatalogs
from tabmux.policy.policy import Policy
from tabmux.sessions.session import Session
from tabmux.sessions.session_table import Sessions
from tabmux.settings import Settings
from tabmux.timings import Timings
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.pipeline.call import Services
from tabmux.tools.pipeline.pipeline import Pipeline


@asynccontextmanager
async def running(
    settings: Settings,
    *,
    lazy: bool = False,
    bridged: bool = True,
    timings: Timings | None = None,
) -> AsyncIterator[App]:
    """Put the parts together; everything is taken down when the block ends.

    Args:
        settings: What the user wants.
        lazy: Wait for a client to say which browsers it wants, rather than have one at hand.
        bridged: Let browser extensions connect, where the settings want it.
        timings: How long to wait for browsers and pages.
    """
    timings = replace(
        timings or Timings(), cool_down=settings.cool_down, heartbeat=settings.heartbeat
    )
    policy = Policy.of(settings)
    async with (
        AnalysisProcess() as analysis,
        Browsers(timings, policy.urls) as browsers,
        TaskOwner() as background,
        TaskOwner() as tasks,
    ):
        for spec in [] if lazy else browser_specs(settings):
            browsers.register(spec)
        browsers.connect_all_in_background()
        services = Services(browsers, policy, analysis, _page_catalogs(settings, policy))
        app = App(settings, services, background)
        tasks.start(app.sessions.expire(settings.session_idle))
        extension_browsers = ExtensionBrowsers(browsers)
        async with LocalBridge(settings, extension_browsers, app.extensions.forward) as bridge:
            app.use_bridge(bridge)
            if bridged:
                await bridge.listen_if_wanted()
            try:
                yield app
            finally:
                await app.sessions.close_all()


def _page_catalogs(settings: Settings, policy: Policy) -> PageCatalogs:
    destructive = cast(Destructive, settings.destructive)
    return PageCatalogs(destructive, settings.secret, policy.files, read_only=policy.read_only)


class App:
    """The server without its wires: browsers, sessions, tools."""

    def __init__(self, settings: Settings, services: Services, background: TaskOwner) -> None:
        self.services, self.browsers, self.background = services, services.browsers, background
        self.metrics = CallMetrics()
        self.bridge: LocalBridge | None = None
        self.extensions = SessionExtensions(
            lambda name: self.sessions.named(name), services.policy, remote_bridge()
        )
        pipeline = Pipeline(services, self.metrics)
        self.toolsets = Toolsets(settings, pipeline, background, self.extensions.open)
        uid_style = cast(Literal["short", "long"], settings.uid_style)
        self.sessions = Sessions(services.browsers, self.toolsets.make, uid_style)
        self._several = services.browsers.has_multiple
        self._tools_changed = Listeners[[]]()
        services.browsers.on_changed(self._browsers_changed)

    def open(self, label: str = "", toolset: str = "") -> Session:
        """Start a session, with another toolset than the usual one if it is named."""
        return self.sessions.open(label, toolset)

    def find(self, handle: str) -> Session | None:
        """Return the open session with this handle."""
        return self.sessions.find(handle)

    def tools(self) -> Sequence[ToolSpec]:
        """List the tools as a client sees them who has no session yet."""
        return self.toolsets.specs()

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever that list changes; returns how to stop."""
        return self._tools_changed.add(listener)

    def use_bridge(self, bridge: LocalBridge) -> None:
        """Let sessions use the extensions of a bridge."""
        self.bridge = self.extensions.bridge = bridge
        self.toolsets.add_tab_source(lambda session: ExtensionTabs(bridge))
        bridge.on_changed(self.extensions.look_again)

    def _browsers_changed(self) -> None:
        """Every tool has one argument more while there are several browsers."""
        if self._several != self.browsers.has_multiple:
            self._several = self.browsers.has_multiple
            for session in self.sessions.all():
                session.browsers_changed()
            self._tools_changed()
