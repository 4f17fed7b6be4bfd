"""Performance trace tools: recorded, summed up, explained, drawn."""

from __future__ import annotations

import asyncio
import gzip
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from pydantic import Field

from tabmux.browsers.browser_view import BrowserView
from tabmux.cdp.channel import Sink
from tabmux.content import Image, Progress, Reply
from tabmux.errors import BadArguments, Busy, Misuse
from tabmux.page.page import Page
from tabmux.page.profiling.tracing import TraceConfig
from tabmux.page.see.labels import resolve_nodes
from tabmux.secrets.filled_values import RedactedStream
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.pipeline.argument_types import InputFile, OutputFile
from tabmux.tools.pipeline.file_access import created, save, with_suffix
from tabmux.tools.pipeline.tool import tool
from tabmux.tools.profiling import analysis_files

ENDINGS = (".json", ".json.gz", ".gz")
# Most of the gain for a fraction of the work.
PACKING = 1
# How long a page may take to come to rest after its load event.
REST_SECONDS = 5.0
RELOAD_SECONDS = 30.0
# A recording that ends by itself is worth waiting for.
QUEUE_SECONDS = 60.0
# A page that closes ends its recording without a word.
POLL_SECONDS = 1.0
RECORD_SECONDS = 180.0
# A recording, as progress counts it: record, read, analyse, done.
STEPS = 4
ANALYSE_SECONDS = 120.0
# How often a load is recorded anew when Chrome left out what the page itself did.
RETRIES = 2
NO_PICTURES = (
    "The trace holds no pictures. Chrome takes none of tabs that are lent through the extension."
)
_NODE = re.compile(r"\[node (\d+)\]")


@tool(seconds=RECORD_SECONDS, read_only=True)
async def performance_start_trace(
    page: Page,
    session: Session,
    browsers: BrowserView,
    analysis: AnalysisProcess,
    progress: Progress,
    reload: bool = True,
    auto_stop: bool = True,
    ignore_cache: bool = False,
    file_path: OutputFile | None = None,
) -> Reply:
    """Record how the page loads or runs, and sum up its Core Web Vitals and what slows it down.

    Navigate to the right URL first.

    Args:
        reload: Record how the page loads.
        auto_stop: Stop when the page is at rest; otherwise at performance_stop_trace.
        ignore_cache: As on a first visit.
        file_path: Write the trace to this file (.json.gz or .json).
    """
    await _wait_for_others(page, browsers)
    await progress(1, STEPS, "recording")
    rest = REST_SECONDS if auto_stop else 0.0
    remark = await _record(page, rest, reload=reload, ignore_cache=ignore_cache)
    page.tracing.planned_file = None if auto_stop else file_path
    if not auto_stop:
        return Reply(f"Recording page {page.id}. Act on it, then call performance_stop_trace.").add(
            remark
        )
    reply = await _finish(page, session, analysis, progress, file_path)
    for _ in range(RETRIES if reload else 0):
        if not await analysis.run(analysis_files.is_mute, _last(page)):
            break
        await _wait_for_others(page, browsers)
        await _record(page, rest, reload=True, ignore_cache=ignore_cache, adopt=True)
        reply = await _finish(page, session, analysis, progress, file_path)
    return reply.add(remark)


@tool(seconds=RECORD_SECONDS, read_only=True)
async def performance_stop_trace(
    page: Page,
    session: Session,
    analysis: AnalysisProcess,
    progress: Progress,
    file_path: OutputFile | None = None,
) -> Reply:
    """Stop the recording of the page and sum it up.

    Args:
        file_path: Write the trace to this file (.json.gz or .json).
    """
    return await _finish(page, session, analysis, progress, file_path or page.tracing.planned_file)


@tool(reads=True, turn=False, seconds=ANALYSE_SECONDS)
async def performance_analyze_insight(
    page: Page,
    session: Session,
    analysis: AnalysisProcess,
    progress: Progress,
    insight_set_id: str,
    insight_name: str,
) -> Reply:
    """Explain one insight of the page's last trace.

    Args:
        insight_set_id: A set of the summary, such as NAVIGATION_0.
        insight_name: For example LCPBreakdown, RenderBlocking or LongTasks.
    """
    path = _last(page)
    await progress(1, 2, "analysing")
    text = await analysis.run(analysis_files.insight, path, insight_set_id, insight_name)
    return Reply(await _with_uids(session, page, text))


@tool(reads=True, turn=False, seconds=ANALYSE_SECONDS)
async def performance_filmstrip(
    page: Page,
    analysis: AnalysisProcess,
    frames: Annotated[int, Field(ge=2, le=24)] = 6,
    trace_path: InputFile | None = None,
) -> Reply:
    """Show what the screen looked like along the page's last trace, with the metrics marked.

    Args:
        frames: How many pictures of each navigation.
        trace_path: Another trace than the page's last.
    """
    path = _last(page) if trace_path is None else _checked(trace_path)
    shown = await analysis.run(analysis_files.filmstrip, path, frames)
    lines = [
        f"{number}. {each.set_id} {each.ms:.0f} ms {', '.join(each.marks)}".rstrip()
        for number, each in enumerate(shown, 1)
    ]
    reply = Reply.lines(lines, empty=NO_PICTURES)
    reply.images += [Image(each.data, "image/jpeg") for each in shown]
    return reply


