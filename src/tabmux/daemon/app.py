"""App: the composition root, from settings to a server that sessions can be opened in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tabmux import folders
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
from tabmux.daemon.call_spans import exported_spans
from tabmux.daemon.client_settings import ClientSettings
from tabmux.daemon.fleet import grid_pool, grid_spec, placed_grid_spec
from tabmux.daemon.garbage import GarbageCollector
from tabmux.daemon.human_alerts import HumanAlerts
from tabmux.daemon.policy_settings import session_policies
from tabmux.daemon.session_resources import SessionResources
from tabmux.daemon.toolsets import Toolsets
from tabmux.folders import sessions_folder
from tabmux.observability import CallMetrics
from tabmux.page.handle import PageHandle
from tabmux.pagetools.catalogs import Destructive, PageCatalogs
from tabmux.policy.policy import Policy
from tabmux.policy.session_policies import SessionPolicies
from tabmux.record.pruning import Limits
from tabmux.record.record import Record
from tabmux.record.run_writer import RunWriter
from tabmux.secrets.secret import Secrets
from tabmux.sessions import handover
from tabmux.sessions.human_requests import HumanRequest, HumanRequests
from tabmux.sessions.peers import NoPeers, Peers
from tabmux.sessions.pointing import picked_element
from tabmux.sessions.session import Session
from tabmux.sessions.session_table import Sessions
from tabmux.settings import Settings
from tabmux.temporary_folder import remove_abandoned
from tabmux.timings import Timings
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.pipeline.call import Services
from tabmux.tools.pipeline.pipeline import Pipeline
from tabmux.tools.pipeline.toolset import Toolset

if TYPE_CHECKING:
    from tabmux.browsers.grid.grid import Grid
    from tabmux.cluster.cluster import Cluster
    from tabmux.daemon.ui.live_view import LiveView
    from tabmux.daemon.ui.ui_server import UiServer
    from tabmux.sessions.durable_sessions import DurableSessions
    from tabmux.sessions.session_rows import SessionRow


@asynccontextmanager
async def running(
    settings: Settings,
    *,
    bridged: bool = True,
    timings: Timings | None = None,
    record_folder: Path | None = None,
    durable: str = "",
    cluster: Cluster | None = None,
) -> AsyncIterator[App]:
    """Put the parts together; everything is taken down when the block ends.

    Args:
        settings: What the user wants.
        bridged: Let browser extensions connect, where the settings want it.
        timings: How long to wait for browsers and pages.
        record_folder: Where calls are written down; the user's own folder when absent.
        durable: The name under which sessions are kept for the next server; empty for not at all.
        cluster: The daemons that share sessions with this one, instead of the next server.
    """
    timings = _timings(settings, timings)
    policies = session_policies(settings)
    async with (
        _run_writer(settings, record_folder) as writer,
        AnalysisProcess() as analysis,
        _grid(settings, timings, cluster) as grid,
        _browsers(policies, timings, cluster) as browsers,
        _kept_sessions(settings, durable, cluster) as kept,
        TaskOwner() as background,
        TaskOwner() as tasks,
    ):
        for spec in browser_specs(settings):
            browsers.register(spec)
        background.start_quietly(asyncio.to_thread(remove_abandoned))
        services = _services(settings, policies.common, analysis, background)
        app = App(settings, policies, browsers, services, background, writer, grid, cluster)
        app.keep_sessions(kept)
        browsers.connect_all_in_background()
        extensions = app.extensions
        for work in app.lasting_work():
            tasks.start(work)
        extension_browsers = ExtensionBrowsers(browsers, extensions.claim, app.point)
        local = LocalBridge(settings, extension_browsers, extensions.forward, extensions.name_of)
        async with exported_spans(settings.otel, app.record), local as bridge:
            app.use_bridge(bridge)
            if bridged:
                await bridge.listen_if_wanted()
            try:
                yield app
            finally:
                await app.stop()


def _services(
    settings: Settings, policy: Policy, analysis: AnalysisProcess, background: TaskOwner
) -> Services:
    catalogs, people = _page_catalogs(settings, policy), _human_requests(settings, background)
    return Services(analysis, catalogs, people, Secrets.of(settings.secret))


def _timings(settings: Settings, timings: Timings | None) -> Timings:
    given = timings or Timings()
    return replace(given, cool_down=settings.cool_down, heartbeat=settings.heartbeat)


def _run_writer(settings: Settings, folder: Path | None) -> RunWriter:
    limits = Limits(settings.record_days, settings.record_megabytes)
    return RunWriter(folder or Path(folders.record_folder()), limits)


def _grid(
    settings: Settings, timings: Timings, cluster: Cluster | None
) -> AbstractAsyncContextManager[Grid | None]:
    if cluster is None:
        return grid_pool(settings, timings)
    return grid_pool(settings, timings, cluster.membership.daemon, cluster.membership.refusal)


def _browsers(policies: SessionPolicies, timings: Timings, cluster: Cluster | None) -> Browsers:
    return Browsers(
        timings,
        policies.browser_urls,
        has_session_urls=policies.has_session_urls,
        page_numbers=cluster.page_numbers if cluster is not None else None,
        fence=cluster.membership.refusal if cluster is not None else None,
    )


@asynccontextmanager
async def _kept_sessions(
    settings: Settings, name: str, cluster: Cluster | None
) -> AsyncIterator[DurableSessions | None]:
    """Keep sessions for the next server or for other daemons, where that is wanted."""
    if not name and cluster is None:
        yield None
        return
    from tabmux.sessions.durable_sessions import DurableSessions

    if cluster is not None:
        kept: DurableSessions | None = cluster.durable_sessions(settings)
    else:
        kept = DurableSessions.on_disk(Path(sessions_folder()), name, settings)
    if kept is None:
        yield None
        return
    try:
        yield kept
    finally:
        kept.close()


def _page_catalogs(settings: Settings, policy: Policy) -> PageCatalogs:
    destructive = cast(Destructive, settings.destructive)
    return PageCatalogs(destructive, policy.files, read_only=policy.read_only)


def _human_requests(settings: Settings, background: TaskOwner) -> HumanRequests:
    requests = HumanRequests(background)
    if settings.human_command or settings.human_webhook:
        alerts = HumanAlerts(settings.human_command, settings.human_webhook, background)
        requests.on_made(alerts.send)
    return requests


class App:
    """The server without its wires: browsers, sessions, tools."""

    def __init__(
        self,
        settings: Settings,
        policies: SessionPolicies,
        browsers: Browsers,
        services: Services,
        background: TaskOwner,
        writer: RunWriter | None = None,
        grid: Grid | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        self.grid, self.cluster = grid, cluster
        self._peers: Peers = cluster or NoPeers()
        self.settings, self.browsers = settings, browsers
        self.services, self.background = services, background
        self.metrics = CallMetrics()
        self.record, self.run_writer = Record(writer), writer
        self.bridge: LocalBridge | None = None
        # What is kept for the next server, where anything is.
        self.kept: DurableSessions | None = None
        self.extensions = SessionExtensions(lambda name: self.sessions.named(name), remote_bridge())
        pipeline = Pipeline(services, self.metrics, self.record)
        self.usual_view = BrowserView(browsers)
        self.toolsets = Toolsets(
            settings, policies.common, self.usual_view, pipeline, background, self.extensions.open
        )
        self.sessions = Sessions(browsers, settings, self._make_tools, policies, self._peers)
        self._sees_several = self.usual_view.has_multiple
        self._tools_changed = Listeners[[]]()
        browsers.on_changed(self._browsers_changed)
        services.people.on_made(self._show_request)
        services.people.on_ended(self._show_request)

    def keep_sessions(self, kept: DurableSessions | None) -> None:
        """Go on with the sessions of the server before, and keep them for the next one."""
        self.kept = kept
        if kept is None:
            return
        if self.grid is not None:
            kept.readers["GridSpec"] = partial(placed_grid_spec, self.grid)
        kept.keep(self.sessions, self.browsers)

    def take_up(self, row: SessionRow) -> None:
        """Go on with a session of a daemon that has ended."""
        if self.kept is not None:
            self.kept.take_up(self.sessions, self.browsers, row)

    def record_again(self) -> None:
        """Write every session down anew, since it is not where it was written."""
        if self.kept is not None:
            self.kept.recorder.record_again(self.sessions.all())

    def inherit_browsers(self, daemon: str) -> None:
        """Look after the browsers of a daemon that has ended."""
        if self.grid is not None:
            self.grid.inherit(daemon)

    async def stop(self) -> None:
        """End every session, or leave it to the next server, with its part of a grid."""
        if self.grid is not None and self.kept is not None and self.kept.leaves_sessions:
            self.grid.keep = True
        await self.sessions.stop()

    def lasting_work(self) -> Iterator[Coroutine[Any, Any, None]]:
        """Yield what goes on beside the calls, for ever."""
        yield self.sessions.expire()
        yield self.collect_garbage()
        yield self.extensions.watch_remote()
        if self.cluster is not None:
            yield self.cluster.take_part(self.take_up, self.record_again, self.inherit_browsers)

    async def collect_garbage(self) -> None:
        """Free what closed pages leave, for ever."""
        collector = GarbageCollector(lambda: not self.metrics.running)
        self.browsers.on_closed(self.services.page_catalogs.forget)
        self.browsers.on_closed(lambda _: collector.note_closed())
        await collector.run()

    @cached_property
    def live_view(self) -> LiveView:
        """The live view, made when somebody first wants to look."""
        from tabmux.daemon.ui.live_view import LiveView

        return LiveView(self)

    @cached_property
    def ui_server(self) -> UiServer:
        """What serves the live view where nothing else is served over HTTP."""
        from tabmux.daemon.ui.ui_server import UiServer

        return UiServer(self, self.live_view)

    @property
    def viewers(self) -> int:
        """How many people look at the live view."""
        return len(self.live_view) if "live_view" in self.__dict__ else 0

    @property
    def keeps_connections(self) -> bool:
        """Whether sessions and connections go on in the next server."""
        return self.kept is not None

    @property
    def signing_key(self) -> bytes:
        """What signs the state that stateless clients carry from round to round."""
        return self._peers.signing_key

    def new_id(self) -> str:
        """Return an unguessable id, of a connection or a task."""
        return self._peers.new_id()

    async def written(self) -> None:
        """Wait until all that was written down is there for the next server."""
        if self.kept is not None:
            await self.kept.store.written()

    def connection(self, ident: str) -> bytes | None:
        """Return what was written down of a connection."""
        return self.kept.store.connection(ident) if self.kept is not None else None

    def keep_connection(self, ident: str, row: bytes) -> None:
        """Write a connection down."""
        if self.kept is not None:
            self.kept.store.save_connection(ident, row)
            # By its id, which is a name of its session, it is forgotten with the session.
            if session := self.sessions.named(ident):
                session.record()

    def drop_connection(self, ident: str) -> None:
        """Forget a connection, unless it ends only because the server does."""
        if self.kept is not None and not self.kept.recorder.is_frozen:
            self.kept.store.remove_connection(ident)

    def answered(self, key: str) -> None:
        """Note that a client has the answer of a request."""
        if self.kept is not None:
            self.kept.journal.answered(key)

    def unanswered(self, prefix: str) -> list[str]:
        """Return the keys of actions, with this beginning, that the server before had begun."""
        return self.kept.journal.unanswered(prefix) if self.kept is not None else []

    @property
    def instructions(self) -> str:
        """How the tools of a client without a session are meant to be used."""
        return self.toolsets.instructions

    def open(
        self, label: str = "", client: ClientSettings | None = None, token: str = ""
    ) -> Session:
        """Start a session, as its client wants it.

        Args:
            label: What the user calls it.
            client: What its client wants.
            token: What the client showed to be let in; sessions of two share nothing on a grid.
        """
        browsers = client.browsers if client is not None else ()
        if self.grid is not None and not browsers:
            browsers = (*browser_specs(self.settings), grid_spec(self.grid, token))
        return self.sessions.open(label, client.settings if client is not None else None, browsers)

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
        self.toolsets.add_tab_source(
            lambda session: ExtensionTabs(bridge, owners, policy=lambda: session.policy)
        )
        bridge.on_changed(self.extensions.look_again)

    def _make_tools(self, session: Session, settings: Settings) -> Toolset:
        session.resources = SessionResources(session, self.background)
        return self.toolsets.make(session, settings)

    def point(self, page: PageHandle, sentence: str) -> None:
        """Let the user pick an element in a tab, for the session that uses it."""
        if session := self.sessions.owner_of(page):
            self.background.start_quietly(self._point(session, page, sentence))

    async def _point(self, session: Session, handle: PageHandle, sentence: str) -> None:
        found = await picked_element(session, await handle.attach())
        session.steering.tell(found.note(handle.id, sentence))
        people = self.services.people
        if request := people.of_page(session, handle.id):
            await handover.answer(request, people, done=True)

    def _show_request(self, request: HumanRequest) -> None:
        """Mark the tab for which a person is asked, where it is in the user's own browser."""
        page = self.browsers.find_page(request.page.id) if request.page is not None else None
        browser = self.browsers.browser_of(page) if page is not None else None
        if page is not None and browser is not None:
            browser.show_request(page, "" if request.outcome else request.reason)

    def _browsers_changed(self) -> None:
        """Every tool has one argument more for those who see several browsers."""
        for session in self.sessions.all():
            session.look_at_browsers()
        if self._sees_several != self.usual_view.has_multiple:
            self._sees_several = self.usual_view.has_multiple
            self._tools_changed()
