"""Codex: added and listed with its own commands, then run with the scripted model."""

from __future__ import annotations

import re

from cli import run_command, work
from model_server import model_server
from steps import Call, Task, expect, report, run


async def drive(task: Task) -> None:
    """Add tabmux, see it listed, and take the steps."""
    how = ["--", "tabmux"] if task.way == "stdio" else ["--url", task.server]
    await run_command("codex", "mcp", "add", "tabmux", *how)
    listed = await run_command("codex", "mcp", "list", "--json")
    expect('"tabmux"' in listed and '"enabled": true' in listed, listed)
    report("connect")
    async with model_server("openai") as server:
        provider = f'{{name="scripted", base_url="{server.url}/v1", wire_api="responses"}}'
        words = ["codex", "exec", "--skip-git-repo-check", "-c", 'model_provider="scripted"']
        words += ["-c", f"model_providers.scripted={provider}"]
        # What a user would say when asked.
        words += ["-c", 'mcp_servers.tabmux.default_tools_approval_mode="approve"', "go"]
        await work(task, server, words, list_tools)


async def list_tools(call: Call, _: list[str]) -> list[str]:
    """Ask for the tools that scripts can call; Codex does not wait for servers when it starts."""
    found: list[str] = []
    while not found:
        listed = await call("exec", script="text(ALL_TOOLS.map((tool) => tool.name).join(' '))")
        found = re.findall(r"mcp__tabmux__(\w+)", listed.text)
    return found


run(drive)
