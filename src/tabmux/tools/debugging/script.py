"""The evaluate_script tool: runs a script in the page or a service worker."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

from tabmux.browsers.browser_view import BrowserView
from tabmux.browsers.extension_workers import extension_worker
from tabmux.concurrency import turn_amid
from tabmux.content import Data, Reply, quoted
from tabmux.errors import BadArguments, Misuse, PageGone
from tabmux.json_text import decoded
from tabmux.page.dialogs import DialogAnswer
from tabmux.page.page import Page
from tabmux.page.settling import settled
from tabmux.page.workers import Worker
from tabmux.sessions.session import Session
from tabmux.tools.core.outcome import outcome
from tabmux.tools.pipeline.argument_types import (
    InputFile,
    Milliseconds,
    OutputFile,
    Target,
    WorkerName,
)
from tabmux.tools.pipeline.file_access import load, save, with_suffix
from tabmux.tools.pipeline.results import EvaluationResult
from tabmux.tools.pipeline.tool import tool

DEFAULT_MILLISECONDS = 15_000
# Python's decoder takes them, though they are no JSON.
_NUMBERS = frozenset({"NaN", "Infinity", "-Infinity"})


@tool(destroys=True, scripts=True, result=EvaluationResult)
async def evaluate_script(
    page: Page,
    session: Session,
    browsers: BrowserView,
    function: str | None = None,
    args: Sequence[Target] = (),
    format: Literal["function", "script"] = "function",  # part of the contract
    source_path: InputFile | None = None,
    file_path: OutputFile | None = None,
    dialog_action: str = "accept",
    wait_for_stable_dom: bool = True,
    service_worker_id: WorkerName | None = None,
    timeout: Milliseconds = 0,
) -> Reply:
    """Run JavaScript in the page and return its result as JSON.

    Args:
        function: Such as () => document.title, or (el) => el.innerText with args.
        args: Uids of elements to pass.
        format: A script's result is its last value.
        source_path: Read the code from this file.
        file_path: Write the result to this file.
        dialog_action: For dialogs it opens: accept, dismiss or a prompt's answer.
        wait_for_stable_dom: Wait until the page is at rest.
        service_worker_id: Run there; see list_pages.
        timeout: Milliseconds; 0 for the usual.
    """
    code = await _source(function, source_path)
    if args and (format == "script" or service_worker_id):
        what = "service worker" if service_worker_id else "script"
        raise BadArguments(f"A {what} takes no args.", hint="Use the function format, in a page.")
    seconds = (timeout or DEFAULT_MILLISECONDS) / 1000
    patient = wait_for_stable_dom and not service_worker_id
    async with _worker(page, browsers, service_worker_id) as worker:
        with page.dialogs.answering(_answer(dialog_action)) as answered:
            async with settled(page, first=0, patient=patient) as effects:
                if format == "script":
                    result = await page.evaluation.run(code, seconds, worker)
                else:
                    result = await page.evaluation.call(
                        code, args, seconds, worker, sent=effects.sent
                    )
    ran = f"Script ran in {service_worker_id}" if service_worker_id else "Script ran on page"
    path = file_path and await save(with_suffix(file_path, ".json"), result.encode())
    shown = "" if path else f"```json\n{result}\n```"
    await turn_amid(shown)
    shown = quoted(shown)
    await turn_amid(shown)
    done = f"{ran}. Output saved to {path}." if path else f"{ran} and returned:\n{shown}"
    reply = await outcome(session, page, done, effects, report="none")
    reply.data = _data(reply.data or dict, result, path)
    return reply.add("\n".join(answered))


def _data(effects: Data, result: str, path: Path | None) -> Data:
    if path is not None:
        return lambda: {**effects(), "filePath": str(path)}
    return lambda: {**effects(), "result": _value(result)}


def _value(text: str) -> Any:
    """Return what a script returned; some values can be written, but are no JSON."""
    if text == "undefined":
        return None
    if text in _NUMBERS:
        return text
    try:
        return decoded(text)
    except ValueError:
        return text


@asynccontextmanager
async def _worker(
    page: Page, browsers: BrowserView, name: str | None
) -> AsyncIterator[Worker | None]:
    """Hold the worker that is meant, of the page or of an extension; None for the page itself."""
    found = page.workers.named(name or "")
    if found is not None:
        page.urls.check(found.url)
    if found is not None or not name:
        yield found
        return
    browser = browsers.browser_of(page.handle)
    if browser is None:
        raise PageGone(f"Page {page.id} is gone.")
    async with extension_worker(browser, name) as found:
        if found is None:
            raise Misuse(
                f"None of your pages has a service worker {name}.",
                hint="Call list_pages to see which there are.",
                code="no_such_worker",
            )
        yield found


async def _source(function: str | None, path: InputFile | None) -> str:
    if (function is None) == (path is None):
        raise BadArguments("Give either function or sourcePath.")
    if path is not None:
        return (await load(path)).decode("utf-8", errors="replace")
    return function or ""


def _answer(action: str) -> DialogAnswer:
    if action in ("accept", "dismiss"):
        return DialogAnswer(accept=action == "accept")
    return DialogAnswer(accept=True, text=action)
