"""Which tools a session is shown, and how they are called there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tabmux.browsers.registry import Browsers
from tabmux.content import Progress, Reply, ToolSpec
from tabmux.daemon.browser_specs import launch_spec
from tabmux.daemon.consent import consented
from tabmux.daemon.roots import client_roots
from tabmux.errors import TabmuxError
from tabmux.focus.tab_source import TabSource
from tabmux.pagetools.background import Background
from tabmux.pagetools.catalogs import PageCatalogs
from tabmux.policy import Policy
from tabmux.sessions.session import Session
from tabmux.settings import Settings
from tabmux.tools.pipeline import catalog
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.pipeline.delivery import delivered
from tabmux.tools.pipeline.pipeline import Pipeline

if TYPE_CHECKING:
    from tabmux.focus.toolset import FocusToolset


class Toolset(Protocol):
    """The tools of one session."""

    @property
    def is_open(self) -> bool:
        """Whether other tools may stand beside them, and routing arguments in them."""

    def counted(self, name: str) -> str:
        """Return the name by which calls of a tool are counted."""

    def specs(self) -> Sequence[ToolSpec]:
        """List them."""

    async def call(self, name: str, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Run one; never raises but for cancellation."""

    def on_changed(self, listener: Callable[[], None], /) -> None:
        """Call `listener` when the list is another one."""

    def close(self) -> None:
        """Let go of what they hold."""


class Toolsets:
    """Makes the tools of each session.

    Args:
        settings: What the user wants.
        browsers: The registry.
        policy: What agents may do.
        worker: Where files are analysed.
        shelf: What pages offer.
        background: Where work is done that nobody waits for.
    """

    def __init__(
        self,
        settings: Settings,
        browsers: Browsers,
        policy: Policy,
        worker: AnalysisProcess,
        shelf: PageCatalogs,
        background: Background,
    ) -> None:
        self.default = chosen(settings.toolset, slim=settings.slim)
        self._settings, self._browsers, self._policy = settings, browsers, policy
        self.shelf, self.background = shelf, background
        groups = catalog.tools(catalog.chosen(settings.tools))
        self._full = Pipeline(groups, browsers, policy, worker, shelf)
        self._slim = Pipeline(
            catalog.tools_of(catalog.SLIM), browsers, policy, worker, shelf, routed=False
        )
        self._sources: list[Callable[[Session], TabSource]] = []

    def specs(self) -> Sequence[ToolSpec]:
        """List the tools as a client sees them who has no session yet."""
        if self.default != "focus":
            return (self._slim if self.default == "slim" else self._full).specs()
        from tabmux.focus import states

        # Such a client cannot be told of changes: it sees every state's tools at once.
        names = ("list_page_tools", "call_page_tool")
        return [*states.ALL, *(spec for spec in self._full.specs() if spec.name in names)]

    def add_source(self, make: Callable[[Session], TabSource]) -> None:
        """Let sessions of the focus toolset reach tabs another way, which is tried first."""
        self._sources.append(make)

    def of(self, session: Session, name: str = "") -> Toolset:
        """Make the tools of a session."""
        wanted = name or self.default
        if wanted == "focus":
            return self._focus(session)
        toolbox = self._slim if wanted == "slim" else self._full
        return _Boxed(toolbox, session, is_open=wanted != "slim")

    def _focus(self, session: Session) -> Toolset:
        from tabmux.focus.cdp_tabs import CdpTabs
        from tabmux.focus.toolset import FocusToolset

        settings = self._settings
        direct = CdpTabs(
            session,
            self._browsers,
            self.shelf.catalogues,
            self.background,
            launch_spec(settings),
            launches=settings.launch or bool(settings.profile),
            follows=settings.follow_tabs,
        )
        toolset = FocusToolset(
            [*(make(session) for make in self._sources), direct],
            self._policy.urls.check,
            self.background,
            follows=settings.follow_tabs,
        )
        return _Focused(toolset, session, self._policy)


def chosen(toolset: str, *, slim: bool) -> str:
    """Return the toolset that two flags ask for."""
    return "slim" if slim else toolset


class _Boxed:
    """The tools of a toolbox, and the groups that the session switches on."""

    def __init__(self, toolbox: Pipeline, session: Session, *, is_open: bool) -> None:
        self._toolbox, self._session, self.is_open = toolbox, session, is_open

    def counted(self, name: str) -> str:
        return name

    def specs(self) -> Sequence[ToolSpec]:
        return self._toolbox.specs(self._session)

    async def call(self, name: str, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        if self._toolbox.names_files(self._session, name, arguments):
            self._session.roots = await client_roots()

        def call(given: Mapping[str, Any]) -> Awaitable[Reply]:
            return self._toolbox.call(self._session, name, given, progress)

        return await consented(call, name, arguments)

    def on_changed(self, listener: Callable[[], None]) -> None:
        self._session.on_enabled(listener)

    def close(self) -> None:
        """Nothing is held."""


class _Focused:
    """The tools of the focus toolset, within the same limits as any others."""

    is_open = False

    def __init__(self, toolset: FocusToolset, session: Session, policy: Policy) -> None:
        self._toolset, self._session, self._policy = toolset, session, policy

    def counted(self, name: str) -> str:
        return name if self._toolset.is_own(name) else "page tool"

    def specs(self) -> Sequence[ToolSpec]:
        return self._toolset.specs()

    async def call(self, name: str, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        return await consented(lambda given: self._call(name, given), name, arguments)

    async def _call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        try:
            with self._session.calling():
                reply = await self._toolset.call(name, arguments)
        except TabmuxError as error:
            text = f"Error [{error.code}]: {error.message} {error.hint}".rstrip()
            reply = Reply(text, code=error.code)
        return await delivered(reply, self._policy)

    def on_changed(self, listener: Callable[[], None]) -> None:
        self._toolset.on_changed(listener)

    def close(self) -> None:
        self._toolset.close()
