"""Running application: a tabmux at a Chromium that is signed in to an application."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.chromium import find_chromium, open_chromium
from bench.client import Client, open_client
from bench.pagetools.applications.application import Application, open_application
from bench.pagetools.browser import ALONE
from bench.probe import Probe, ProbeTab, open_probe
from bench.servers import TABMUX
from bench.trouble import BenchError

LOAD_SECONDS = 30
_SIGN_IN = """(() => {{
  for (const [at, value] of Object.entries({fields})) document.querySelector(at).value = value;
  document.querySelector({form}).requestSubmit();
}})()"""
_LEFT = "document.readyState === 'complete' && !document.querySelector({form})"


@dataclass(frozen=True)
class RunningApplication:
    """Where an application is, and what looks at it."""

    application: Application
    origin: str
    client: Client
    probe: Probe

    @asynccontextmanager
    async def tab(self, path: str) -> AsyncIterator[ProbeTab]:
        """Open a page through tabmux, and find its tab through the side channel."""
        before = {each["targetId"] for each in await self._targets()}
        place = {"url": f"{self.origin}{path}", "timeout": LOAD_SECONDS * 1000}
        await self.client.call("new_page", place)
        new = [each for each in await self._targets() if each["targetId"] not in before]
        if not new:
            raise BenchError(f"No tab was opened for {path}.")
        tab = await self.probe.tab(new[0]["url"])
        try:
            yield tab
        finally:
            await tab.close()

    async def _targets(self) -> list[dict[str, str]]:
        found = (await self.probe.call("Target.getTargets"))["targetInfos"]
        return [each for each in found if each["type"] == "page"]

    async def sign_in(self) -> None:
        """Fill in the form that the application is entered by, without tabmux."""
        login = self.application.login
        if not login:
            return
        tab = await self.probe.open(f"{self.origin}{login['path']}")
        form = json.dumps(login["form"])
        await tab.evaluate(_SIGN_IN.format(fields=json.dumps(login["fields"]), form=form))
        for _ in range(LOAD_SECONDS * 5):
            await asyncio.sleep(0.2)
            try:
                if await tab.evaluate(_LEFT.format(form=form)):
                    break
            except BenchError:
                continue  # the document is just being replaced
        else:
            raise BenchError(f"{self.application.name} does not let its user in.")
        await tab.close()


@asynccontextmanager
async def run_application(application: Application) -> AsyncIterator[RunningApplication]:
    """Start an application with a browser and a tabmux of its own, and sign in."""
    with tempfile.TemporaryDirectory(prefix="tabmux-bench-", ignore_cleanup_errors=True) as place:
        scratch = Path(place)
        async with (
            open_application(application) as origin,
            open_chromium(find_chromium(), ALONE) as endpoint,
            open_probe(endpoint.websocket) as probe,
        ):
            command = TABMUX.started_with(endpoint.url, scratch)
            log = scratch / "tabmux.log"
            async with open_client(command, TABMUX.surroundings(scratch), scratch, log) as client:
                await client.initialize()
                running = RunningApplication(application, origin, client, probe)
                await running.sign_in()
                yield running
