"""Pipeline: the steps that every call of a tool goes through, in order.

`Pipeline.run`, `_answer` and `_execute` are that list; each step is a function with a name, here
or in the module it is imported from. A tool need know nothing of them.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tabmux.browsers.browser_view import ListedBrowser
from tabmux.content import QuestionPending, Reply, SilentClient
from tabmux.errors import DeadlineExceeded, TabmuxError, closed, unexpected
from tabmux.observability import CallMetrics
from tabmux.record.record import Record
from tabmux.secrets.usable_secrets import UsableSecrets
from tabmux.tools.pipeline import (
    access,
    arguments,
    consent,
    delivery,
    human_control,
    routing,
    secret_use,
)
from tabmux.tools.pipeline.call import Call, CallNotes, Route, Services, ToolRun
from tabmux.tools.pipeline.call_record import CallRecord
from tabmux.tools.pipeline.saved_replies import RepliesOfSessions
from tabmux.tools.pipeline.toolset import ToolProvider, Toolset

if TYPE_CHECKING:
    from tabmux.page.page import Page
    from tabmux.tools.pipeline.tool import Tool

logger = logging.getLogger(__name__)
# Calls that failed, for whoever wants to see them elsewhere than the others.
failures = logging.getLogger(f"{__name__}.failures")

# A call that names its own timeout gets a little more, to report what happened.
GRACE_SECONDS = 5.0
LOGGED_CHARACTERS = 300
# Arguments that may hold a password.
_TYPED = frozenset({"value", "text", "promptText"})
# Tools whose arguments are the page's own business, and may hold anything.
_OPAQUE = frozenset({"call_page_tool", "execute_webmcp_tool", "execute_3p_developer_tool"})


class Pipeline:
    """Runs the calls of all sessions.

    Args:
        services: What all calls share.
        metrics: Where calls are counted.
        record: Where they are written down.
    """

    def __init__(
        self,
        services: Services,
        metrics: CallMetrics | None = None,
        record: Record | None = None,
    ) -> None:
        self.services = services
        self.metrics = metrics or CallMetrics()
        self.record = CallRecord(record or Record())
        self._saved = RepliesOfSessions()

    async def run(self, call: Call) -> Reply:
        """Answer a call. Failures are replies; only cancellation leaves as an exception,
        and the exception by which a client of the stateless era is asked something.
        """
        name = call.toolset.counted_name(call.name)
        with self.metrics.call(name) as counted, self.record.keeping(call, counted):
            reply = await self._answer(call)
            call.notes.said = reply.text
            call.session.steering.add_notes(reply)
            saved = self._saved.of(call.session)
            counted.reply = await delivery.delivered(reply, call.session.policy, saved)
        if counted.reply.code is not None:
            failures.info("%s failed: %s", call.name, _one_line(counted.reply.text))
        return counted.reply

    async def run_nested(
        self,
        toolset: Toolset,
        page: Page,
        name: str,
        given: Mapping[str, Any],
        usable: UsableSecrets,
        above: CallNotes,
    ) -> Reply:
        """Run a tool for another one that has its turn on the page."""
        session = toolset.session
        notes = CallNotes(handle=page.handle)
        with self.record.keeping_step(session, name, given, notes, above) as step:
            step.reply = await self._nested(toolset, page, name, given, usable, notes)
        return step.reply

    async def _nested(
        self,
        toolset: Toolset,
        page: Page,
        name: str,
        given: Mapping[str, Any],
        usable: UsableSecrets,
        notes: CallNotes,
    ) -> Reply:
        session = toolset.session
        try:
            session.spend()
            tool = toolset.function(name)
            route, values = arguments.nested(tool, given, session, page)
            caller = _NestedCaller(self, toolset, usable, notes)
            run = ToolRun(
                session, tool, route, values, SilentClient(), caller, usable, notes, nested=True
            )
            return await self._within_deadline(run)
        except TabmuxError as error:
            told = closed(page.id) if page.gone else error
            return Reply(told.text, code=told.code)

    async def _answer(self, call: Call) -> Reply:
        """Take the steps before a call is run, and run it; whatever goes wrong is a reply."""
        session, services = call.session, self.services
        try:
            with session.calling():
                session.spend()
                await consent.learn_roots(call)
                ready = self._prepared(call, call.given)
            # Only now, so that the user is asked about nothing that cannot be run.
            usable = await secret_use.permitted(call, services.secrets, services.people)
            with session.calling():
                reply = await ready(usable)
            return await self._confirmed(call, reply, usable) if reply.question else reply
        except TabmuxError as error:
            return Reply.failure(error)
        except QuestionPending:
            session.spare()  # the client sends the call again
            raise
        except Exception as error:  # the tool pipeline is a rim
            logger.exception("%s failed", call.name)
            return Reply.failure(unexpected(error, f"{call.name} failed inside tabmux"))

    async def _confirmed(self, call: Call, reply: Reply, usable: UsableSecrets) -> Reply:
        """Ask the user; nothing has been done yet and no page is held, however long that takes."""
        allowed = await consent.asked(call, reply.question, self.services.people)
        if allowed is None:
            return reply
        if not allowed:
            return consent.refused_by_user()
        ready = self._prepared(call, consent.with_confirmation(call.name, call.given))
        with call.session.calling():
            return await ready(usable)

    def _prepared(
        self, call: Call, given: Mapping[str, Any]
    ) -> Callable[[UsableSecrets], Coroutine[Any, Any, Reply]]:
        """Find the tool and check its arguments; returns what runs it."""
        if provider := call.toolset.provider_of(call.name):
            if refused := access.name_refusal(call.session.policy, call.name):
                raise refused
            provider.check(call.name, given)
            return partial(self._run_provided, call, provider, given)
        _log(call.name, given)
        tool = call.toolset.function(call.name)
        route, values = arguments.checked(tool, given, call.session)
        return partial(self._run_everywhere, call, tool, route, values)

    async def _run_provided(
        self, call: Call, provider: ToolProvider, given: Mapping[str, Any], usable: UsableSecrets
    ) -> Reply:
        """Run a tool that is no function of tabmux's."""
        session = call.session
        secret_use.note_use(session, session.pages.get(session.selected or 0), usable)
        await session.begin_action(call.client)
        work = provider.call(call.name, secret_use.resolved(given, usable))
        return await human_control.provided(call, work)

    async def _run_everywhere(
        self, call: Call, tool: Tool, route: Route, values: dict[str, Any], usable: UsableSecrets
    ) -> Reply:
        """Run a tool once, or on every browser that carries the tag which the call names."""
        caller = _NestedCaller(self, call.toolset, usable, call.notes)
        run = ToolRun(call.session, tool, route, values, call.client, caller, usable, call.notes)
        tagged = call.session.browsers.tagged(route.browser) if tool.on_browser else []
        if not tagged:
            return await self._within_deadline(run)
        arguments.refuse_one_file_for_all(run)
        if not tool.reads:
            await call.session.begin_action(call.client)
        reply, found = Reply(), []
        for each in tagged:
            answer = await self._attempt_on(each, run)
            name = each.name or each.browser.spec.label
            reply.add(f"[{each.number}] {name}").add(answer.text)
            reply.images += answer.images
            reply.code = reply.code or answer.code
            found.append((each.number, answer.data))
        if tool.result is not None:
            reply.data = lambda: {
                "browsers": [{"browser": n, **data()} for n, data in found if data is not None]
            }
        return reply

    async def _attempt_on(self, listed: ListedBrowser, run: ToolRun) -> Reply:
        route = replace(run.route, browser=listed.number)
        there = replace(run, route=route, client=SilentClient())
        try:
            return await self._within_deadline(there)
        except TabmuxError as error:
            return Reply.failure(error)

    async def _within_deadline(self, run: ToolRun) -> Reply:
        """Execute a run within its time; a page that it leaves stuck is freed."""
        seconds = _seconds(run)
        started, failed = time.monotonic(), True
        try:
            async with asyncio.timeout(seconds) as run.timeout:
                with run.session.steering.running(run.timeout) as running:
                    reply = await self._execute(run)
            failed = False
        except TimeoutError as error:
            run.abandon()
            if refusal := human_control.refusal(run, running):
                raise refusal from error
            raise DeadlineExceeded(
                f"{run.tool.name} did not finish within {seconds:g} s{run.blocker}.",
                hint="The page was freed; take a snapshot to see where it stands.",
            ) from error
        except asyncio.CancelledError:
            run.abandon()
            raise
        finally:
            if run.browser is not None and not run.waits_for:
                run.browser.count(time.monotonic() - started, failed=failed)
        return reply

    async def _execute(self, run: ToolRun) -> Reply:
        """Find the subjects, take the locks, call the tool's function, complete its reply."""
        await human_control.wait_for_people(run)
        routing.check_browser(run)
        subjects = await routing.find_subjects(run, self.services)
        note = run.session.note_connection(run.browser) if run.browser is not None else ""
        async with AsyncExitStack() as locks:
            await routing.lock_browser(run, locks)
            await routing.lock_page(run, locks)
            await human_control.wait_for_people(run)
            subjects |= await routing.attach_page(run)
            await secret_use.refuse_watching(run)
            secret_use.note_use(run.session, run.handle, run.secrets)
            if not (run.tool.reads or run.nested):
                await run.session.begin_action(run.client)
            run.begin()
            async with routing.while_page_is_open(run):
                await arguments.locate_elements(run)
                self.record.note_elements(run)
                resolved = secret_use.resolved(run.arguments, run.secrets)
                reply = await run.tool.function(**subjects, **resolved)
                if run.tool.result is not None and reply.data is None:
                    # Clients check that there is some where a tool has said so.
                    reply.data = dict
            routing.refuse_forbidden_page(run)
            delivery.quote_page_text(run, reply)
            await delivery.add_changed_page_tools(run, reply, self.services.page_catalogs)
            await self.record.take_picture(run)
        return delivery.completed(run, reply, note)