@tool(repeatable=True, turn=False, seconds=ANALYSE_SECONDS, read_only=True)
async def performance_report(
    page: Page,
    analysis: AnalysisProcess,
    file_path: OutputFile,
    trace_path: InputFile | None = None,
) -> Reply:
    """Write the page's last trace as one HTML page: metrics, filmstrip, timeline and insights.

    Args:
        file_path: Where to write it (.html).
        trace_path: Another trace than the page's last.
    """
    path = _last(page) if trace_path is None else _checked(trace_path)
    text = await analysis.run(analysis_files.html, path)
    written = await save(with_suffix(file_path, ".html"), text.encode())
    return Reply(f"Saved report to {written}.")


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def analyze_trace_file(
    analysis: AnalysisProcess,
    progress: Progress,
    file_path: InputFile,
    insight_set_id: str | None = None,
    insight_name: str | None = None,
) -> Reply:
    """Sum up a trace recorded elsewhere (DevTools, Lighthouse, Puppeteer), or explain an insight.

    Args:
        file_path: The trace (.json or .json.gz).
        insight_set_id: A set of the summary; with insightName.
        insight_name: Explain this insight of the set.
    """
    path = _checked(file_path)
    if (insight_set_id is None) != (insight_name is None):
        raise BadArguments("Give both insightSetId and insightName, or neither.")
    await progress(1, 2, "analysing")
    if insight_set_id is None or insight_name is None:
        return Reply(await analysis.run(analysis_files.summary, path))
    return Reply(await analysis.run(analysis_files.insight, path, insight_set_id, insight_name))


async def _record(
    page: Page, rest: float, *, reload: bool, ignore_cache: bool, adopt: bool = False
) -> str:
    """Record a load until the page is at rest, or just begin; returns what navigation remarks."""
    await page.tracing.start(TraceConfig(changes=reload), manual=not rest, adopt=adopt)
    remark, recorded = "", False
    try:
        if reload:
            remark = await page.navigation.reload(RELOAD_SECONDS, ignore_cache=ignore_cache)
        if rest:
            await (page.tracing.quiet(rest) if reload else asyncio.sleep(rest))
        recorded = True
    finally:
        if not recorded:
            page.tracing.discard()
    return remark


async def _wait_for_others(page: Page, browsers: BrowserView) -> None:
    """Wait for a recording that ends by itself, and name one that does not.

    Chrome records one page of a browser at a time.
    """
    browser = browsers.browser_of(page.handle)
    end = time.monotonic() + QUEUE_SECONDS
    pages = browser.pages if browser is not None else {}
    while other := next(
        filter(_records, [each.page for each in pages.values() if each.page]), None
    ):
        left = end - time.monotonic()
        if other.tracing.manual or left <= 0:
            raise Busy(
                f"Page {other.id} has been recorded for {other.tracing.seconds:.0f} s, "
                "and Chrome records one page of a browser at a time.",
                hint=f"Call performance_stop_trace with pageId {other.id}, "
                "or wait for the session that owns it.",
            )
        await other.signal.wait(min(left, POLL_SECONDS))


def _records(page: Page) -> bool:
    return page.tracing.recording


async def _finish(
    page: Page,
    session: Session,
    analysis: AnalysisProcess,
    progress: Progress,
    file_path: Path | None,
) -> Reply:
    page.tracing.check()
    path = analysis.folder / f"page-{page.id}.json.gz"
    if file_path is not None:
        path = _named(file_path)
    await progress(2, STEPS, "reading the trace")
    with _writing(path) as sink:
        lossy = await page.tracing.stop(sink)
    page.tracing.file = path
    reply = Reply(f"Saved trace to {path}." if file_path is not None else "")
    if lossy:
        reply.add("Chrome's buffer was full: events are missing and numbers may be too low.")
    await progress(3, STEPS, "analysing")
    text = await analysis.run(analysis_files.summary, path)
    if await analysis.run(analysis_files.is_mute, path):
        # Seen in Chromium 156, with a renderer that started while somebody else recorded.
        reply.add("Chrome left out all that the page itself did. Record it again.")
    return reply.quote(await _with_uids(session, page, text))


def _last(page: Page) -> Path:
    if page.tracing.file is None:
        raise Misuse(
            f"There is no trace of page {page.id}.", hint="Call performance_start_trace first."
        )
    return page.tracing.file


async def _with_uids(session: Session, page: Page, text: str) -> str:
    """Name the elements of a report by uids, as far as they are still on the page."""
    nodes = sorted({int(node) for node in _NODE.findall(text)})
    if not nodes or page.gone:
        return text
    handles = await resolve_nodes(page.main, nodes)
    if not handles:
        return text
    names = await session.shown.name_elements(page, {page.main: list(handles.values())})
    uids = dict(zip(handles, names[page.main], strict=True))
    return _NODE.sub(lambda m: f"uid={uids[n]}" if uids.get(n := int(m[1])) else m[0], text)


def _named(path: Path) -> Path:
    """Return the path with an ending that says what is in the file."""
    return path if _has_ending(path) else path.with_name(f"{path.name}.json.gz")


def _checked(path: Path) -> Path:
    """Refuse a file that is not even named like a trace."""
    if not _has_ending(path):
        raise BadArguments(
            f"{path.name} is not named like a trace.",
            hint="The name must end in .json or .json.gz.",
        )
    return path


@contextmanager
def _writing(path: Path) -> Iterator[Sink]:
    """Give a sink for JSON that writes it as the file's name wants it."""
    with created(path) as file:
        if path.suffix != ".gz":
            yield file.write
            return
        with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=PACKING) as packed:
            stream = RedactedStream(packed.write)
            yield stream.write
            stream.flush()


def _has_ending(path: Path) -> bool:
    return path.name.lower().endswith(ENDINGS)
