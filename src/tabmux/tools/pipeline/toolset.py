"""Toolsets: the tools of one session, and how one is found by its name."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from tabmux.concurrency import Listeners
from tabmux.content import CallingClient, Reply, ToolSpec
from tabmux.errors import Refused, UnknownTool
from tabmux.json_text import json_object
from tabmux.policy.policy import Policy
from tabmux.secrets.filled_values import FILLED
from tabmux.sessions.session import Session
from tabmux.tools.pipeline import access, arguments, catalog
from tabmux.tools.pipeline.call import Call

if TYPE_CHECKING:
    from tabmux.tools.pipeline.pipeline import Pipeline
    from tabmux.tools.pipeline.tool import Tool


class ToolProvider(Protocol):
    """Tools that are no functions of tabmux's: the focus toolset's, or an extension's."""

    def specs(self) -> Sequence[ToolSpec]:
        """List them as clients see them."""

    def knows(self, name: str) -> bool:
        """Whether a call of this name is for this provider."""

    def refusal_of(self, name: str) -> Refused | None:
        """Say why a tool of these may not be called, if so."""

    def counted_name(self, name: str) -> str:
        """Return the name by which calls of a tool are counted."""

    def check(self, name: str, arguments: Mapping[str, Any]) -> None:
        """Raise why a call could not be run, as far as that is known before."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Run one; raises only errors of tabmux."""

    def on_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when the list is another one; returns how to stop."""

    def close(self) -> None:
        """Let go of what the tools hold."""


class Functions:
    """The tools of tabmux that are switched on for everyone, as far as the policy allows them.

    They are imported when the first of them is wanted: that takes longer than everything else
    that a server does before it can listen.
    """

    def __init__(self, tools: Callable[[], Iterable[Tool]], policy: Policy) -> None:
        self._all, self._policy = tools, policy
        # Groups that sessions have switched on for themselves.
        self._groups: dict[str, dict[str, Tool]] = {}

    @cached_property
    def _sorted(self) -> tuple[dict[str, Tool], dict[str, Refused]]:
        allowed: dict[str, Tool] = {}
        refused: dict[str, Refused] = {}
        for tool in self._all():
            if (refusal := access.refusal(self._policy, tool)) is not None:
                refused[tool.name] = refusal
            else:
                allowed[tool.name] = tool
        return allowed, refused

    @property
    def tools(self) -> dict[str, Tool]:
        """Those that the policy allows, by name."""
        return self._sorted[0]

    @property
    def refusals(self) -> dict[str, Refused]:
        """Why the others are refused, by name."""
        return self._sorted[1]

    def with_groups(self, groups: Iterable[str]) -> dict[str, Tool]:
        """Return everyone's tools, and those of further groups."""
        known = self.tools
        for group in groups:
            if group not in self._groups:
                allowed = (t for t in catalog.tools([group]) if not access.refusal(self._policy, t))
                self._groups[group] = {tool.name: tool for tool in allowed}
            known = known | self._groups[group]
        return known

    def specs(self, groups: Iterable[str] = (), *, several: bool = False) -> list[ToolSpec]:
        """Describe the tools; browserIndex appears only while there are several browsers."""
        return [
            arguments.listed(tool, self._policy, browser=several)
            for tool in self.with_groups(groups).values()
            if several or not tool.several
        ]

    def refusal_of(self, name: str) -> Refused | None:
        """Say why a tool may not be called, also one of a group that is off."""
        if name in self.refusals:
            return self.refusals[name]
        found = (tool for tool in catalog.tools() if tool.name == name)
        return next((access.refusal(self._policy, tool) for tool in found), None)

    def group_of(self, name: str) -> str:
        """Return the group of an allowed tool; empty for one that there is not."""
        groups = (group for group in catalog.GROUPS if name in self.with_groups([group]))
        return next(groups, "")