class _NestedCaller:
    """The pipeline as a tool sees it that calls others."""

    def __init__(
        self, pipeline: Pipeline, toolset: Toolset, usable: UsableSecrets, notes: CallNotes
    ) -> None:
        self._pipeline, self._toolset, self._usable = pipeline, toolset, usable
        self._notes = notes

    async def call(self, page: Page, name: str, given: Mapping[str, Any]) -> Reply:
        return await self._pipeline.run_nested(
            self._toolset, page, name, given, self._usable, self._notes
        )

    def takes(self, name: str, argument: str) -> bool:
        return self._toolset.takes(name, argument)


def _seconds(run: ToolRun) -> float:
    seconds = run.tool.seconds
    if isinstance(timeout := run.arguments.get("timeout"), int) and timeout > 0:
        seconds = max(seconds, timeout / 1000 + GRACE_SECONDS)
    return seconds


def _log(name: str, given: Mapping[str, Any]) -> None:
    """Log a call; what is typed into pages stays out of it."""
    if logger.isEnabledFor(logging.INFO):
        shown = (
            "…" if name in _OPAQUE else json.dumps(_masked(given), default=str, ensure_ascii=False)
        )
        logger.info("%s request: %s", name, shown)


def _one_line(text: str) -> str:
    return " ".join(text.split())[:LOGGED_CHARACTERS]


def _may_hold_secret(name: str, value: Any) -> bool:
    """Whether an argument holds what was typed, or a step's arguments as text, which may."""
    return name in _TYPED or (name == "arguments" and isinstance(value, str))


def _masked(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: "…" if _may_hold_secret(k, v) else _masked(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_masked(each) for each in value]
    return value
