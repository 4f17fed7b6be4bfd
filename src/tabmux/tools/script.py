"""Runs a script in the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tabmux.content import Reply, quoted
from tabmux.errors import BadArguments
from tabmux.page.dialogs import Answer
from tabmux.page.page import Page
from tabmux.page.waiting import settled
from tabmux.sessions.session import Session
from tabmux.tools.files import load, save, with_suffix
from tabmux.tools.outcome import outcome
from tabmux.tools.tool import tool
from tabmux.tools.types import InputFile, Milliseconds, OutputFile, Target

DEFAULT_MILLISECONDS = 15_000


@tool(destroys=True, scripts=True)
async def evaluate_script(
    page: Page,
    session: Session,
    function: str | None = None,
    args: Sequence[Target] = (),
    format: Literal["function", "script"] = "function",  # part of the contract
    source_path: InputFile | None = None,
    file_path: OutputFile | None = None,
    dialog_action: str = "accept",
    wait_for_stable_dom: bool = True,
    timeout: Milliseconds = 0,
) -> Reply:
    """Run JavaScript in the page and return its result as JSON.

    Args:
        function: Such as "() => document.title" or "(el) => el.innerText".
        args: Uids of elements to pass.
        format: A script returns its last value.
        source_path: Read the source from this file.
        file_path: Write the result to this file.
        dialog_action: accept, dismiss, or the answer to a prompt.
        wait_for_stable_dom:
        timeout: Milliseconds.
    """
    code = await _source(function, source_path)
    if format == "script" and args:
        raise BadArguments("A script takes no args.", hint="Use the function format.")
    seconds = (timeout or DEFAULT_MILLISECONDS) / 1000
    with page.dialogs.answering(_answer(dialog_action)) as answered:
        async with settled(page, first=0, patient=wait_for_stable_dom) as watch:
            if format == "script":
                result = await page.script.run(code, seconds)
            else:
                result = await page.script.call(code, args, seconds)
    if file_path is not None:
        path = await save(with_suffix(file_path, ".json"), result.encode())
        done = f"Script ran on page. Output saved to {path}."
    else:
        shown = quoted(f"```json\n{result}\n```")
        done = f"Script ran on page and returned:\n{shown}"
    reply = await outcome(session, page, done, watch, report="none")
    return reply.add("\n".join(answered))


async def _source(function: str | None, path: InputFile | None) -> str:
    if (function is None) == (path is None):
        raise BadArguments("Give either function or sourcePath.")
    if path is not None:
        return (await load(path)).decode("utf-8", errors="replace")
    return function or ""


def _answer(action: str) -> Answer:
    if action in ("accept", "dismiss"):
        return Answer(accept=action == "accept")
    return Answer(accept=True, text=action)