class Toolset:
    """The tools of one session.

    Args:
        session: Whose tools they are.
        pipeline: What runs them.
        make_functions: Makes the tools that are functions of tabmux's, by a policy.
        providers: Further tools; they are asked first.
        routed: Whether browserIndex is shown while there are several browsers.
        instructions: How they are meant to be used.
    """

    def __init__(
        self,
        session: Session,
        pipeline: Pipeline,
        make_functions: Callable[[Policy], Functions],
        providers: Sequence[ToolProvider] = (),
        *,
        routed: bool = True,
        instructions: str = "",
    ) -> None:
        self.session, self.instructions = session, instructions
        self._pipeline, self._providers, self._routed = pipeline, providers, routed
        self._make_functions = make_functions
        self._functions = make_functions(session.policy)
        self._changed = Listeners[[]]()
        for provider in providers:
            provider.on_changed(self._changed)

    def specs(self) -> list[ToolSpec]:
        """Describe the tools; browserIndex appears only while there are several browsers."""
        several = self._routed and self.session.browsers.has_multiple
        own = self._functions.specs(self.session.groups, several=several)
        others = (spec for provider in self._providers for spec in provider.specs())
        policy = self.session.policy
        shown = (spec for spec in others if not access.name_refusal(policy, spec.name))
        return [*own, *(_without_secrets(spec) for spec in shown)]

    async def call(self, name: str, given: Mapping[str, Any], client: CallingClient) -> Reply:
        """Run a tool for the session."""
        return await self._pipeline.run(Call(self.session, self, name, given, client))

    def provider_of(self, name: str) -> ToolProvider | None:
        """Return who runs a tool that is no function of tabmux's."""
        return next((each for each in self._providers if each.knows(name)), None)

    def function(self, name: str) -> Tool:
        """Return a tool that is a function of tabmux's, or say why there is none."""
        known = self._known()
        if tool := known.get(name):
            return tool
        if catalog.OLD_NAMES.get(name) in known:
            return catalog.old_tool(name)
        if refusal := self._functions.refusal_of(name) or self._refusal_of_others(name):
            raise refusal
        if group := self._functions.group_of(name):
            hint = f'Call enable_tools with groups ["{group}"] first.'
            raise UnknownTool(f"{name} is in the group {group}, which is off.", hint=hint)
        close = difflib.get_close_matches(name, known, 1)
        hint = f"Did you mean {close[0]}?" if close else "See tools/list."
        raise UnknownTool(f"There is no tool {name}.", hint=hint)

    def takes(self, name: str, argument: str) -> bool:
        """Whether a tool knows an argument."""
        tool = self._known().get(name)
        return tool is not None and argument in tool.schema["properties"]

    def names_files(self, name: str, given: Mapping[str, Any]) -> bool:
        """Whether a call names a file, itself or in one of its steps."""
        tool = self._known().get(name)
        if tool is None or not tool.file_arguments.isdisjoint(given):
            return tool is not None
        return any(self.names_files(inside, its) for inside, its in _steps(given))

    def named_secrets(self, name: str, given: Mapping[str, Any]) -> Iterator[str]:
        """Return what a call gives to tools that use a whole secret, itself or in its steps.

        Tools of pages may have an argument of that name for something else.
        """
        if isinstance(secret := given.get("secret"), str) and self.takes(name, "secret"):
            yield secret
        for inside, its in _steps(given):
            yield from self.named_secrets(inside, its)

    def counted_name(self, name: str) -> str:
        """Return the name by which calls of a tool are counted."""
        provider = self.provider_of(name)
        return name if provider is None else provider.counted_name(name)

    def browsers_changed(self) -> None:
        """There are several browsers now, or no longer: routing arguments come or go."""
        if self._routed:
            self._changed()

    def groups_changed(self) -> None:
        """The session has switched on further groups."""
        self._changed()

    def policy_changed(self) -> None:
        """The session may call other tools now."""
        self._functions = self._make_functions(self.session.policy)
        self._changed()

    def on_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when the list of tools is another one; returns how to stop."""
        return self._changed.add(listener)

    def close(self) -> None:
        """Let go of what the tools hold."""
        for provider in self._providers:
            provider.close()

    def _known(self) -> dict[str, Tool]:
        return self._functions.with_groups(self.session.groups)

    def _refusal_of_others(self, name: str) -> Refused | None:
        return next(filter(None, (each.refusal_of(name) for each in self._providers)), None)


def _steps(given: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Return the calls that arguments consist of: their tools, and what each is given."""
    steps = given.get("steps")
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, dict) and isinstance(name := step.get("tool"), str):
            yield name, json_object(step.get("arguments"))


def _without_secrets(spec: ToolSpec) -> ToolSpec:
    """Take out of a page's tool what was typed into pages for agents."""
    if not FILLED.has_values:
        return spec
    return replace(
        spec,
        name=FILLED.text(spec.name),
        description=FILLED.text(spec.description),
        schema=FILLED.values(spec.schema),
    )
