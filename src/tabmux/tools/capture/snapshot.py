"""The take_snapshot tool: the page as text with uids."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tabmux.content import Reply
from tabmux.page.page import Page
from tabmux.page.see.snapshots import SnapshotOptions
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.argument_types import OutputFile, Target
from tabmux.tools.pipeline.file_access import save, with_suffix
from tabmux.tools.pipeline.results import SnapshotResult
from tabmux.tools.pipeline.tool import tool

Count = Annotated[int, Field(ge=0)]


@tool(reads=True, result=SnapshotResult)
async def take_snapshot(
    page: Page,
    session: Session,
    verbose: bool = False,
    uid: Target | None = None,
    depth: Count = 0,
    budget: Count = 0,
    file_path: OutputFile | None = None,
) -> Reply:
    """Show the page as text, with uids of elements that other tools take.

    Older uids of the page become invalid. Prefer this to a screenshot.

    Args:
        verbose: Show every element.
        uid: Only inside this element; older uids stay valid.
        depth: Most levels; 0 for all.
        budget: Most characters; what matters least is left out first.
        file_path: Write it to this file.
    """
    options = SnapshotOptions(verbose=verbose, depth=depth, budget=budget)
    text = await session.shown.snapshot(page, options, uid, limited=file_path is None)
    if file_path is not None:
        path = await save(with_suffix(file_path, ".txt"), text.encode())
        data = SnapshotResult(file_path=str(path)).data
        return Reply(f"Saved snapshot to {path}.", is_ours=True, data=data)
    return Reply("## Latest page snapshot", data=SnapshotResult(snapshot=text).data).quote(text)
