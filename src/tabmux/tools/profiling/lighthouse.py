"""Lighthouse from npm: run, and read what it found."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from tabmux.browsers.browser import Browser
from tabmux.browsers.executable import find_executable
from tabmux.errors import DeadlineExceeded, TabmuxError
from tabmux.json_text import decoded
from tabmux.page_text import in_quotes

Device = Literal["desktop", "mobile"]

RUN_SECONDS = 150.0
END_SECONDS = 3.0
NODES = 10
SNIPPET = 120
CATEGORIES = "accessibility,best-practices,performance,seo"


class LighthouseFailed(TabmuxError):
    """Lighthouse ended without a report."""

    code = "lighthouse_failed"


@dataclass(frozen=True)
class FailedNode:
    """An element that an audit complains about; the selector may fit others too, the path not."""

    path: str
    selector: str
    snippet: str


@dataclass(frozen=True)
class AuditFailure:
    """An audit that did not pass."""

    id: str
    categories: tuple[str, ...]
    title: str
    score: float
    nodes: tuple[FailedNode, ...]


@dataclass(frozen=True)
class LighthouseResult:
    """What Lighthouse found; scores are from 0 to 100."""

    version: str
    url: str
    scores: dict[str, int | None]
    passed: int
    failures: tuple[AuditFailure, ...]


async def run(
    script: Path, browser: Browser, url: str, device: Device, target: Path
) -> LighthouseResult:
    """Audit a URL; the reports are written as `target`.report.json and .report.html."""
    command = ["node", str(script), url, *_flags(device, target), *_browser_flags(browser)]
    environment = {
        **os.environ,
        "CHROME_PATH": find_executable(path=browser.executable_path or None),
    }
    process = await asyncio.create_subprocess_exec(
        *command,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(RUN_SECONDS):
            _, errors = await process.communicate()
    except TimeoutError as error:
        raise DeadlineExceeded(f"Lighthouse did not finish within {RUN_SECONDS:g} s.") from error
    finally:
        await asyncio.shield(_end(process))
    try:
        return read(await asyncio.to_thread(Path(f"{target}.report.json").read_bytes))
    except FileNotFoundError as error:
        said = errors.decode(errors="replace").strip().split("\n")[-1]
        raise LighthouseFailed(f"Lighthouse gave no report: {in_quotes(said, 300)}") from error


async def _end(process: asyncio.subprocess.Process) -> None:
    """End Lighthouse, which ends the browser that it started when it is asked kindly."""
    if process.returncode is not None:
        return
    process.send_signal(signal.SIGINT)
    try:
        async with asyncio.timeout(END_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def read(report: bytes) -> LighthouseResult:
    """Read a report of Lighthouse's own."""
    found: dict[str, Any] = decoded(report)
    if error := found.get("runtimeError"):
        raise LighthouseFailed(
            f"Lighthouse could not audit the page: {in_quotes(str(error.get('message')))}"
        )
    failures = tuple(_failures(found))
    scored = [a for a in found["audits"].values() if a.get("score") is not None]
    return LighthouseResult(
        version=found["lighthouseVersion"],
        url=found.get("finalDisplayedUrl") or found.get("requestedUrl", ""),
        scores={name: _percent(c["score"]) for name, c in found["categories"].items()},
        passed=len(scored) - sum(_failed(audit) for audit in scored),
        failures=failures,
    )


def _flags(device: Device, target: Path) -> Iterator[str]:
    yield from ("--quiet", "--output=json", "--output=html", f"--output-path={target}")
    yield from (f"--only-categories={CATEGORIES}", "--no-enable-error-reporting")
    if device == "desktop":
        yield "--preset=desktop"


def _browser_flags(browser: Browser) -> Iterator[str]:
    """Use the browser itself where it has a port, else a clean one without a window."""
    address = urlsplit(browser.http_address)
    if address.port:
        # The user's cookies and storage stay as they are.
        yield from (f"--port={address.port}", f"--hostname={address.hostname}")
        yield "--disable-storage-reset"
        return
    sandbox = " --no-sandbox" if os.geteuid() == 0 else ""
    yield f"--chrome-flags=--headless=new{sandbox}"


def _failed(audit: dict[str, Any]) -> bool:
    scored = audit.get("scoreDisplayMode") in ("binary", "numeric", "metricSavings")
    return scored and audit.get("score") is not None and audit["score"] < 0.9


def _failures(report: dict[str, Any]) -> Iterator[AuditFailure]:
    homes = dict[str, list[str]]()
    for name, category in report["categories"].items():
        for reference in category["auditRefs"]:
            homes.setdefault(reference["id"], []).append(name)
    for ident, audit in report["audits"].items():
        if ident in homes and _failed(audit):
            nodes = tuple(islice(_nodes(audit), NODES))
            homes_of = tuple(homes[ident])
            yield AuditFailure(ident, homes_of, audit["title"], audit["score"], nodes)


def _nodes(audit: dict[str, Any]) -> Iterator[FailedNode]:
    for item in (audit.get("details") or {}).get("items", ()):
        node = item.get("node") if isinstance(item, dict) else None
        if isinstance(node, dict) and node.get("selector"):
            snippet = node.get("snippet", "")[:SNIPPET]
            yield FailedNode(node.get("path", ""), node["selector"], snippet)


def _percent(score: float | None) -> int | None:
    return None if score is None else round(score * 100)
