"""Widgets: `fill` on the widgets of component libraries, judged by the pages' own state.

    python -m bench.truth.widgets SET [page ...]

Packages come from npm into the cache of the bench and are bundled there; nothing of them is kept
in the repository. A task is `right` when the page holds the value and the reply says so, `refused`
when the reply says that it does not, and `wrong` when the reply claims what the page does not hold.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.packages import cache, install
from bench.trouble import BenchError
from bench.truth import (
    bundles,
    widgets_further,
    widgets_known,
    widgets_newer,
    widgets_unseen,
)
from bench.truth.widget_tasks import WidgetPage, WidgetTask
from tabmux.settings import Settings
from tests.agent import Agent
from tests.page.act.fill import widget_kinds
from tests.serving import running
from tests.site import Site

SETS = {
    "known": widgets_known.PAGES,
    "unseen": widgets_unseen.PAGES,
    "kinds": widget_kinds.PAGES,
    "further": widgets_further.half("develop"),
    "further-held-out": widgets_further.half("held-out"),
    "newer": widgets_newer.half("develop"),
    "newer-held-out": widgets_newer.half("held-out"),
}
ESBUILD = "0.28.2"
BUNDLE_SECONDS = 120.0
LOAD_MILLISECONDS = 60_000
# What a page may still do after the reply: commits that wait for a pause in the typing.
LATE_SECONDS = 0.4


async def bundled(page: WidgetPage) -> str:
    """The document of a page, with its packages in it."""
    if page.library is not None:
        folder = cache() / "truth"
        folder.mkdir(exist_ok=True)
        return await asyncio.to_thread(bundles.document, page.library, folder)
    if not page.script:
        return page.html
    packages = {"esbuild": ESBUILD, **page.packages}
    key = hashlib.sha256(json.dumps(packages, sort_keys=True).encode()).hexdigest()[:12]
    folder = cache() / "widgets" / f"{page.name}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    marker = folder / "installed"
    if not marker.exists():
        (folder / "package.json").write_text("{}")
        await install_aliased(packages, folder)
        marker.touch()
    entry = folder / "entry.jsx"
    entry.write_text(page.script)
    await _bundle(folder, entry)
    style = folder / "out.css"
    css = style.read_text() if style.exists() else ""
    script = (folder / "out.js").read_text().replace("</script", "<\\/script")
    return (
        f"<!doctype html><meta charset=utf-8><style>{css}</style>"
        f"<body>{page.html}<script type=module>{script}\nwindow.ready = true</script>"
    )


async def install_aliased(packages: dict[str, str], folder: Path) -> None:
    """Install packages, of which some may be called otherwise than on npm."""
    await install(
        {name: f"npm:{name}@{pin}" if ":" not in pin else pin for name, pin in packages.items()},
        folder,
    )


async def _bundle(folder: Path, entry: Path) -> None:
    loaders = [
        f"--loader:.{kind}=dataurl" for kind in ("png", "gif", "svg", "woff", "woff2", "ttf", "eot")
    ]
    process = await asyncio.create_subprocess_exec(
        str(folder / "node_modules/.bin/esbuild"), str(entry), "--bundle", "--format=esm",
        f"--outfile={folder / 'out.js'}", "--log-level=error", "--legal-comments=none",
        "--alias:vue=vue/dist/vue.esm-bundler.js", "--loader:.mp3=dataurl",
        '--define:process.env.NODE_ENV="production"', "--define:global=globalThis", *loaders,
        stderr=asyncio.subprocess.PIPE, cwd=folder,
    )  # fmt: skip
    async with asyncio.timeout(BUNDLE_SECONDS):
        _, errors = await process.communicate()
    if process.returncode:
        raise BenchError(f"esbuild failed: {errors.decode()[:1500]}")


async def judged(agent: Agent, url: str, task: WidgetTask) -> tuple[str, str]:
    """Do one task on a fresh page; returns the verdict and what tabmux said."""
    await agent("navigate_page", url=url, timeout=LOAD_MILLISECONDS)
    await agent("take_snapshot")
    if await _holds(agent, task):
        return "broken", "The page holds the value already."
    reply = await agent.reply("fill", uid=task.target, value=task.value)
    told = "\n".join(reply.text.splitlines()[:3])
    if not await _holds(agent, task):
        await asyncio.sleep(LATE_SECONDS)
    if not await _holds(agent, task) and not reply.failed:
        # Some pages take what was typed when the field is left, as `change` events tell it.
        await agent("press_key", key="Tab")
        await asyncio.sleep(LATE_SECONDS)
    holds = await _holds(agent, task)
    if reply.failed:
        return "unseen" if holds else "refused", told
    if holds:
        return "right", told
    # A remark tells what became of the value.
    return ("told" if "Filled the element. " in told else "wrong"), told


async def _holds(agent: Agent, task: WidgetTask) -> bool:
    expression = (
        f"(() => {{ try {{ return Boolean({task.holds}) }} catch (e) {{ return String(e) }} }})()"
    )
    return await agent.value(expression) == "true"


async def run(pages: Sequence[WidgetPage]) -> Counter[str]:
    """Do all tasks and print each that is not right."""
    verdicts: Counter[str] = Counter()
    settings = Settings(launch=True, headless=True, isolated=True)
    with Site() as site:
        async with running(settings) as app, Agent.joined(app, site) as agent:
            for page in pages:
                try:
                    url = site.page(await bundled(page))
                except BenchError as error:
                    print(f"{page.name}: {error}", flush=True)
                    continue
                for task in page.tasks:
                    began = time.monotonic()
                    try:
                        verdict, told = await judged(agent, url, task)
                    except AssertionError as error:
                        verdict, told = "broken", str(error)[:300]
                    verdicts[verdict] += 1
                    mark = "" if verdict == "right" else f": {told}"
                    print(
                        f"{verdict:8} {time.monotonic() - began:4.1f}s {page.name} {task.target} {task.value[:30]!r}{mark}",
                        flush=True,
                    )
    return verdicts


def main() -> None:
    """Run the set that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", choices=SETS)
    parser.add_argument("pages", nargs="*")
    arguments = parser.parse_args()
    pages = [
        each for each in SETS[arguments.set] if not arguments.pages or each.name in arguments.pages
    ]
    verdicts = asyncio.run(run(pages))
    print(f"{verdicts['right']} of {sum(verdicts.values())} right", dict(verdicts))


if __name__ == "__main__":
    main()
