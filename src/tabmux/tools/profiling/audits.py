"""Audit tools: accessibility and what else is wrong with a page."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from tabmux.browsers.browser_view import BrowserView
from tabmux.content import Progress, Reply, count
from tabmux.errors import Misuse
from tabmux.page.page import Page
from tabmux.page.see.audit import AuditFinding, audit, find_elements
from tabmux.page_text import address
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.argument_types import OutputFile, OutputFolder
from tabmux.tools.pipeline.file_access import save, with_suffix
from tabmux.tools.pipeline.tool import tool
from tabmux.tools.profiling import lighthouse, npm_packages
from tabmux.tools.profiling.lighthouse import Device, LighthouseResult

Category = Literal["accessibility", "seo", "best-practices"]
CATEGORIES: tuple[Category, ...] = ("accessibility", "seo", "best-practices")


@tool(reads=True, seconds=60)
async def audit_page(
    page: Page,
    session: Session,
    categories: Sequence[Category] = (),
    file_path: OutputFile | None = None,
) -> Reply:
    """Check the page as it stands for failures in accessibility, SEO and best practices.

    Accessibility is checked by axe-core, the rest by tabmux itself.

    Args:
        categories: Only these; all when empty.
        file_path: Also write the findings to this file (.json).
    """
    chosen = list(dict.fromkeys(categories)) or list(CATEGORIES)
    axe = await asyncio.to_thread(npm_packages.find_axe) if "accessibility" in chosen else None
    if axe is None and chosen == ["accessibility"]:
        raise Misuse("axe-core is not installed.", hint=npm_packages.how_to_install_axe())
    findings = await audit(page, chosen, axe.source if axe else "")
    uids = await session.shown.name_elements(page, {finding.frame: () for finding in findings})
    named = [
        (each, uids[each.frame][each.first : each.first + len(each.shown)]) for each in findings
    ]
    reply = Reply(f"{count(len(findings), 'finding')} on {address(page.url)}")
    for category in chosen:
        reply.add("\n".join(_section(category, named, axe.version if axe else "")))
    if file_path is not None:
        rows = [_row(finding, names) for finding, names in named]
        path = await save(with_suffix(file_path, ".json"), json.dumps(rows, indent=1).encode())
        reply.add(f"Saved findings to {path}.")
    return reply


@tool(seconds=lighthouse.RUN_SECONDS + 20, read_only=True)
async def lighthouse_audit(
    page: Page,
    session: Session,
    browsers: BrowserView,
    progress: Progress,
    mode: Literal["navigation", "snapshot"] = "navigation",
    device: Device = "desktop",
    output_dir_path: OutputFolder | None = None,
) -> Reply:
    """Run Lighthouse (from npm) on the page's URL: scores, failing audits, reports on disk.

    Where Lighthouse is not installed the error says how; audit_page works without it.

    Args:
        mode: Lighthouse loads the URL anew; for the page as it stands use audit_page.
        device: What it pretends to be.
        output_dir_path: Where the reports go; a temporary folder when absent.
    """
    script = await asyncio.to_thread(npm_packages.find_lighthouse)
    if script is None:
        hint = await asyncio.to_thread(npm_packages.how_to_install_lighthouse)
        raise Misuse(
            "Lighthouse is not installed.",
            hint=f"{hint} audit_page works without it.",
            code="missing_extra",
        )
    if mode == "snapshot":
        raise Misuse(
            "Lighthouse's command line cannot audit a page as it stands.",
            hint="Use audit_page for that, or mode navigation.",
        )
    browser = browsers.browser_of(page.handle)
    if browser is None or not page.url.startswith(("http://", "https://")):
        raise Misuse(
            f"Lighthouse cannot audit {address(page.url)}.", hint="Navigate to a web page first."
        )
    folder = await asyncio.to_thread(_folder, output_dir_path)
    await progress(1, 3, "running Lighthouse")
    result = await lighthouse.run(script, browser, page.url, device, folder / "lighthouse")
    await progress(2, 3, "reading its report")
    uids = await _uids(session, page, result)
    reply = Reply("\n".join(_scores(result, device))).quote("\n".join(_failures(result, uids)))
    return reply.add(f"Saved reports to {folder}/lighthouse.report.json and .html.")


def _section(
    category: str, named: Iterable[tuple[AuditFinding, list[str]]], version: str
) -> Iterator[str]:
    own = [(finding, names) for finding, names in named if finding.category == category]
    if category == "accessibility" and not version:
        yield "## accessibility"
        yield f"Not checked: axe-core is not installed. {npm_packages.how_to_install_axe()}"
        return
    by = f" (axe {version})" if category == "accessibility" else ""
    yield f"## {category}{by}: {len(own)}"
    for finding, names in own:
        impact = f" ({finding.impact})" if finding.impact else ""
        yield f"- {finding.id}{impact}: {finding.text}"
        for name, html in zip(names, finding.shown, strict=True):
            yield f"  {f'uid={name} ' if name else ''}{html}"
        if finding.total > len(finding.shown):
            yield f"  … {finding.total - len(finding.shown)} more"


def _row(finding: AuditFinding, names: list[str]) -> dict[str, object]:
    elements = [
        {"uid": name, "html": html} for name, html in zip(names, finding.shown, strict=True)
    ]
    return {
        "category": finding.category,
        "id": finding.id,
        "impact": finding.impact,
        "text": finding.text,
        "frame": finding.frame.url,
        "total": finding.total,
        "elements": elements,
    }


def _folder(wanted: Path | None) -> Path:
    if wanted is None:
        return Path(tempfile.mkdtemp(prefix="tabmux-lighthouse-"))
    wanted.mkdir(parents=True, exist_ok=True)
    return wanted


async def _uids(session: Session, page: Page, result: LighthouseResult) -> dict[str, str]:
    """Name the elements that Lighthouse saw, as far as the page has them too."""
    nodes = (node for failure in result.failures for node in failure.nodes)
    paths = sorted({node.path for node in nodes if node.path})
    if not paths:
        return {}
    await find_elements(page.main, paths)
    names = await session.shown.name_elements(page, {page.main: ()})
    return dict(zip(paths, names[page.main], strict=True))


def _scores(result: LighthouseResult, device: Device) -> Iterator[str]:
    yield f"Lighthouse {result.version} on {address(result.url)}, {device}"
    yield ", ".join(
        f"{name} {'n/a' if score is None else score}" for name, score in result.scores.items()
    )
    yield f"{count(result.passed, 'audit')} passed, {len(result.failures)} failed"


def _failures(result: LighthouseResult, uids: dict[str, str]) -> Iterator[str]:
    for failure in result.failures:
        yield f"- {failure.id} [{', '.join(failure.categories)}]: {failure.title}"
        for node in failure.nodes:
            name = uids.get(node.path)
            yield f"  {f'uid={name}' if name else node.selector} {node.snippet}"
