"""Film: two agents at work at the same time, each tab filmed by tabmux's own recorder."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

SIZE = "640x400"
PAGE = """<!doctype html><title>Orders</title><style>
body{font:18px system-ui;margin:24px;background:#fff;color:#102a43}
h1{font-size:22px;color:COLOUR}input,button{font:inherit;padding:4px 8px;margin:4px 0}
button{background:COLOUR;color:#fff;border:0;border-radius:4px}li{padding:3px}
</style><h1>Orders of NAME</h1><form onsubmit="event.preventDefault();
let i=document.createElement('li');i.textContent=a.value+' × '+n.value;
l.append(i);a.value='';n.value=1">
<label>Article <input id=a></label> <label>Number <input id=n type=number value=1 size=3></label>
<button>Add</button></form><ol id=l></ol>"""
AGENTS = {
    "ada": ("#0f766e", ("green tea", "black tea", "oolong", "white tea")),
    "bob": ("#b45309", ("screws", "hammer", "nails", "glue")),
}


class Agent:
    """One agent: a session of its own, called on the command line."""

    def __init__(self, name: str, environment: dict[str, str]) -> None:
        self.name, self._environment = name, environment

    async def call(self, tool: str, *arguments: str) -> None:
        """Call a tool."""
        command = ("-m", "tabmux", "call", tool, *arguments, "--session", self.name)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *command,
            env=self._environment,
            stdout=asyncio.subprocess.DEVNULL,
        )
        async with asyncio.timeout(60):
            if await process.wait() != 0:
                raise RuntimeError(f"{tool} failed in session {self.name}")

    async def work(self, film: Path) -> None:
        """Fill the form of the agent's own page, article by article, and film it."""
        colour, articles = AGENTS[self.name]
        page = PAGE.replace("COLOUR", colour).replace("NAME", self.name)
        await self.call("navigate_page", f"url=data:text/html,{quote(page)}")
        await self.call("enable_tools", 'groups=["recording"]')
        await self.call("screencast_start", f"filePath={film}")
        for number, article in enumerate(articles, 2):
            await self.call("fill", 'uid=textbox "Article"', f"value={article}")
            await self.call("fill", 'uid=spinbutton "Number"', f"value={number}")
            await self.call("click", 'uid=button "Add"')
        await self.call("screencast_stop")


async def film(folder: Path) -> None:
    """Let all agents work at once; their films go to a folder."""
    with tempfile.TemporaryDirectory(prefix="tabmux-film-") as home:
        environment = {**os.environ, "HOME": home, "TABMUX_HEADLESS": "1"}
        environment |= {"TABMUX_VIEWPORT": SIZE, "TABMUX_ALLOW_PATH": str(folder)}
        agents = [Agent(name, environment) for name in AGENTS]
        try:
            async with asyncio.TaskGroup() as group:
                for agent in agents:
                    group.create_task(agent.work(folder / f"agent-{agent.name}.mp4"))
        finally:
            command = ("-m", "tabmux", "daemon", "stop")
            stop = await asyncio.create_subprocess_exec(
                sys.executable, *command, env=environment, stdout=asyncio.subprocess.DEVNULL
            )
            await stop.wait()


if __name__ == "__main__":
    asyncio.run(film(Path(sys.argv[1]).resolve()))
