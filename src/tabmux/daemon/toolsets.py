"""Toolset factory: makes the full, focus or slim tools of each session."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tabmux.concurrency import TaskOwner
from tabmux.content import ToolSpec
from tabmux.daemon.browser_specs import launch_spec
from tabmux.focus.tab_source import TabSource
from tabmux.sessions.session import Session
from tabmux.settings import Settings
from tabmux.tools.pipeline import catalog
from tabmux.tools.pipeline.pipeline import Pipeline
from tabmux.tools.pipeline.toolset import Functions, ToolProvider, Toolset

MakeProvider = Callable[[Session], ToolProvider]


class Toolsets:
    """Makes the tools of each session.

    Args:
        settings: What the user wants.
        pipeline: What runs the tools.
        background: Where work is done that nobody waits for.
        extension_tools: Makes the tools of a session's own extension.
    """

    def __init__(
        self,
        settings: Settings,
        pipeline: Pipeline,
        background: TaskOwner,
        extension_tools: MakeProvider,
    ) -> None:
        self.default = chosen(settings.toolset, slim=settings.slim)
        self._settings, self._pipeline, self._background = settings, pipeline, background
        self._extension_tools = extension_tools
        policy = pipeline.services.policy
        self.full = Functions(catalog.tools(catalog.chosen(settings.tools)), policy)
        self._slim = Functions(catalog.tools_of(catalog.SLIM), policy)
        self._none = Functions((), policy)
        self._tab_sources: list[Callable[[Session], TabSource]] = []

    def add_tab_source(self, make: Callable[[Session], TabSource]) -> None:
        """Let sessions of the focus toolset reach tabs another way, which is tried first."""
        self._tab_sources.append(make)

    def make(self, session: Session, name: str = "") -> Toolset:
        """Make the tools of a session."""
        match name or self.default:
            case "focus":
                focus = self._focus(session)
                return Toolset(session, self._pipeline, self._none, [focus], routed=False)
            case "slim":
                return Toolset(session, self._pipeline, self._slim, routed=False)
            case _:
                extension = self._extension_tools(session)
                return Toolset(session, self._pipeline, self.full, [extension])

    def specs(self) -> Sequence[ToolSpec]:
        """List the tools as a client sees them who has no session yet."""
        if self.default == "slim":
            return self._pipeline.specs(self._slim, routed=False)
        full = self._pipeline.specs(self.full)
        if self.default != "focus":
            return full
        from tabmux.focus import states

        # Such a client cannot be told of changes: it sees every state's tools at once.
        names = ("list_page_tools", "call_page_tool")
        return [*states.ALL, *(spec for spec in full if spec.name in names)]

    def _focus(self, session: Session) -> ToolProvider:
        from tabmux.focus.cdp_tabs import CdpTabs
        from tabmux.focus.focus_toolset import FocusToolset

        settings, services = self._settings, self._pipeline.services
        tabs = CdpTabs(
            session,
            services.browsers,
            services.page_catalogs,
            self._background,
            launch_spec(settings),
            launches=settings.launch or bool(settings.profile),
            follows=settings.follow_tabs,
        )
        return FocusToolset(
            [*(make(session) for make in self._tab_sources), tabs],
            services.policy.urls.check,
            self._background,
            follows=settings.follow_tabs,
        )


def chosen(toolset: str, *, slim: bool) -> str:
    """Return the toolset that two flags ask for."""
    return "slim" if slim else toolset
