"""`python -m bench truth`: what tabmux shows and does on pages that it was not made for."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.chromium import find_chromium
from bench.packages import cache, install
from bench.pagetools.folder import open_folder
from bench.processes import stop_on
from bench.servers import CHROME_DEVTOOLS
from bench.trouble import BenchError
from bench.truth import report
from bench.truth.material import Material, gathered
from bench.truth.measuring import MEASURES, Work, measure
from bench.truth.tally import Tally

WRONG = 2


@dataclass(frozen=True)
class Options:
    """What to measure, and how much of it."""

    half: str
    kinds: tuple[str, ...]
    measures: tuple[str, ...]
    only: str
    actions: int
    workers: int
    quick: bool
    peer: bool
    json: Path | None
    chromium: str


def truth(arguments: Sequence[str]) -> int:
    """Measure, print the table, and return 2 if anything was said that is not true."""
    return asyncio.run(_run(_options(arguments)))


async def _run(options: Options) -> int:
    stop_on(signal.SIGTERM)
    folder = cache() / "truth"
    folder.mkdir(exist_ok=True)
    kinds = ("sample",) if options.quick else options.kinds
    material = await gathered(kinds, options.half, options.only, folder)
    if not material.pages:
        raise BenchError("No page fits.")
    if options.peer and CHROME_DEVTOOLS.package is not None:
        await install(dict([CHROME_DEVTOOLS.package]), cache())
    tallies = {page.kind: Tally() for page in material.pages}
    try:
        await _measure(material, options, folder, tallies)
    finally:
        # Hours of measuring are not lost when it is stopped.
        _report(material, options, tallies)
    return WRONG if any(report.is_untrue(tally) for tally in tallies.values()) else 0


def _report(material: Material, options: Options, tallies: Mapping[str, Tally]) -> None:
    # What is held out stays so: a look at its misses would spend it.
    details = options.half == "develop"
    sys.stdout.write(report.table(tallies, options.half))
    sys.stdout.write(report.misses(tallies) if details else "")
    if options.json is not None:
        found = {kind: tally.json(details) for kind, tally in tallies.items()}
        about = {"half": options.half, "left out": material.left_out, "kinds": found}
        options.json.write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n")


async def _measure(
    material: Material, options: Options, folder: Path, tallies: dict[str, Tally]
) -> None:
    waiting = list(reversed(material.pages))
    async with open_folder(folder, material.ours) as site:
        work = Work(site.origin, options.chromium, options.measures, options.actions, options.peer)
        workers = range(min(options.workers, len(waiting)))
        try:
            async with asyncio.TaskGroup() as group:
                for _ in workers:
                    group.create_task(measure(waiting, work, tallies))
        except* BenchError as errors:
            sys.stderr.write(f"broken off: {errors.exceptions[0]}\n")


def _options(arguments: Sequence[str]) -> Options:
    parser = argparse.ArgumentParser(prog="python -m bench truth", description=__doc__)
    parser.add_argument("--part", choices=("develop", "held-out"), default="develop")
    parser.add_argument(
        "--kinds", default="real,component,further,frame", help="of pages; newer too"
    )
    parser.add_argument("--measures", default=",".join(MEASURES), help="only these")
    parser.add_argument("--only", default="", help="only pages whose name contains one of these")
    parser.add_argument(
        "--actions", type=int, default=12, help="most clicks, and most fills, a page"
    )
    parser.add_argument("--workers", type=int, default=2, help="browsers at a time")
    parser.add_argument("--no-peer", action="store_true", help="without chrome-devtools-mcp")
    parser.add_argument("--quick", action="store_true", help="two small pages: a smoke test")
    parser.add_argument("--json", type=Path, help="write counts, and misses of the develop half")
    parser.add_argument("--chromium", help="the browser to measure in (default: the first found)")
    given = parser.parse_args(arguments)
    return Options(
        half=given.part,
        kinds=tuple(given.kinds.split(",")),
        measures=tuple(given.measures.split(",")),
        only=given.only,
        actions=given.actions,
        workers=given.workers,
        quick=given.quick,
        peer=not given.no_peer and not given.quick,
        json=given.json,
        chromium=given.chromium or find_chromium(),
    )
