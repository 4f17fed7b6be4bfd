"""App: the composition root, from settings to a server that sessions can be opened in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, cast

from tabmux.browsers.browser_view import BrowserView
from tabmux.browsers.registry import Browsers
from tabmux.concurrency import Listeners, TaskOwner
from tabmux.content import ToolSpec
from tabmux.daemon.bridge.extension_browsers import ExtensionBrowsers
from tabmux.daemon.bridge.extension_tabs import ExtensionTabs
from tabmux.daemon.bridge.local_bridge import LocalBridge
from tabmux.daemon.bridge.session_extension_tools import SessionExtensions, remote_bridge
from tabmux.daemon.bridge.tab_owners import TabOwners
from tabmux.daemon.browser_specs import browser_specs
from tabmux.daemon.client_settings import ClientSettings
from tabmux.daemon.garbage import GarbageCollector
from tabmux.daemon.policy_settings import session_policies
from tabmux.daemon.session_resources import SessionResources
from tabmux.daemon.toolsets import Toolsets
from tabmux.observability import CallMetrics
from tabmux.pagetools.catalogs import Destructive, PageCatalogs
from tabmux.policy.policy import Policy
from tabmux.policy.session_policies import SessionPolicies
from tabmux.secrets.secret import Secrets
from tabmux.sessions.session import Session
from tabmux.sessions.session_table import Sessions
from tabmux.settings import Settings
from tabmux.temporary_folder import remove_abandoned
from tabmux.timings import Timings
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.pipeline.call import Services
from tabmux.tools.pipeline.pipeline import Pipeline
from tabmux.tools.pipeline.toolset import Toolset


@asynccontextmanager
async def running(
    settings: Settings,
    *,
    bridged: bool = True,
    timings: Timings | None = None,
) -> AsyncIterator[App]:
    """Put the parts together; everything is taken down when the block ends.

    Args:
        settings: What the user wants.
        bridged: Let browser extensions connect, where the settings want it.
        timings: How long to wait for browsers and pages.
    """
    timings = replace(
        timings or Timings(), cool_down=settings.cool_down, heartbeat=settings.heartbeat
    )
    policies = session_policies(settings)
    async with (
        AnalysisProcess() as analysis,
        Browsers(
            timings, policies.browser_urls, has_session_urls=policies.has_session_urls
        ) as browsers,
        TaskOwner() as background,
        TaskOwner() as tasks,
    ):
        for spec in browser_specs(settings):
            browsers.register(spec)
        browsers.connect_all_in_background()
        background.start_quietly(asyncio.to_thread(remove_abandoned))
        secrets = Secrets.of(settings.secret)
        services = Services(analysis, _page_catalogs(settings, policies.common), secrets)
        app = App(settings, policies, browsers, services, background)
        extensions = app.extensions
        tasks.start(app.sessions.expire())
        tasks.start(app.collect_garbage())
        tasks.start(extensions.watch_remote())
        extension_browsers = ExtensionBrowsers(browsers, extensions.claim)
        async with LocalBridge(
            settings, extension_browsers, extensions.forward, extensions.name_of
        ) as bridge:
            app.use_bridge(bridge)
            if bridged:
                await bridge.listen_if_wanted()
            try:
                yield app
            finally:
                await app.sessions.stop()


def _page_catalogs(settings: Settings, policy: Policy) -> PageCatalogs:
    destructive = cast(Destructive, settings.destructive)
    return PageCatalogs(destructive, policy.files, read_only=policy.read_only)


class App:
    """The server without its wires: browsers, sessions, tools."""

    def __init__(
        self,
        settings: Settings,
        policies: SessionPolicies,
        browsers: Browsers,
        services: Services,
        background: TaskOwner,
    ) -> None:
        self.settings, self.browsers = settings, browsers
        self.services, self.background = services, background
        self.metrics = CallMetrics()
        self.bridge: LocalBridge | None = None
        self.extensions = SessionExtensions(lambda name: self.sessions.named(name), remote_bridge())
        pipeline = Pipeline(services, self.metrics)
        self.usual_view = BrowserView(browsers)
        self.toolsets = Toolsets(
            settings, policies.common, self.usual_view, pipeline, background, self.extensions.open
        )
        self.sessions = Sessions(browsers, settings, self._make_tools, policies)
        self._sees_several = self.usual_view.has_multiple
        self._tools_changed = Listeners[[]]()
        browsers.on_changed(self._browsers_changed)

    async def collect_garbage(self) -> None:
        """Free what closed pages leave, for ever."""
        collector = GarbageCollector(lambda: not self.metrics.running)
        self.browsers.on_closed(self.services.page_catalogs.forget)
        self.browsers.on_closed(lambda _: collector.note_closed())
        await collector.run()

    @property
    def instructions(self) -> str:
        """How the tools of a client without a session are meant to be used."""
        return self.toolsets.instructions

    def open(self, label: str = "", client: ClientSettings | None = None) -> Session:
        """Start a session, as its client wants it."""
        if client is None:
            return self.sessions.open(label)
        return self.sessions.open(label, client.settings, client.browsers)

    def find(self, handle: str) -> Session | None:
        """Return the open session with this handle."""
        return self.sessions.find(handle)

    def labelled(self, label: str) -> Session | None:
        """Return the open session that its client or the user calls so."""
        return next((s for s in self.sessions.all() if label and s.label == label), None)

    def needs_session(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Whether a call means nothing in a session where nothing has happened yet."""
        return self.toolsets.needs_page(tool, arguments)

    def tools(self) -> Sequence[ToolSpec]:
        """List the tools as a client sees them who has no session yet."""
        return self.toolsets.specs()

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever that list changes; returns how to stop."""
        return self._tools_changed.add(listener)

    def use_bridge(self, bridge: LocalBridge) -> None:
        """Let sessions use the extensions of a bridge."""
        self.bridge = self.extensions.bridge = bridge
        owners = TabOwners()
        self.toolsets.add_tab_source(lambda session: ExtensionTabs(bridge, owners))
        bridge.on_changed(self.extensions.look_again)

    def _make_tools(self, session: Session, settings: Settings) -> Toolset:
        session.resources = SessionResources(session, self.background)
        return self.toolsets.make(session, settings)

    def _browsers_changed(self) -> None:
        """Every tool has one argument more for those who see several browsers."""
        for session in self.sessions.all():
            session.look_at_browsers()
        if self._sees_several != self.usual_view.has_multiple:
            self._sees_several = self.usual_view.has_multiple
            self._tools_changed()
