"""Completion of replies: what the pipeline adds to what a tool answered."""

from __future__ import annotations

from pathlib import Path

from tabmux.content import OPEN, Reply, quoted
from tabmux.pagetools.catalogs import PageCatalogs
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.pipeline.call import ToolRun

# Tools that show the page to the agent, beside those that report what they changed.
_SHOWING = frozenset({"take_snapshot", "find", "take_screenshot", "wait_for"})


def quote_page_text(run: ToolRun, reply: Reply) -> None:
    """Take for a page's words what a tool read there, unless it says itself which are."""
    seen = run.tool.on_page or AnalysisProcess in run.tool.subjects.values()
    written = any(isinstance(value, Path) for value in run.arguments.values())
    if run.tool.reads and seen and not (written or reply.images or OPEN in reply.text):
        reply.text = quoted(reply.text)


async def add_changed_page_tools(run: ToolRun, reply: Reply, catalogs: PageCatalogs) -> None:
    """Name the page's tools when they have changed; tools for page tools do so themselves."""
    if run.page is None or run.nested or PageCatalogs in run.tool.subjects.values():
        return
    shown = run.tool.name in _SHOWING or "report" in run.tool.schema["properties"]
    reply.add(await catalogs.changes_line(run.page, acted=not run.tool.reads, sighted=shown))


def completed(run: ToolRun, reply: Reply, note: str) -> Reply:
    """Add what the agent must know of the page: emulation, downloads, an open dialog."""
    if note:
        reply.text = f"{note}\n{reply.text}"
    page = run.page
    if page is None or page.gone:
        return reply
    reply.add("\n".join(page.emulation.current.lines))
    reply.add("\n".join(page.interception.lines))
    if run.browser is not None:
        for download in run.browser.downloads.news(page.id):
            reply.quote(f"Download {download.line}")
    if dialog := page.dialogs.current:
        reply.add(
            f"# Open dialog\n{quoted(dialog.line)}\n"
            "Call handle_dialog to handle it before continuing."
        )
    return reply
