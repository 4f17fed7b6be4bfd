"""Toolset factory: makes the full, focus or slim tools of each session."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from tabmux.browsers.browser_view import BrowserView
from tabmux.concurrency import TaskOwner
from tabmux.content import ToolSpec
from tabmux.daemon.browser_specs import launch_spec
from tabmux.daemon.introduction import INSTRUCTIONS, toolset_name
from tabmux.focus.tab_source import TabSource
from tabmux.policy.policy import Policy
from tabmux.sessions.session import Session
from tabmux.settings import Settings
from tabmux.tools.pipeline import catalog
from tabmux.tools.pipeline.pipeline import Pipeline
from tabmux.tools.pipeline.toolset import Functions, ToolProvider, Toolset

# What makes sense on a page where nothing has happened yet.
_STARTING = frozenset({"navigate_page", "navigate"})

MakeProvider = Callable[[Session], ToolProvider]


class Toolsets:
    """Makes the tools of each session.

    Args:
        settings: How sessions are, unless their clients want something else.
        policy: What agents may do whom the policy file does not name.
        browsers: The browsers of sessions whose clients named none.
        pipeline: What runs the tools.
        background: Where work is done that nobody waits for.
        extension_tools: Makes the tools of a session's own extension.
    """

    def __init__(
        self,
        settings: Settings,
        policy: Policy,
        browsers: BrowserView,
        pipeline: Pipeline,
        background: TaskOwner,
        extension_tools: MakeProvider,
    ) -> None:
        self._settings, self._policy, self._browsers = settings, policy, browsers
        self._pipeline, self._background = pipeline, background
        self._extension_tools = extension_tools
        self._full = _full(settings, policy)
        self._slim = _slim(policy)
        self._tab_sources: list[Callable[[Session], TabSource]] = []

    @property
    def instructions(self) -> str:
        """How the tools are meant to be used by a client who has no session yet."""
        return INSTRUCTIONS[toolset_name(self._settings)]

    def add_tab_source(self, make: Callable[[Session], TabSource]) -> None:
        """Let sessions of the focus toolset reach tabs another way, which is tried first."""
        self._tab_sources.append(make)

    def make(self, session: Session, settings: Settings) -> Toolset:
        """Make the tools of a session, as its client wants them."""
        name = toolset_name(settings)
        providers: list[ToolProvider] = []
        if name == "focus":
            providers = [self._focus(session, settings)]
        elif name == "full":
            providers = [self._extension_tools(session)]
        return Toolset(
            session,
            self._pipeline,
            partial(self._functions, settings),
            providers,
            routed=name == "full",
            instructions=INSTRUCTIONS[name],
        )

    def _functions(self, settings: Settings, policy: Policy) -> Functions:
        """Return the functions of a toolset; everyone's for those who want and may the same."""
        is_usual = settings is self._settings and policy is self._policy
        match toolset_name(settings):
            case "focus":
                return Functions(tuple, policy)
            case "slim":
                return self._slim if is_usual else _slim(policy)
            case _:
                return self._full if is_usual else _full(settings, policy)

    def specs(self) -> Sequence[ToolSpec]:
        """List the tools as a client sees them who has no session yet."""
        toolset = toolset_name(self._settings)
        if toolset == "slim":
            return self._slim.specs()
        full = self._full.specs(several=self._browsers.has_multiple)
        if toolset != "focus":
            return full
        from tabmux.focus import states

        # Such a client cannot be told of changes: it sees every state's tools at once.
        names = ("list_page_tools", "call_page_tool")
        return [*states.ALL, *(spec for spec in full if spec.name in names)]

    def needs_page(self, name: str, given: Mapping[str, Any]) -> bool:
        """Whether a call works on a page that an earlier one must have opened."""
        if name == "batch" and isinstance(steps := given.get("steps"), list) and steps:
            first = steps[0].get("tool") if isinstance(steps[0], dict) else None
            return isinstance(first, str) and self.needs_page(first, {})
        known = self._slim.tools if toolset_name(self._settings) == "slim" else self._full.tools
        tool = known.get(name)
        starts = name in _STARTING or name.startswith("list_")
        return tool is not None and tool.on_page and not starts

    def _focus(self, session: Session, settings: Settings) -> ToolProvider:
        from tabmux.focus.cdp_tabs import CdpTabs
        from tabmux.focus.focus_toolset import FocusToolset

        tabs = CdpTabs(
            session,
            session.browsers,
            self._pipeline.services.page_catalogs,
            self._background,
            launch_spec(settings),
            launches=settings.launch or bool(settings.profile),
            follows=settings.follow_tabs,
        )
        return FocusToolset(
            [*(make(session) for make in self._tab_sources), tabs],
            lambda url: session.policy.urls.check(url),
            self._background,
            follows=settings.follow_tabs,
        )


def _full(settings: Settings, policy: Policy) -> Functions:
    groups = catalog.chosen(settings.tools)
    if settings.secret and "-secrets" not in settings.tools:
        groups.append("secrets")
    return Functions(lambda: catalog.tools(groups), policy)


def _slim(policy: Policy) -> Functions:
    return Functions(lambda: catalog.tools_of(catalog.SLIM), policy)
